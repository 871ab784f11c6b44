#pragma once

#include <systemc>

#include "models/axidma/core.h"
#include "models/common/event_timer.h"
#include "models/common/overlapping_master.h"
#include "models/common/tlm_target.h"

namespace vp {

/// The AXI DMA as a module: register window (32-bit port), memory port, interrupt outputs, stream ends.
class AxiDma : public sc_core::sc_module {
 public:
  AxiDma(sc_core::sc_module_name name, Horizon& horizon, const axidma::AxiDmaConfig& config);

  void bind_interrupt(axidma::Core::Side side, InterruptLine::Receiver receiver) {
    interrupts_[static_cast<unsigned>(side)].bind(std::move(receiver));
  }
  void reset() { core_.reset(); }
  axidma::Core& core() { return core_; }
  const axidma::Core& core() const { return core_; }
  void persist(Archive& archive);

  OverlappingMaster master;

 private:
  EventTimer timer_;
  InterruptLine interrupts_[2];
  axidma::Core core_;

 public:
  TlmTarget socket;
};

}  // namespace vp
