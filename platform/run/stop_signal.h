#pragma once

#include <functional>
#include <systemc>
#include <utility>

namespace vp {

/// Carries a request from another thread of the host into the simulation: request() may be called from any thread, the
/// callback is then called by a process of the simulation.
class StopSignal : public sc_core::sc_module {
 public:
  StopSignal(sc_core::sc_module_name module_name, std::function<void()> on_request)
      : sc_module(module_name), on_request_(std::move(on_request)) {
    SC_HAS_PROCESS(StopSignal);
    SC_METHOD(fire);
    sensitive << channel_.arrived;
    dont_initialize();
  }

  void request() { channel_.async_request_update(); }

 private:
  struct Channel : sc_core::sc_prim_channel {
    Channel() : sc_prim_channel("channel") {}
    using sc_prim_channel::async_request_update;
    void update() override { arrived.notify(sc_core::SC_ZERO_TIME); }
    sc_core::sc_event arrived;
  };
  void fire() { on_request_(); }

  Channel channel_;
  std::function<void()> on_request_;
};

}  // namespace vp
