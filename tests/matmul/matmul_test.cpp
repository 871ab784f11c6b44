#include "models/matmul/matmul.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "models/common/tlm_time.h"
#include "models/matmul/host_commands.h"
#include "models/matmul/host_port.h"
#include "models/matmul/loader.h"
#include "models/matmul/messages.h"

namespace vp::matmul {
namespace {

std::vector<std::uint8_t> session() {
  const Script script = parse_script(
      "===META 2 2 ===DATA A 0x100 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 B 0x200 2 0 0 0 0 2 0 0 0 0 2 0 0 0 0 2\n"
      "===TEXT LOAD 0x200 COMP 0x100 0x100 0x300 WRITE 0x300 0x42 TERM",
      "session", {});
  return start_commands(script);
}

void expect_product(const std::vector<std::uint8_t>& bytes) {
  const DecodedBytes decoded = decode_messages(bytes, {});
  ASSERT_EQ(decoded.messages.size(), 1u);
  EXPECT_EQ(decoded.messages[0].header, 0x42);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(decoded.messages[0].words[static_cast<unsigned>(i)], 3 * (i + 1));
}

/// Sends bytes back to back at 115,200 baud and listens.
class Uart : public sc_core::sc_module, public SerialLineEnd {
 public:
  Uart(sc_core::sc_module_name name, std::vector<std::uint8_t> bytes, SerialLineEnd& other)
      : sc_module(name), bytes_(std::move(bytes)), other_(other) {
    SC_HAS_PROCESS(Uart);
    SC_THREAD(run);
  }
  void receive(const SerialFrame& frame) override {
    EXPECT_EQ(frame.start, kernel_time());
    received.push_back(static_cast<std::uint8_t>(frame.symbols));
  }
  void set_clear_to_send(bool, Picoseconds) override {}
  std::vector<std::uint8_t> received;

 private:
  void run() {
    wait(sc_core::sc_time(1, sc_core::SC_US));
    for (std::uint8_t byte : bytes_) {
      const SerialFrame frame{kernel_time(), 8'680'556, static_cast<std::uint16_t>(0x100u | byte), 9};
      other_.receive(frame);
      wait(to_sc_time(frame.end() - kernel_time()));
    }
  }

  std::vector<std::uint8_t> bytes_;
  SerialLineEnd& other_;
};

TEST(Matmul, a_session_over_the_line_multiplies_with_at_most_four_kernel_events_a_byte) {
  Horizon horizon;
  Matmul device("matmul", {}, horizon);
  Uart uart("uart", session(), device.line());
  device.connect(uart);
  const std::uint64_t before = sc_core::sc_delta_count();
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_SEC));
  expect_product(uart.received);
  // Every event at a time of its own costs a delta cycle; the test's own thread takes one a byte.
  EXPECT_LE(sc_core::sc_delta_count() - before, 4 * (session().size() + uart.received.size()));
  EXPECT_EQ(horizon.earliest(), kNever);
}

int connect_to(const std::string& address) {
  const int port = std::stoi(address.substr(address.find(':') + 1));
  const int client = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in target{};
  target.sin_family = AF_INET;
  target.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  target.sin_port = htons(static_cast<std::uint16_t>(port));
  EXPECT_EQ(::connect(client, reinterpret_cast<sockaddr*>(&target), sizeof target), 0);
  return client;
}

/// Talks to the device as a program outside would, until a message has come or half a minute has passed.
std::vector<std::uint8_t> talk(int file) {
  const std::vector<std::uint8_t> bytes = session();
  EXPECT_EQ(::write(file, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  std::vector<std::uint8_t> answer;
  while (answer.size() < 69) {
    pollfd ready{file, POLLIN, 0};
    if (::poll(&ready, 1, 30'000) <= 0) break;
    std::uint8_t buffer[256];
    const ssize_t count = ::read(file, buffer, sizeof buffer);
    if (count <= 0) break;
    answer.insert(answer.end(), buffer, buffer + count);
  }
  return answer;
}

/// Runs the simulation until the outside program has its answer.
void run_with(std::unique_ptr<HostLink> link, const std::function<int(const std::string&)>& open) {
  Horizon horizon;
  HostWake wake;
  const MatmulConfig config;
  Matmul device("matmul", config, horizon);
  HostPort port("port", std::move(link), 1085 * config.clock_period, 10851 * config.clock_period, horizon, wake);
  device.connect(port);
  port.connect(device.line());
  std::vector<std::uint8_t> answer;
  std::atomic<bool> done{false};
  std::thread program([&] {
    const int file = open(port.address());
    answer = talk(file);
    ::close(file);
    done = true;
  });
  while (!done) {  // as the platform does it: simulate until nothing is left to do, then wait for input
    sc_core::sc_start();
    wake.wait(std::chrono::milliseconds(20));
  }
  program.join();
  expect_product(answer);
}

TEST(Matmul, a_program_on_this_host_talks_to_it_over_tcp) { run_with(open_tcp_port(0), connect_to); }

TEST(Matmul, a_program_on_this_host_talks_to_it_over_a_pseudo_terminal) {
  run_with(open_pseudo_terminal(), [](const std::string& name) { return ::open(name.c_str(), O_RDWR | O_NOCTTY); });
}

}  // namespace
}  // namespace vp::matmul
