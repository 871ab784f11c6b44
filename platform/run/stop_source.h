#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace vp {

/// Ends a run from outside: Ctrl-C (SIGINT), SIGTERM, SIGHUP (the terminal goes) and a limit of wall-clock time. While
/// it lives, the first signal is turned into a stop request, so that the run ends with its report; a second one ends
/// the process at once (with the terminal as it was). There is at most one at a time.
class StopSource {
 public:
  enum class Reason { none, interrupted, timeout };

  /// on_stop is called once, from a thread of its own, as soon as there is a reason to stop, perhaps before the
  /// constructor has returned; it must be safe to call while the simulation runs. timeout: of wall-clock time from now,
  /// zero for none.
  StopSource(std::function<void(Reason)> on_stop, std::chrono::duration<double> timeout);
  /// Takes the handlers back.
  ~StopSource();
  StopSource(const StopSource&) = delete;
  StopSource& operator=(const StopSource&) = delete;

  /// The limit of wall-clock time does not run from now on, or goes on.
  void pause();
  void go_on();

  /// Why the run was stopped, if it was.
  Reason reason() const;

 private:
  using Clock = std::chrono::steady_clock;

  void watch();
  double seconds_left() const;

  std::function<void(Reason)> on_stop_;
  mutable std::mutex mutex_;
  Reason reason_ = Reason::none;
  const bool limited_;
  Clock::time_point end_;  ///< of a limited time, unless it is paused
  std::optional<Clock::duration> left_when_paused_;
  int wake_pipe_[2] = {-1, -1};  ///< written by the signal handler and by the destructor
  std::thread watcher_;
};

}  // namespace vp
