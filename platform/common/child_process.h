#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace vp {

class ForkServer;

/// How a child process ended.
struct ChildEnd {
  int exit_code = 0;  ///< meaningful if signal is 0
  int signal = 0;     ///< the signal that killed it, or 0
  bool success() const { return exit_code == 0 && signal == 0; }
};

/// Where a child process works and what it is connected to.
struct ChildSetup {
  std::vector<std::string> command;  ///< program (looked up in PATH if it has no slash) and arguments
  std::string directory;             ///< working directory, "" for ours
  std::string input;                 ///< file for its standard input, "" for nothing (/dev/null)
  std::string output;                ///< file for standard output and standard error, made new; "" for nothing
  /// Makes the process, if it can, without starting the program; may be nullptr.
  ForkServer* server = nullptr;
};

/// A process that has just been made.
struct StartedChild {
  pid_t pid = -1;                   ///< < 0: there is none
  const char* cannot_do = nullptr;  ///< what it could not do before its work; it has ended then
  int error = 0;                    ///< why there is none, or why it could not
};

/// Makes a process by `fork`, which returns as fork(2) does, as a child of `parent`. It becomes the program that
/// `setup` names, or does this work and ends with the exit code that it returns, where there is some.
StartedChild start_child(const ChildSetup& setup, pid_t parent, pid_t (*fork)(), const std::function<int()>& work);

/// A process of ours. It has a process group of its own, so that Ctrl-C reaches only us and we decide, and it is killed
/// by the system if we die. The destructor kills the whole group if it still runs.
class ChildProcess {
 public:
  /// Throws UserError: no such program, no more processes, an output file that cannot be written.
  explicit ChildProcess(const ChildSetup& setup);
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// The end of the process if it has ended, without waiting.
  std::optional<ChildEnd> poll();
  /// Waits for the end.
  ChildEnd wait();
  /// Sends a signal to the process itself, if it still runs.
  void send(int signal) const;
  /// Asks the process and its own children to end; kills them after `patience`.
  void stop(std::chrono::milliseconds patience);

 private:
  void kill_group(int signal) const;
  pid_t pid_ = -1;
};

/// Runs a program to its end and returns its end and what it printed (standard output and standard error).
ChildEnd run_captured(const std::vector<std::string>& command, std::string& output);

/// While this object lives, the signals that end a program (Ctrl-C, terminate, hang-up) and those of ending children
/// are taken with wait() instead. One at a time; the process must have one thread.
class SignalGate {
 public:
  SignalGate();
  ~SignalGate();
  SignalGate(const SignalGate&) = delete;
  SignalGate& operator=(const SignalGate&) = delete;

  /// Waits until a signal arrives or the time is over. Returns true once the user has asked us to end (and from then
  /// on).
  bool wait(std::chrono::milliseconds time);

 private:
  sigset_t before_{};
  bool interrupted_ = false;
};

}  // namespace vp
