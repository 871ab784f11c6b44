#pragma once

#include <systemc>

#include "models/cdma/core.h"
#include "models/common/event_timer.h"
#include "models/common/overlapping_master.h"
#include "models/common/tlm_target.h"

namespace vp {

/// The AXI CDMA as a module: register window (32-bit port), memory port, interrupt output.
class Cdma : public sc_core::sc_module {
 public:
  Cdma(sc_core::sc_module_name name, Horizon& horizon, const cdma::CdmaConfig& config);

  void bind_interrupt(InterruptLine::Receiver receiver) { interrupt_.bind(std::move(receiver)); }
  void reset() { core_.reset(); }
  cdma::Core& core() { return core_; }
  const cdma::Core& core() const { return core_; }
  void persist(Archive& archive);

  OverlappingMaster master;

 private:
  EventTimer timer_;
  InterruptLine interrupt_;
  cdma::Core core_;

 public:
  TlmTarget socket;
};

}  // namespace vp
