#pragma once

#include <functional>
#include <systemc>

namespace vp {

/// Carries a request from another thread of the host into the simulation.
class StopSignal : public sc_core::sc_prim_channel {
 public:
  /// on_request is called by the kernel, in the simulation's thread, between two delta cycles.
  StopSignal(const char* name, std::function<void()> on_request)
      : sc_prim_channel(name), on_request_(std::move(on_request)) {}

  /// From any thread.
  void request() { async_request_update(); }

 private:
  void update() override { on_request_(); }

  std::function<void()> on_request_;
};

}  // namespace vp
