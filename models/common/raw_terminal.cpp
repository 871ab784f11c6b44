#include "models/common/raw_terminal.h"

#include <termios.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>

namespace vp {
namespace {

// A process has one controlling terminal, and signal and exit handlers take no argument: the one place where state of
// the whole process is the honest model.
struct SavedTerminal {
  volatile std::sig_atomic_t saved = 0;
  int descriptor = -1;
  termios settings{};
};
SavedTerminal terminal;

void restore() {
  if (terminal.saved == 0) return;
  terminal.saved = 0;
  tcsetattr(terminal.descriptor, TCSANOW, &terminal.settings);  // async-signal-safe
}

void restore_and_die(int signal) {
  restore();
  // The handler was installed for one shot: the default action follows.
  raise(signal);
}

void install_handlers() {
  constexpr std::array<int, 8> kFatal{SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  for (const int signal : kFatal) {
    struct sigaction present {};
    if (sigaction(signal, nullptr, &present) != 0 || present.sa_handler != SIG_DFL) continue;
    struct sigaction ours {};
    ours.sa_handler = restore_and_die;
    ours.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(signal, &ours, nullptr);
  }
  static const bool registered = std::atexit(restore) == 0;
  static_cast<void>(registered);
}

}  // namespace

RawTerminal::RawTerminal(int descriptor) {
  if (isatty(descriptor) == 0 || tcgetpgrp(descriptor) != getpgrp() || terminal.saved != 0) return;
  if (tcgetattr(descriptor, &terminal.settings) != 0) return;
  terminal.descriptor = descriptor;
  terminal.saved = 1;
  install_handlers();
  termios raw = terminal.settings;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_iflag &= ~static_cast<tcflag_t>(ICRNL | INLCR | IXON);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  tcsetattr(descriptor, TCSANOW, &raw);
  active_ = true;
}

RawTerminal::~RawTerminal() {
  if (active_) restore();
}

}  // namespace vp
