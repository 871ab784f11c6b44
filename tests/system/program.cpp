#include "tests/system/program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <thread>

namespace vp {

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

/// Files without a name take the program's output, so that no pipe can fill up and block it.
File temporary() {
  File file(std::tmpfile());
  if (!file) throw std::runtime_error("cannot make a temporary file");
  return file;
}

File file_at(const std::string& path) {
  File file(std::fopen(path.c_str(), "w+"));
  if (!file) throw std::runtime_error("cannot make " + path);
  return file;
}

struct Pipe {
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  }
  ~Pipe() {
    for (const int end : ends) close(end);
  }
  /// Nobody will read it.
  void fill() const {
    const std::array<char, 4096> bytes{};
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    for (const std::size_t size : {bytes.size(), std::size_t{1}})
      while (write(ends[1], bytes.data(), size) > 0) continue;
    fcntl(ends[1], F_SETFL, 0);
  }
  int ends[2] = {-1, -1};
};

std::string content_of(const File& file) {
  std::string content;
  std::array<char, 4096> chunk;
  std::rewind(file.get());
  while (const std::size_t got = std::fread(chunk.data(), 1, chunk.size(), file.get()))
    content.append(chunk.data(), got);
  return content;
}

[[noreturn]] void become(const std::vector<std::string>& arguments, const ProgramInput& input, int in, int out,
                         int error) {
  if (!input.out_path.empty()) out = open(input.out_path.c_str(), O_WRONLY);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(error, STDERR_FILENO);
  for (const int descriptor : input.closed) close(descriptor);
  if (input.largest_file != 0) {
    const rlimit limit{input.largest_file, input.largest_file};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  for (const std::string& variable : input.environment) putenv(const_cast<char*>(variable.c_str()));
  std::vector<char*> words = {const_cast<char*>(TINYTPU_VP_PROGRAM)};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(words[0], words.data());
  _exit(127);
}

/// Bit by signal, lowest for 1: those that the process has handlers for (proc(5)).
std::uint64_t caught_by(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  const std::string field = "SigCgt:";
  for (std::string line; std::getline(status, line);)
    if (line.compare(0, field.size(), field) == 0) return std::stoull(line.substr(field.size()), nullptr, 16);
  return 0;
}

/// However slowly it starts, unless it ends before, or takes so long that it is not going to have one.
void wait_until_caught(pid_t process, int signal) {
  siginfo_t ended{};
  const auto latest = std::chrono::steady_clock::now() + std::chrono::duration<double>(1.5 * kTimeBudget);
  while (std::chrono::steady_clock::now() < latest &&
         waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0) {
    if (caught_by(process) >> (signal - 1) & 1) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace

ProgramResult run_tinytpu_vp(const std::vector<std::string>& arguments, const ProgramInput& input) {
  const File in = temporary();
  const File out = temporary();
  const File error = input.error_path.empty() ? temporary() : file_at(input.error_path);
  std::fwrite(input.text.data(), 1, input.text.size(), in.get());
  std::rewind(in.get());
  const auto started = std::chrono::steady_clock::now();
  const Pipe silent, full;
  if (input.full_output || input.full_error) full.fill();
  const int child_input = input.open_end ? silent.ends[0] : fileno(in.get());
  const int child_output = input.full_output ? full.ends[1] : fileno(out.get());
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0)
    become(arguments, input, child_input, child_output, input.full_error ? full.ends[1] : fileno(error.get()));
  if (input.signal != 0) {
    wait_until_caught(child, input.signal);
    std::this_thread::sleep_for(input.signal_after);
    kill(child, input.signal);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  ProgramResult result;
  result.seconds = std::chrono::steady_clock::now() - started;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = content_of(out);
  result.error = content_of(error);
  return result;
}

std::string firmware(const std::string& name) { return TINYTPU_VP_FIRMWARE_FOLDER "/" + name + ".elf"; }

}  // namespace vp
