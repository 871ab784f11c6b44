#pragma once

#include <functional>
#include <systemc>
#include <utility>

#include "models/common/event_timer.h"
#include "models/common/overlapping_master.h"
#include "models/common/tlm_target.h"
#include "models/virtio/core.h"

namespace vp {

/// A virtio device over MMIO as a module: register window (32-bit port), memory port, interrupt output.
class Virtio : public sc_core::sc_module {
 public:
  /// The device must live as long.
  Virtio(sc_core::sc_module_name name, Horizon& horizon, const virtio::PortConfig& config, virtio::Device& device);

  void bind_interrupt(InterruptLine::Receiver receiver) { interrupt_.bind(std::move(receiver)); }
  void reset();
  virtio::Core& core() { return core_; }
  const virtio::Core& core() const { return core_; }
  /// Called when the simulation starts.
  void on_start(std::function<void()> callback) { started_ = std::move(callback); }
  /// The device's, too.
  void persist(Archive& archive);

  OverlappingMaster master;

 private:
  void start_of_simulation() override {
    if (started_) started_();
  }

  std::function<void()> started_;
  EventTimer timer_;
  InterruptLine interrupt_;
  virtio::Core core_;

 public:
  TlmTarget socket;
};

}  // namespace vp
