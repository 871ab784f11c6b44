#include "models/common/host_console.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "models/common/error.h"

namespace vp {
namespace {

using std::chrono::milliseconds;

/// A folder of its own for each test.
struct HostConsoleTest : testing::Test {
  HostConsoleTest() {
    char name[] = "/tmp/vp_console_XXXXXX";
    folder = mkdtemp(name);
  }
  ~HostConsoleTest() override {
    for (const char* file : {"/in", "/out"}) std::remove((folder + file).c_str());
    rmdir(folder.c_str());
  }
  std::string drain(Console& console) {
    std::string text;
    std::uint8_t byte = 0;
    while (console.take(byte)) text.push_back(static_cast<char>(byte));
    return text;
  }
  std::string contents(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string folder;
};

TEST_F(HostConsoleTest, FilesOnBothSides) {
  std::ofstream(folder + "/in") << "line\n\xFF";
  HostConsole console(folder + "/in", folder + "/out", {});
  console.begin();
  EXPECT_EQ(drain(console), "line\n\xFF");
  EXPECT_FALSE(console.may_receive_more());
  for (const char c : std::string("a\nb")) console.put(static_cast<std::uint8_t>(c));
  EXPECT_EQ(contents(folder + "/out"), "a\n") << "whole lines are written at once";
  console.flush();
  EXPECT_EQ(contents(folder + "/out"), "a\nb");
}

TEST_F(HostConsoleTest, input_that_nobody_reads_is_read_ahead_by_64_kib_at_most_and_none_is_lost) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
  InputStream stream(ends[0], {});
  const std::string bytes(std::size_t{4} << 20, 'x');
  std::size_t sent = 0;
  for (int quiet = 0; quiet < 20 && sent < bytes.size();) {
    const ssize_t count = write(ends[1], bytes.data(), bytes.size() - sent);
    if (count > 0) sent += static_cast<std::size_t>(count);
    quiet = count > 0 ? 0 : quiet + 1;
    if (count <= 0) std::this_thread::sleep_for(milliseconds(10));
  }
  EXPECT_LT(sent, std::size_t{200} << 10);  // 64 KiB here, 64 KiB in the pipe
  close(ends[1]);
  std::size_t taken = 0;
  std::uint8_t byte = 0;
  for (int look = 0; look < 1000 && taken < sent; ++look) {
    while (stream.take(byte)) ++taken;
    std::this_thread::sleep_for(milliseconds(5));
  }
  EXPECT_EQ(taken, sent);
  close(ends[0]);
}

TEST_F(HostConsoleTest, input_asked_for_after_its_end_is_counted_and_told_of_once) {
  std::ofstream(folder + "/in") << "a";
  HostConsole console(folder + "/in", "", {});
  unsigned told = 0;
  console.on_asked_in_vain([&told] { ++told; });
  EXPECT_EQ(drain(console), "a");
  console.asked_in_vain();
  console.asked_in_vain();
  EXPECT_EQ(console.use().asked_in_vain, 2u);
  EXPECT_EQ(told, 1u);
}

TEST_F(HostConsoleTest, EmptyNamesMeanNothingThere) {
  HostConsole console("", "", {});
  console.begin();
  console.put('x');
  console.flush();
  EXPECT_EQ(drain(console), "");
}

TEST_F(HostConsoleTest, FilesThatCannotBeOpenedAreErrorsOfTheUser) {
  const auto error_of = [](const std::string& input, const std::string& output) {
    try {
      HostConsole console(input, output, {});
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(error_of(folder + "/none", ""), "cannot open " + folder + "/none: No such file or directory");
  EXPECT_EQ(error_of(folder, ""), "cannot read " + folder + ": Is a directory");
  EXPECT_EQ(error_of("", folder + "/none/out"), "cannot write '" + folder + "/none/out': No such file or directory");
}

TEST_F(HostConsoleTest, AFullDiskIsReportedOnce) {
  HostConsole console("", "/dev/full", {});
  console.begin();
  console.put('x');
  EXPECT_THROW(console.flush(), UserError);
  EXPECT_NO_THROW(console.flush());
}

TEST_F(HostConsoleTest, APipeIsReadByAThreadAsItComes) {
  ASSERT_EQ(mkfifo((folder + "/in").c_str(), 0600), 0);
  const int writer = open((folder + "/in").c_str(), O_RDWR);
  std::atomic<int> arrivals{0};
  HostConsole console(folder + "/in", "", [&] { ++arrivals; });
  console.begin();
  EXPECT_TRUE(console.may_receive_more());
  EXPECT_EQ(drain(console), "");
  EXPECT_EQ(arrivals, 0);
  ASSERT_EQ(write(writer, "hi", 2), 2);
  for (int look = 0; look < 1000 && arrivals == 0; ++look) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(drain(console), "hi");
  EXPECT_TRUE(console.may_receive_more());
  close(writer);
}

/// A pseudo-terminal: what the emulated user sees, and the terminal itself.
struct TerminalTest : HostConsoleTest {
  TerminalTest() : user(posix_openpt(O_RDWR | O_NOCTTY)) {
    grantpt(user);
    unlockpt(user);
    name = ptsname(user);
  }
  ~TerminalTest() override { close(user); }
  int user;
  std::string name;
};

TEST_F(TerminalTest, InputComesKeyByKey) {
  HostConsole console(name, name, {});
  console.begin();
  EXPECT_TRUE(console.may_receive_more());
  ASSERT_EQ(write(user, "k\n", 2), 2);
  std::uint8_t key = 0;
  for (int look = 0; look < 1000 && !console.take(key); ++look) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(key, 'k');
  console.put('p');  // written through, without an end of line
  char byte = 0;
  ASSERT_EQ(read(user, &byte, 1), 1);
}

/// Runs action in a child whose controlling terminal is the pseudo-terminal, after switching it to raw input there;
/// returns the local flags of the terminal afterwards, and in `raw` those during.
tcflag_t flags_after_child(const std::string& name, void (*action)(), tcflag_t& raw) {
  int report[2];
  EXPECT_EQ(pipe(report), 0);
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    const int terminal = open(name.c_str(), O_RDWR);  // becomes the controlling terminal
    {
      const RawTerminal raw_terminal(terminal);
      termios settings{};
      tcgetattr(terminal, &settings);
      if (write(report[1], &settings.c_lflag, sizeof settings.c_lflag) < 0) _exit(1);
      action();
    }
    _exit(0);
  }
  raw = 0;
  EXPECT_EQ(read(report[0], &raw, sizeof raw), static_cast<ssize_t>(sizeof raw));
  int status = 0;
  waitpid(child, &status, 0);
  close(report[0]);
  close(report[1]);
  const int terminal = open(name.c_str(), O_RDWR | O_NOCTTY);
  termios settings{};
  tcgetattr(terminal, &settings);
  close(terminal);
  return settings.c_lflag;
}

TEST_F(TerminalTest, a_terminal_is_left_alone_until_the_simulation_starts) {
  ASSERT_EQ(write(user, "mine\n", 5), 5);
  { const HostConsole console(name, name, {}); }
  const int terminal = open(name.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK);
  char line[8] = {};
  EXPECT_EQ(read(terminal, line, sizeof line), 5) << "nobody has read it";
  close(terminal);
}

volatile std::sig_atomic_t aligned = 0;
void look_at_stack(int /*signal*/) { aligned = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) % 16 == 0; }

/// As the ABI has it and handlers need it. QEMU's user mode (7.2) does otherwise on x86-64.
bool handlers_of_signals_have_an_aligned_stack() {
  const auto previous = signal(SIGUSR1, look_at_stack);
  raise(SIGUSR1);
  signal(SIGUSR1, previous);
  return aligned != 0;
}

TEST_F(TerminalTest, RawInputIsTakenBackOnEveryWayOut) {
  if (!handlers_of_signals_have_an_aligned_stack())
    GTEST_SKIP() << "an emulator calls handlers of signals by a wrong stack";
  const int keep = open(name.c_str(), O_RDWR | O_NOCTTY);  // so that the settings outlive the child
  for (void (*action)() : {+[] {}, +[] { std::exit(3); }, +[] { raise(SIGTERM); }, +[] { std::abort(); }}) {
    tcflag_t raw = 0;
    const tcflag_t after = flags_after_child(name, action, raw);
    EXPECT_EQ(raw & (ICANON | ECHO), 0u);
    EXPECT_NE(raw & ISIG, 0u) << "Ctrl-C still interrupts";
    EXPECT_EQ(after & (ICANON | ECHO), static_cast<tcflag_t>(ICANON | ECHO));
  }
  close(keep);
}

TEST_F(TerminalTest, ATerminalInWhoseBackgroundWeAreIsLeftAlone) {
  const int terminal = open(name.c_str(), O_RDWR | O_NOCTTY);
  EXPECT_FALSE(RawTerminal(terminal).active());
  close(terminal);
}

TEST_F(HostConsoleTest, nobody_waits_for_the_null_device) {
  HostConsole console("/dev/null", "", [] {});
  console.begin();
  EXPECT_FALSE(console.may_receive_more());
  EXPECT_EQ(drain(console), "");
}

}  // namespace
}  // namespace vp
