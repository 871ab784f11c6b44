#pragma once

#include <systemc>

#include "models/common/event_timer.h"
#include "models/common/overlapping_master.h"
#include "models/common/tlm_target.h"
#include "models/drra/device.h"

namespace vp {

/// The DRRA fabric as a module: window (32-bit port), the DMA's memory port, interrupt output.
class Drra : public sc_core::sc_module {
 public:
  Drra(sc_core::sc_module_name name, Horizon& horizon, const drra::DeviceConfig& config);

  void bind_interrupt(InterruptLine::Receiver receiver) { interrupt_.bind(std::move(receiver)); }
  void reset();
  /// Brings the figures up to the kernel's time.
  void catch_up();
  drra::Device& device() { return device_; }
  const drra::Device& device() const { return device_; }
  void persist(Archive& archive);

  OverlappingMaster master;

 private:
  EventTimer timer_;
  InterruptLine interrupt_;
  drra::Device device_;

 public:
  TlmTarget socket;
};

}  // namespace vp
