#include "platform/run/stop_source.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "platform/common/exit_code.h"
#include "platform/files/standard_streams.h"

namespace vp {

namespace {

// A signal handler gets no argument, so what it needs can only be global. Written before the handler is installed.
volatile sig_atomic_t signals_seen = 0;
int signal_pipe = -1;
bool terminal_known = false;
termios terminal_before;
constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};
std::array<struct sigaction, kSignals.size()> actions_before;

constexpr char kSignal = 's';
constexpr char kQuit = 'q';
constexpr char kLook = 'l';  // at the limit, which has changed

void on_signal(int) {
  const int saved = errno;
  const int seen = signals_seen + 1;
  signals_seen = seen;
  if (seen > 1) {  // the run did not end: leave at once
    if (terminal_known) tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
    _exit(kExitInterrupted);
  }
  [[maybe_unused]] const ssize_t written = write(signal_pipe, &kSignal, 1);
  errno = saved;
}

void install_handlers() {
  signals_seen = 0;
  terminal_known = tcgetattr(STDIN_FILENO, &terminal_before) == 0;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &actions_before[i]);
    const bool nohup = kSignals[i] == SIGHUP && actions_before[i].sa_handler == SIG_IGN;
    if (!nohup) sigaction(kSignals[i], &action, nullptr);
  }
}

}  // namespace

StopSource::StopSource(std::function<void(Reason)> on_stop, std::chrono::duration<double> timeout)
    : on_stop_(std::move(on_stop)),
      limited_(timeout.count() > 0),
      end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(timeout)) {
  if (pipe2(wake_pipe_, O_CLOEXEC) != 0)
    throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  signal_pipe = wake_pipe_[1];
  install_handlers();
  StandardStreams::give_up_when([this] {
    const Reason why = reason();
    return why == Reason::none ? kExitSuccess : why == Reason::timeout ? kExitLimit : kExitInterrupted;
  });
  watcher_ = std::thread([this] { watch(); });
}

StopSource::~StopSource() {
  StandardStreams::give_up_when(nullptr);
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &actions_before[i], nullptr);
  [[maybe_unused]] const ssize_t written = write(wake_pipe_[1], &kQuit, 1);
  watcher_.join();
  close(wake_pipe_[0]);
  close(wake_pipe_[1]);
}

StopSource::Reason StopSource::reason() const {
  const std::lock_guard lock(mutex_);
  return reason_;
}

void StopSource::pause() {
  const std::lock_guard lock(mutex_);
  if (!left_when_paused_) left_when_paused_ = end_ - Clock::now();
}

void StopSource::go_on() {
  {
    const std::lock_guard lock(mutex_);
    if (left_when_paused_) end_ = Clock::now() + *left_when_paused_;
    left_when_paused_.reset();
  }
  [[maybe_unused]] const ssize_t written = write(wake_pipe_[1], &kLook, 1);
}

/// Of the limit; without an end while it is paused.
double StopSource::seconds_left() const {
  const std::lock_guard lock(mutex_);
  if (!limited_ || left_when_paused_) return std::numeric_limits<double>::infinity();
  return std::chrono::duration<double>(end_ - Clock::now()).count();
}

void StopSource::watch() {
  Reason reason = Reason::none;
  while (reason == Reason::none) {
    const double left = seconds_left();
    const int wait = std::isfinite(left) ? static_cast<int>(std::clamp(std::ceil(left * 1000), 0.0, 1e6)) : -1;
    pollfd wake{wake_pipe_[0], POLLIN, 0};
    if (poll(&wake, 1, wait) > 0) {
      char what = kQuit;
      if (read(wake_pipe_[0], &what, 1) != 1 || what == kQuit) return;
      if (what == kSignal) reason = Reason::interrupted;
    } else if (seconds_left() <= 0) {
      reason = Reason::timeout;
    }
  }
  {
    const std::lock_guard lock(mutex_);
    reason_ = reason;
  }
  on_stop_(reason);
}

}  // namespace vp
