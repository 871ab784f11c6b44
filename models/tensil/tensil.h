#pragma once

#include <systemc>

#include "models/common/event_timer.h"
#include "models/common/overlapping_master.h"
#include "models/tensil/sequencer.h"

namespace vp {

/// The TCU as a module: two DRAM ports and the ends of its streams.
class Tensil : public sc_core::sc_module {
 public:
  Tensil(sc_core::sc_module_name name, Horizon& horizon, const tensil::TensilConfig& config);

  /// At the present time.
  void reset();
  tensil::Sequencer& sequencer() { return sequencer_; }
  const tensil::Sequencer& sequencer() const { return sequencer_; }
  void persist(Archive& archive);

  OverlappingMaster dram0;
  OverlappingMaster dram1;

 private:
  EventTimer timer_;
  tensil::Sequencer sequencer_;
};

}  // namespace vp
