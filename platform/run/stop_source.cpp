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
#include <stdexcept>
#include <utility>

#include "platform/common/exit_code.h"

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

StopSource::StopSource(std::function<void()> on_stop, std::chrono::duration<double> timeout)
    : on_stop_(std::move(on_stop)) {
  if (pipe2(wake_pipe_, O_CLOEXEC) != 0)
    throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  signal_pipe = wake_pipe_[1];
  install_handlers();
  watcher_ = std::thread([this, timeout] { watch(timeout); });
}

StopSource::~StopSource() {
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

void StopSource::watch(std::chrono::duration<double> timeout) {
  using Steady = std::chrono::steady_clock;
  const bool limited = timeout.count() > 0;
  const Steady::time_point end = Steady::now() + std::chrono::duration_cast<Steady::duration>(timeout);
  Reason reason = Reason::none;
  while (reason == Reason::none) {
    const double left = std::chrono::duration<double>(end - Steady::now()).count();
    const int wait = limited ? static_cast<int>(std::clamp(std::ceil(left * 1000), 0.0, 1e6)) : -1;
    pollfd wake{wake_pipe_[0], POLLIN, 0};
    if (poll(&wake, 1, wait) > 0) {
      char what = kQuit;
      if (read(wake_pipe_[0], &what, 1) != 1 || what == kQuit) return;
      reason = Reason::interrupted;
    } else if (limited && Steady::now() >= end) {
      reason = Reason::timeout;
    }
  }
  {
    const std::lock_guard lock(mutex_);
    reason_ = reason;
  }
  on_stop_();
}

}  // namespace vp
