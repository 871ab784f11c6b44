#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

namespace vp {

/// Ends a run from outside: Ctrl-C (SIGINT), SIGTERM, SIGHUP (the terminal goes) and a limit of wall-clock time. While
/// it lives, the first signal is turned into a stop request, so that the run ends with its report; a second one ends
/// the process at once (with the terminal as it was). There is at most one at a time.
class StopSource {
 public:
  enum class Reason { none, interrupted, timeout };

  /// on_stop is called once, from a thread of its own, as soon as there is a reason to stop; it must be safe to call
  /// while the simulation runs. timeout: of wall-clock time from now, zero for none.
  StopSource(std::function<void()> on_stop, std::chrono::duration<double> timeout);
  /// Takes the handlers back.
  ~StopSource();
  StopSource(const StopSource&) = delete;
  StopSource& operator=(const StopSource&) = delete;

  /// Why the run was stopped, if it was.
  Reason reason() const;

 private:
  void watch(std::chrono::duration<double> timeout);

  std::function<void()> on_stop_;
  mutable std::mutex mutex_;
  Reason reason_ = Reason::none;
  int wake_pipe_[2] = {-1, -1};  ///< written by the signal handler and by the destructor
  std::thread watcher_;
};

}  // namespace vp
