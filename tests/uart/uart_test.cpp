// The UART as a module: kernel events, line between two UARTs, input from a thread.
#include "models/uart/uart.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "models/common/tlm_time.h"
#include "tests/support/socket_modules.h"
#include "tests/support/thread_module.h"

namespace vp {
namespace {

UartConfig quiet() {
  UartConfig config;
  config.input = config.output = "";
  return config;
}

TEST(UartLine, TwoUartsTalkToEachOther) {
  Horizon horizon;
  HostWake wake;
  const StopRequest stop;
  Uart a("a", quiet(), horizon, wake, stop), b("b", quiet(), horizon, wake, stop);
  a.connect_line(b.line_end());
  b.connect_line(a.line_end());
  InitiatorModule to_a("to_a"), to_b("to_b");
  to_a.socket.bind(a.socket);
  to_b.socket.bind(b.socket);
  std::vector<Picoseconds> interrupts;
  b.bind_interrupt([&](bool level) {
    if (level) interrupts.push_back(kernel_time());
  });
  simulate([&] {
    Picoseconds now = 0;
    const auto write = [&](InitiatorModule& to, std::uint64_t offset, std::uint8_t value) {
      EXPECT_EQ(to.socket.write(offset, &value, 1, now), AccessResult::ok);
    };
    for (InitiatorModule* to : {&to_a, &to_b}) write(*to, 3, 0x03), write(*to, 2, 0x01);
    write(to_b, 1, 0x01);
    for (const char c : std::string("serial")) write(to_a, 0, static_cast<std::uint8_t>(c));
    std::string got;
    for (int i = 0; i < 6; ++i) {
      synchronize(horizon, kernel_time() + 87'000'000);
      now = kernel_time();
      std::uint8_t byte = 0;
      to_b.socket.read(0, &byte, 1, now);
      got.push_back(static_cast<char>(byte));
    }
    EXPECT_EQ(got, "serial");
    ASSERT_EQ(interrupts.size(), 6u);
    EXPECT_EQ(interrupts[0], 19 * Picoseconds{8'680'556} / 2) << "the middle of the stop bit at 115,200 baud";
    EXPECT_EQ(interrupts[1], 10 * Picoseconds{8'680'556} + 19 * Picoseconds{8'680'556} / 2);
  });
}

/// A guest that has enabled the interrupt and sleeps, and what somebody writes at the other end of its console.
void expect_input_to_wake(const UartConfig& config, const std::function<void(const std::string& address)>& write) {
  Horizon horizon;
  HostWake wake;
  const StopRequest stop;
  Uart uart("uart", config, horizon, wake, stop);
  InitiatorModule initiator("initiator");
  initiator.socket.bind(uart.socket);
  bool interrupted = false;
  uart.bind_interrupt([&](bool level) { interrupted = interrupted || level; });
  TestThread guest("guest", [&] {
    Picoseconds now = 0;
    const std::uint8_t enable = 1;
    initiator.socket.write(1, &enable, 1, now);
    sc_core::wait();  // as a hart in wfi without timers
  });
  sc_core::sc_start();
  EXPECT_FALSE(interrupted);
  EXPECT_TRUE(uart.console()->may_receive_more());
  write(uart.console()->address());
  // The reading thread needs processor time of its own, which a busy host may take long to give.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!interrupted && std::chrono::steady_clock::now() < deadline) {
    wake.wait(std::chrono::milliseconds(100));
    sc_core::sc_start();
  }
  EXPECT_TRUE(interrupted);
}

TEST(UartThread, input_of_a_pipe_wakes_a_simulation_that_has_nothing_else_to_do) {
  char folder[] = "/tmp/vp_uart_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  const std::string path = std::string(folder) + "/in";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int writer = open(path.c_str(), O_RDWR);
  UartConfig config = quiet();
  config.input = path;
  expect_input_to_wake(config, [writer](const std::string&) { ASSERT_EQ(write(writer, "!", 1), 1); });
  close(writer);
  std::remove(path.c_str());
  rmdir(folder);
}

TEST(UartThread, a_key_at_a_pseudo_terminal_wakes_a_simulation_that_has_nothing_else_to_do) {
  UartConfig config = quiet();
  config.serial = "pty";
  int terminal = -1;
  expect_input_to_wake(config, [&terminal](const std::string& address) {
    terminal = open(address.c_str(), O_RDWR | O_NOCTTY);
    ASSERT_EQ(write(terminal, "!", 1), 1);
  });
  close(terminal);
}

}  // namespace
}  // namespace vp
