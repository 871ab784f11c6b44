// The MatMul device in the machine and at a port of the host, as a user starts it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/platform/temporary_folder.h"
#include "tests/support/dice.h"
#include "tests/support/rounds.h"
#include "tests/system/program.h"
#include "tests/system/tcp_client.h"

namespace vp {
namespace {

using ::testing::HasSubstr;

class MatmulFirmware : public testing::TestWithParam<const char*> {};

TEST_P(MatmulFirmware, multiplies_by_tiles_over_the_uart_and_finds_the_product_right) {
  for (const char* mesh : {"1", "2", "3"}) {
    const ProgramResult result = run_tinytpu_vp(
        {"run", "--set", std::string("matmul.mesh=") + mesh, firmware(std::string("matmul") + GetParam())});
    EXPECT_EQ(result.exit_code, 0) << result.error;
    EXPECT_THAT(result.out, HasSubstr("70 words, 0 wrong, 0 overruns"));
    EXPECT_THAT(result.error, HasSubstr("hazards: none\n")) << "no defect has struck";
  }
}

INSTANTIATE_TEST_SUITE_P(widths, MatmulFirmware, testing::Values("32", "64"),
                         [](const auto& width) { return std::string("rv") + width.param; });

TEST(MatmulDevice, without_its_line_the_driver_times_out) {
  const ProgramResult result = run_tinytpu_vp({"run", "--serial", "matmul=none", firmware("matmul64")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("timed out"));
}

TEST(MatmulDevice, serial_lines_that_do_not_exist_are_refused) {
  for (const char* bad : {"matmul", "matmul=", "matmul=com1", "matmul=tcp:99999", "uart7=pty"}) {
    const ProgramResult result = run_tinytpu_vp({"run", "--serial", bad, firmware("hello64")});
    EXPECT_EQ(result.exit_code, 2) << bad;
    EXPECT_EQ(result.out, "") << bad;
  }
}

TEST(MatmulDevice, a_console_and_the_device_on_one_uart_are_refused) {
  EXPECT_EQ(run_tinytpu_vp({"run", "--set", "uart1.output=-", firmware("hello64")}).exit_code, 2);
}

TEST(MatmulDevice, alone_at_a_tcp_port_it_serves_a_program_of_this_host_until_ctrl_c) {
  const int port = free_port();
  std::vector<std::uint8_t> answer;
  std::thread program([&] {
    const int socket = connect_when_ready(port);
    // WRITE of page 0 with header 7 at address 0, then start of thread 0.
    const std::uint8_t bytes[] = {0x40, 0, 0, 0, 0, 0x01, 0x1c, 0, 0, 0xc3};
    if (socket < 0 || ::write(socket, bytes, sizeof bytes) != sizeof bytes) return;
    while (answer.size() < 69) {
      pollfd ready{socket, POLLIN, 0};
      std::uint8_t buffer[128];
      if (::poll(&ready, 1, 10'000) <= 0) break;
      const ssize_t count = ::read(socket, buffer, sizeof buffer);
      if (count <= 0) break;
      answer.insert(answer.end(), buffer, buffer + count);
    }
    ::close(socket);
  });
  ProgramInput input;
  input.signal = SIGINT;
  input.signal_after = std::chrono::milliseconds(1500);
  const ProgramResult result = run_tinytpu_vp({"run", "--serial", "matmul=tcp:" + std::to_string(port)}, input);
  program.join();
  EXPECT_EQ(result.exit_code, 130) << result.error;
  EXPECT_THAT(result.error, HasSubstr("matmul: serial line at 127.0.0.1:" + std::to_string(port)));
  EXPECT_THAT(result.error, HasSubstr("matmul.thread0.WRITE.count"));
  ASSERT_EQ(answer.size(), 69u);
  EXPECT_EQ(answer[0], 0x41);
  EXPECT_EQ(answer[4], 7);
}

TEST(MatmulDevice, alone_it_ends_at_a_limit_of_wall_clock_time) {
  const ProgramResult result = run_tinytpu_vp({"run", "--serial", "matmul=pty", "--timeout", "200ms"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.error, HasSubstr("matmul: serial line at /dev/pts/"));
}

/// Where the device alone is served.
enum class Line { tcp, pty };

/// The pseudo-terminal that the program has named on its stderr, which goes into a file; -1 after ten seconds.
int open_terminal_when_ready(const std::string& error_path) {
  const std::string announcement = "serial line at ";
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const std::string error = std::filesystem::exists(error_path) ? TemporaryFolder::read(error_path) : "";
    const std::size_t at = error.find(announcement), end = error.find('\n', std::min(at, error.size()));
    if (end != std::string::npos) {
      const std::string name = error.substr(at + announcement.size(), end - at - announcement.size());
      return ::open(name.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return -1;
}

/// Sends as fast as the other side takes it, and reads whatever comes, until that side is gone.
void talk(int line, const std::vector<std::uint8_t>& bytes) {
  std::size_t sent = 0;
  std::uint8_t buffer[4096];
  while (true) {
    pollfd ready{line, static_cast<short>(sent < bytes.size() ? POLLIN | POLLOUT : POLLIN), 0};
    if (::poll(&ready, 1, 10'000) <= 0 || (ready.revents & (POLLHUP | POLLERR)) != 0) return;
    if ((ready.revents & POLLIN) != 0 && ::read(line, buffer, sizeof buffer) <= 0) return;
    if ((ready.revents & POLLOUT) == 0) continue;
    const ssize_t count = ::write(line, bytes.data() + sent, std::min<std::size_t>(bytes.size() - sent, 512));
    if (count < 0 && errno != EAGAIN) return;
    sent += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
}

/// Serves the device alone; a client sends `bytes`, and `signal` follows `after` the start.
ProgramResult serve(Line line, const std::vector<std::uint8_t>& bytes, std::vector<std::string> options, int signal,
                    std::chrono::milliseconds after) {
  const TemporaryFolder folder;
  const int port = free_port();
  ProgramInput input;
  input.signal = signal;
  input.signal_after = after;
  input.error_path = folder.path("error");
  std::thread program([&] {
    ::signal(SIGPIPE, SIG_IGN);
    const int end = line == Line::tcp ? connect_when_ready(port) : open_terminal_when_ready(input.error_path);
    if (end < 0) return;
    talk(end, bytes);
    ::close(end);
  });
  options.insert(options.begin(),
                 {"run", "--serial", line == Line::tcp ? "matmul=tcp:" + std::to_string(port) : "matmul=pty"});
  const ProgramResult result = run_tinytpu_vp(options, input);
  program.join();
  return result;
}

TEST(MatmulDevice, alone_it_ends_at_a_limit_of_simulated_time_in_the_middle_of_a_byte) {
  const ProgramResult result =
      serve(Line::tcp, std::vector<std::uint8_t>(40, 0), {"--max-time", "2ms", "--timeout", "20s"}, 0, {});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.error, HasSubstr("the limit of simulated time was reached"));
  EXPECT_THAT(result.error, testing::ContainsRegex("run.simulated_time +2,000,000 ns"));
}

TEST(MatmulDevice, alone_it_prints_nothing_of_the_kernels_and_costs_nothing_while_it_waits) {
  const ProgramResult result = run_tinytpu_vp({"run", "--serial", "matmul=pty", "--timeout", "500ms"});
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.error, testing::Not(HasSubstr("W571")));
}

class AnyClient : public testing::TestWithParam<Line> {};

TEST_P(AnyClient, is_served_until_a_signal_or_a_limit_whatever_it_sends) {
  // Most commands are updates, stores and instructions in short: the bytes of a fuzzer that once made it deaf.
  const std::uint8_t usual[] = {0x00, 0x40, 0x80, 0xc3, 0xcf, 0xc0};
  for (Rounds rounds(6); rounds.next();) {
    Dice dice(rounds.seed());
    SCOPED_TRACE("seed " + std::to_string(rounds.seed()));
    std::vector<std::uint8_t> bytes(dice.from_to(1, dice.one_in(4) ? 200'000 : 3000));
    const bool usually = !dice.one_in(3);
    for (std::uint8_t& byte : bytes)
      byte = usually && !dice.one_in(4) ? usual[dice.from_to(0, 5)] : static_cast<std::uint8_t>(dice.from_to(0, 255));
    const auto after = std::chrono::milliseconds(dice.from_to(200, 500));
    const int signal = dice.one_in(4) ? 0 : dice.one_in(2) ? SIGTERM : SIGINT;
    std::vector<std::string> options = {"-q"};
    if (signal == 0) options.insert(options.end(), {"--timeout", std::to_string(after.count()) + "ms"});
    const ProgramResult result = serve(GetParam(), bytes, options, signal, after);
    EXPECT_EQ(result.exit_code, signal == 0 ? 4 : 130) << result.error;
    EXPECT_LT(result.seconds.count(), 3 * kTimeBudget);
    EXPECT_EQ(result.out, "");
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Lines, AnyClient, testing::Values(Line::tcp, Line::pty),
                         [](const auto& line) { return line.param == Line::tcp ? "tcp" : "pty"; });

}  // namespace
}  // namespace vp
