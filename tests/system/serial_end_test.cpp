// Consoles at pseudo-terminals and TCP ports of the host, as a user starts them.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "tests/platform/temporary_folder.h"
#include "tests/system/program.h"
#include "tests/system/small_programs.h"
#include "tests/system/tcp_client.h"

namespace vp {
namespace {

using ::testing::HasSubstr;

struct SerialEnd : testing::Test {
  ProgramResult run(const std::string& elf, std::vector<std::string> options, const ProgramInput& input = {}) {
    options.insert(options.begin(), "run");
    options.push_back(folder.write("program.elf", elf));
    return run_tinytpu_vp(options, input);
  }
  /// Where the run says that the line is; waits ten seconds for it.
  std::string address_in(const std::string& log) {
    for (int look = 0; look < 1000; ++look) {
      const std::string text = TemporaryFolder::read(log);
      std::smatch found;
      if (std::regex_search(text, found, std::regex("serial line at (\\S+)\n"))) return found[1];
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return "";
  }
  static std::string read_until(int file, const std::string& end) {
    std::string text;
    pollfd ready{file, POLLIN, 0};
    while (text.find(end) == std::string::npos && ::poll(&ready, 1, 10'000) > 0) {
      char some[256];
      const ssize_t count = ::read(file, some, sizeof some);
      if (count <= 0) break;
      text.append(some, static_cast<std::size_t>(count));
    }
    return text;
  }
  TemporaryFolder folder;
};

TEST_F(SerialEnd, what_is_typed_at_a_pseudo_terminal_reaches_the_guest_and_its_answer_comes_back) {
  ProgramInput input;
  input.error_path = folder.write("log", "");
  std::string answer;
  std::thread person([&] {
    const int terminal = ::open(address_in(input.error_path).c_str(), O_RDWR | O_NOCTTY);
    if (terminal < 0 || ::write(terminal, "typed\n", 6) != 6) return;
    answer = read_until(terminal, "\n");
    ::close(terminal);
  });
  const ProgramResult result = run(echo_program(), {"-q", "--serial", "uart0=pty", "--timeout", "20s"}, input);
  person.join();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(answer, "typed\n");
  EXPECT_EQ(result.out, "") << "the standard output is not the console then";
}

TEST_F(SerialEnd, input_at_a_tcp_port_wakes_a_guest_that_sleeps_in_wfi) {
  const int port = free_port();
  std::thread person([&] {
    const int client = connect_when_ready(port);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // until it sleeps
    EXPECT_EQ(::write(client, "x", 1), 1);
    read_until(client, "never");
    ::close(client);
  });
  const ProgramResult result = run(waiting_program(), {"-q", "--serial", "uart0=tcp:" + std::to_string(port),
                                                       "--max-instructions", "1000", "--timeout", "20s"});
  person.join();
  EXPECT_THAT(result.error, HasSubstr("uart0: serial line at 127.0.0.1:" + std::to_string(port)));
  EXPECT_THAT(result.error, HasSubstr("the limit of 1000 instructions was reached")) << "it has slept for good";
}

TEST_F(SerialEnd, what_the_guest_prints_before_a_client_has_come_waits_for_it) {
  const int port = free_port();
  std::string heard;
  std::thread person([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const int client = connect_when_ready(port);
    EXPECT_EQ(::write(client, "go\n", 3), 3);
    heard = read_until(client, "\n");
    ::close(client);
  });
  EXPECT_EQ(run(echo_program(), {"-q", "--serial", "uart0=tcp:" + std::to_string(port), "--timeout", "20s"}).exit_code,
            0);
  person.join();
  EXPECT_EQ(heard, "go\n");
}

TEST_F(SerialEnd, all_of_a_long_output_reaches_a_reader_also_at_the_end_of_the_run) {
  ProgramInput input;
  input.error_path = folder.write("log", "");
  const std::string text = std::string(3000, 'x') + "the end\n";
  std::string heard;
  std::thread person([&] {
    const int terminal = ::open(address_in(input.error_path).c_str(), O_RDWR | O_NOCTTY);
    heard = read_until(terminal, "the end\n");
    ::close(terminal);
  });
  EXPECT_EQ(run(printing_program(text), {"-q", "--serial", "uart0=pty"}, input).exit_code, 0);
  person.join();
  EXPECT_EQ(heard, text);
}

TEST_F(SerialEnd, sleep_that_input_at_a_terminal_cannot_end_is_noticed) {
  const ProgramResult result = run(sleeping_program(), {"--serial", "uart0=pty", "--timeout", "20s"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.error, HasSubstr("plic: source 10 (uart0) is not enabled"));
  EXPECT_THAT(result.error, HasSubstr("uart0: its input raises no interrupt"));
}

TEST_F(SerialEnd, a_sleep_that_only_input_at_a_terminal_can_end_says_so_after_a_second) {
  const ProgramResult result = run(waiting_program(), {"-q", "--serial", "uart0=pty", "--timeout", "2s"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.error, HasSubstr("only input of uart0 can wake it"));
}

TEST_F(SerialEnd, ctrl_c_ends_a_guest_whose_output_nobody_reads) {
  ProgramInput input;
  input.signal = SIGINT;
  const ProgramResult result = run(spinning_program(), {"-q", "--serial", "uart0=pty"}, input);
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_LT(result.seconds.count(), 3 * kTimeBudget);
}

TEST_F(SerialEnd, ends_that_exclude_each_other_are_refused_in_one_sentence) {
  const std::string file = folder.write("in", "x");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--serial", "uart0=pty", "--uart-input", file}, "--uart-input and --serial uart0=pty exclude each other"},
      {{"--serial", "uart0=tcp:0", "--uart-output", "-"}, "--uart-output and --serial uart0=tcp:0 exclude each other"},
      {{"--serial", "uart0=pty", "--set", "uart0.input=" + file},
       "uart0.input is '" + file + "', but uart0.serial leads the line to pty: only one of them can be"},
      {{"--serial", "uart1=pty"}, "uart1 has a console (uart1.serial) and matmul at its other end: set matmul.serial"},
      {{"--serial", "uart0=uart1"}, "uart0.serial: 'uart1' is none of none, pty and tcp:PORT"},
      {{"--serial", "tpu=pty"},
       "'tpu=pty' names no serial line (allowed: PART=TARGET, where PART is uart0, uart1, matmul)"},
      {{"--serial", "uart0=tcp:70000"}, "tcp:70000"},
  };
  for (const auto& [options, sentence] : cases) {
    const ProgramResult result = run(spinning_program(), options);
    EXPECT_EQ(result.exit_code, 2) << sentence;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.error, HasSubstr(sentence));
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
  }
}

TEST_F(SerialEnd, the_second_uart_has_the_same_ends_when_nothing_else_is_there) {
  const ProgramResult result = run(printing_program(""), {"--serial", "matmul=none", "--serial", "uart1=tcp:0"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.error, HasSubstr("uart1: serial line at 127.0.0.1:"));
}

}  // namespace
}  // namespace vp
