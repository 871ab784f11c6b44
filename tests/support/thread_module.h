#pragma once

#include <exception>
#include <functional>
#include <systemc>

namespace vp {

/// Runs a test's body as the only SC_THREAD of a simulation: initiator calls may wait there. An exception of the body
/// comes out of run().
class TestThread : public sc_core::sc_module {
 public:
  TestThread(sc_core::sc_module_name name, std::function<void()> body) : sc_module(name), body_(std::move(body)) {
    SC_HAS_PROCESS(TestThread);
    SC_THREAD(thread);
  }
  /// Starts the simulation and ends it with the body.
  void run() {
    sc_core::sc_start();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void thread() {
    try {
      body_();
    } catch (const sc_core::sc_unwind_exception&) {
      throw;
    } catch (...) {
      error_ = std::current_exception();
    }
    sc_core::sc_stop();
  }
  std::function<void()> body_;
  std::exception_ptr error_;
};

/// Runs `body` in a simulation.
inline void simulate(std::function<void()> body) {
  TestThread thread("test_thread", std::move(body));
  thread.run();
}

}  // namespace vp
