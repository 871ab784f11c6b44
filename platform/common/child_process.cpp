#include "platform/common/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include "models/common/error.h"
#include "platform/common/fork_server.h"

namespace vp {

namespace {

constexpr std::array<int, 3> kEndSignals{SIGINT, SIGTERM, SIGHUP};

/// A signal that is ignored (hang-up under nohup) stays so: blocked, it would come through sigtimedwait after all.
sigset_t gate_set() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kEndSignals) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) sigaddset(&set, signal);
  }
  sigaddset(&set, SIGCHLD);
  return set;
}

/// What failed in the child before it became what it is to be; sent to the parent through a pipe.
struct StartError {
  const char* what;
  int error;
};

/// Runs in the child between fork and exec or the work of its own: system calls only.
StartError become_process(const ChildSetup& setup, char* const* arguments, pid_t parent,
                          const std::function<int()>& work) {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // the parent died before the request above
  if (!setup.directory.empty() && ::chdir(setup.directory.c_str()) != 0) return {"enter its folder", errno};
  const int in = ::open(setup.input.empty() ? "/dev/null" : setup.input.c_str(), O_RDONLY | O_CLOEXEC);
  if (in < 0) return {"open its input", errno};
  const int out =
      ::open(setup.output.empty() ? "/dev/null" : setup.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (out < 0) return {"write its log", errno};
  if (::dup2(in, STDIN_FILENO) < 0 || ::dup2(out, STDOUT_FILENO) < 0 || ::dup2(out, STDERR_FILENO) < 0)
    return {"connect it", errno};
  if (work) {
    // As exec would, and with them goes the pipe to the parent: from here on the process runs.
    if (::close_range(STDERR_FILENO + 1, ~0U, 0) != 0) return {"close what it inherits", errno};
    ::_exit(work());
  }
  ::execvp(arguments[0], arguments);
  return {"start it", errno};
}

ChildEnd decode(int status) {
  ChildEnd end;
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else
    end.exit_code = WEXITSTATUS(status);
  return end;
}

}  // namespace

StartedChild start_child(const ChildSetup& setup, pid_t parent, pid_t (*fork)(), const std::function<int()>& work) {
  std::vector<char*> arguments;
  for (const std::string& word : setup.command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  StartedChild started;
  std::array<int, 2> report{};
  if (::pipe2(report.data(), O_CLOEXEC) != 0) {
    started.error = errno;
    return started;
  }
  started.pid = fork();
  if (started.pid == 0) {
    const StartError failed = become_process(setup, arguments.data(), parent, work);
    const ssize_t ignored = ::write(report[1], &failed, sizeof failed);  // nobody to tell if this fails
    ::_exit(ignored == sizeof failed ? 127 : 126);
  }
  started.error = errno;
  ::close(report[1]);
  StartError failed{};
  if (started.pid > 0 && ::read(report[0], &failed, sizeof failed) == sizeof failed) {
    started.cannot_do = failed.what;
    started.error = failed.error;
  }
  ::close(report[0]);
  return started;
}

ChildProcess::ChildProcess(const ChildSetup& setup) {
  StartedChild started;
  if (setup.server) started = setup.server->start(setup);
  if (started.pid < 0) started = start_child(setup, ::getpid(), ::fork, {});
  if (started.pid < 0) throw UserError(std::string("cannot start another process: ") + std::strerror(started.error));
  pid_ = started.pid;
  if (!started.cannot_do) return;
  wait();
  throw UserError("'" + setup.command.front() + "': cannot " + started.cannot_do + ": " + std::strerror(started.error));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept : pid_(other.pid_) { other.pid_ = -1; }

ChildProcess::~ChildProcess() {
  if (pid_ < 0) return;
  kill_group(SIGKILL);
  wait();
}

void ChildProcess::kill_group(int signal) const {
  if (::kill(-pid_, signal) != 0) ::kill(pid_, signal);
}

std::optional<ChildEnd> ChildProcess::poll() {
  int status = 0;
  if (pid_ < 0 || ::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  pid_ = -1;
  return decode(status);
}

ChildEnd ChildProcess::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return decode(status);
}

void ChildProcess::send(int signal) const {
  if (pid_ > 0) ::kill(pid_, signal);
}

void ChildProcess::stop(std::chrono::milliseconds patience) {
  if (pid_ < 0) return;
  kill_group(SIGTERM);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!poll()) {
    if (std::chrono::steady_clock::now() >= deadline) {
      kill_group(SIGKILL);
      wait();
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

ChildEnd run_captured(const std::vector<std::string>& command, std::string& output) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw UserError(std::string("cannot make a pipe: ") + std::strerror(errno));
  ChildSetup setup;
  setup.command = command;
  setup.output = "/proc/self/fd/" + std::to_string(pipe[1]);
  output.clear();
  std::optional<ChildProcess> child;
  try {
    child.emplace(setup);
  } catch (...) {
    ::close(pipe[0]);
    ::close(pipe[1]);
    throw;
  }
  ::close(pipe[1]);
  std::array<char, 4096> chunk{};
  for (;;) {
    const ssize_t got = ::read(pipe[0], chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    output.append(chunk.data(), static_cast<std::size_t>(got));
  }
  ::close(pipe[0]);
  return child->wait();
}

SignalGate::SignalGate() {
  const sigset_t set = gate_set();
  ::sigprocmask(SIG_BLOCK, &set, &before_);
}

SignalGate::~SignalGate() {
  // A second Ctrl-C that is still pending was meant for what we have just ended.
  const sigset_t set = gate_set();
  const timespec now{};
  while (::sigtimedwait(&set, nullptr, &now) > 0) {
  }
  ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

bool SignalGate::wait(std::chrono::milliseconds time) {
  const sigset_t set = gate_set();
  timespec left{};
  left.tv_sec = time.count() / 1000;
  left.tv_nsec = time.count() % 1000 * 1'000'000;
  const int signal = ::sigtimedwait(&set, nullptr, &left);
  if (signal > 0 && signal != SIGCHLD) interrupted_ = true;
  return interrupted_;
}

}  // namespace vp
