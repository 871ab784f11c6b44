#include "models/virtio/terminal.h"

#include <string>

#include "tests/support/saved_state.h"
#include "tests/virtio/bench.h"

namespace vp {
namespace {

using virtio::Terminal;

constexpr std::uint64_t kText = 0x10000;

/// A console of the test: what was sent, and what is to be received.
struct TestConsole : Console {
  void put(std::uint8_t byte) override { sent.push_back(static_cast<char>(byte)); }
  bool take(std::uint8_t& byte) override {
    if (input.empty()) return false;
    byte = static_cast<std::uint8_t>(input.front());
    input.erase(0, 1);
    return true;
  }
  std::string sent, input;
};

class TerminalBench : public VirtioBench<Terminal, virtio::TerminalConfig> {
 public:
  TerminalBench() {
    core.behind.connect(console);
    set_up(8);
  }
  void offer_receive(std::uint32_t bytes) {
    ring(Terminal::kReceive).offer(0, {{kText, bytes, true}});
    notify(Terminal::kReceive);
  }
  void arrive(const std::string& text) {
    console.input += text;
    core.device_ready(Terminal::kReceive, now());
  }
  std::string received(unsigned index) {
    const auto first = port.memory.begin() + kText;
    return {first, first + ring(Terminal::kReceive).used_bytes(index)};
  }
  void send(const std::string& text) {
    std::copy(text.begin(), text.end(), port.memory.begin() + kText + 0x8000);
    ring(Terminal::kTransmit).offer(0, {{kText + 0x8000, static_cast<std::uint32_t>(text.size()), false}});
    notify(Terminal::kTransmit);
  }

  TestConsole console;
};

TEST(VirtioConsole, sends_what_the_guest_offers) {
  TerminalBench bench;
  bench.send("hello");
  bench.run();
  bench.send(std::string(500, 'x'));
  bench.run();
  EXPECT_EQ(bench.console.sent, "hello" + std::string(500, 'x'));
  EXPECT_EQ(bench.ring(Terminal::kTransmit).used_bytes(1), 0u) << "it has written nothing";
  EXPECT_EQ(bench.core.behind.figures().sent, 505u);
}

TEST(VirtioConsole, keeps_a_buffer_until_there_is_input) {
  TerminalBench bench;
  bench.offer_receive(64);
  bench.run();
  EXPECT_EQ(bench.ring(Terminal::kReceive).used(), 0);
  EXPECT_TRUE(bench.edges.empty());
  bench.arrive("ls\n");
  bench.run();
  EXPECT_EQ(bench.received(0), "ls\n");
  EXPECT_EQ(bench.edges.size(), 1u);
}

TEST(VirtioConsole, keeps_input_until_there_is_a_buffer) {
  TerminalBench bench;
  bench.arrive("abcdef");
  bench.run();
  bench.offer_receive(4);
  bench.run();
  EXPECT_EQ(bench.received(0), "abcd");
  bench.offer_receive(4);
  bench.run();
  EXPECT_EQ(bench.received(1), "ef");
}

TEST(VirtioConsole, loses_no_input_when_the_driver_resets_it_at_any_moment) {
  for (unsigned moment = 0; moment < 20; ++moment) {
    TerminalBench bench;
    bench.offer_receive(8);
    bench.arrive("abc");
    bench.run(moment);
    const bool given = bench.core.behind.figures().received != 0;
    bench.set_up(8);
    bench.offer_receive(8);
    bench.run();
    if (!given) {
      EXPECT_EQ(bench.received(0), "abc") << moment;
    }
  }
}

TEST(VirtioConsole, goes_on_with_a_queue_when_the_other_is_stopped) {
  for (unsigned moment = 0; moment < 20; ++moment) {
    TerminalBench bench;
    bench.offer_receive(8);
    bench.arrive("abc");
    bench.send("hello");
    bench.run(moment);
    bench.write(QueueSel, Terminal::kTransmit);
    bench.write(QueueReady, 0);
    bench.run();
    EXPECT_EQ(bench.received(0), "abc") << moment;
    EXPECT_EQ(bench.ring(Terminal::kReceive).used(), 1) << moment;
    EXPECT_EQ(bench.core.broken_conservation(), "");
    EXPECT_FALSE(bench.needs_reset());
  }
}

TEST(VirtioConsole, sends_an_emergency_byte_without_a_driver) {
  TerminalBench bench;
  bench.write(Status, 0);
  bench.write(Config + 8, '!');
  EXPECT_EQ(bench.console.sent, "!");
}

TEST(VirtioConsole, refuses_buffers_of_the_wrong_direction) {
  TerminalBench bench;
  bench.ring(Terminal::kTransmit).offer(0, {{kText, 4, true}});
  bench.notify(Terminal::kTransmit);
  bench.run();
  EXPECT_TRUE(bench.needs_reset());
  TerminalBench other;
  other.arrive("x");
  other.ring(Terminal::kReceive).offer(0, {{kText, 4, false}});
  other.notify(Terminal::kReceive);
  other.run();
  EXPECT_TRUE(other.needs_reset());
}

}  // namespace
}  // namespace vp
