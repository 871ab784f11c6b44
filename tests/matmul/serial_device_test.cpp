#include "models/matmul/serial_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "models/common/error.h"
#include "models/matmul/host_commands.h"
#include "models/matmul/loader.h"

namespace vp::matmul {
namespace {

class Timer : public VisibleTimer {
 public:
  void set(Picoseconds when) override { next = when; }
  Picoseconds next = kNever;
};

/// A UART's line side that writes down what it hears.
class Listener : public SerialLineEnd {
 public:
  struct Rts {
    bool level;
    Picoseconds when;
  };
  void receive(const SerialFrame& frame) override { frames.push_back(frame); }
  void set_clear_to_send(bool ready, Picoseconds when) override { rts.push_back({ready, when}); }
  std::vector<SerialFrame> frames;
  std::vector<Rts> rts;
};

/// The kernel's part: time passes from event to event.
struct LineBench {
  explicit LineBench(const MatmulConfig& configuration = {}) : config(configuration), device(config, timer) {
    device.connect(uart);
  }

  /// Lets the device's events happen until `time`; counts them.
  void run_until(Picoseconds time) {
    while (timer.next <= time) {
      now = timer.next;
      timer.next = kNever;
      ++events;
      device.fire(now);
    }
    now = std::max(now, time);
  }
  /// An 8N1 byte whose start bit falls now.
  void send(std::uint8_t byte, Picoseconds bit_time) {
    const SerialFrame frame{now, bit_time, static_cast<std::uint16_t>(0x100u | byte), 9};
    device.receive(frame);
    run_until(frame.end());
  }
  void send(const std::vector<std::uint8_t>& bytes, Picoseconds bit_time) {
    for (std::uint8_t byte : bytes) send(byte, bit_time);
  }

  MatmulConfig config;
  Timer timer;
  Listener uart;
  SerialDevice device;
  Picoseconds now = 1'000'000;
  std::uint64_t events = 0;
};

/// 8N1 at 115,200 baud, as exactly as picoseconds allow.
constexpr Picoseconds kBit = 8'680'556;
constexpr Picoseconds kClock = 8000;

std::vector<std::uint8_t> store_and_write() {
  std::vector<std::uint8_t> bytes;
  const auto append = [&](const std::vector<std::uint8_t>& more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
  };
  append(store_block_command(0x100, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, -16}));
  append(store_instruction_command(0, encode({Opcode::write, 1, 0, 0, 0x5a})));
  return bytes;
}

TEST(MatmulSerialDevice, a_message_comes_as_ordinary_frames_with_the_clocks_of_the_device) {
  LineBench bench;
  bench.send(store_and_write(), kBit);
  bench.run_until(bench.now + kBit);  // after a pause the receiver sees a start bit where it falls
  const std::uint64_t start_bit = Clock(kClock).edge_at_or_after(bench.now);
  bench.send(update_command(kEnable0 | kStart0), kBit);
  bench.run_until(bench.now + 100 * 11 * kBit);
  ASSERT_EQ(bench.uart.frames.size(), 69u);
  // Decoded 9S+2 clocks after the start bit; disabled, so fetched 2 later; first start bit 6 after the fetch.
  EXPECT_EQ(bench.uart.frames[0].start, (start_bit + 9 * 1085 + 2 + 2 + 6) * kClock);
  EXPECT_EQ(bench.uart.frames[1].start - bench.uart.frames[0].start, 10851 * kClock);
  EXPECT_EQ(bench.uart.frames[0].bit_time, 1085 * kClock);
  EXPECT_EQ(bench.uart.frames[0].count, 9u);
  EXPECT_EQ(bench.uart.frames[0].symbols, 0x141u);  // least significant bit first, high stop bit
  EXPECT_EQ(bench.uart.frames[4].symbols, 0x15au);
  EXPECT_EQ(bench.uart.frames[65].symbols, 0x1f0u);
}

TEST(MatmulSerialDevice, an_instruction_remembers_who_sent_its_last_byte) {
  LineBench bench;
  std::uint64_t pc = 0x100;
  for (const std::uint8_t byte : store_instruction_command(4, encode({Opcode::write, 1, 0, 0, 0x5a}))) {
    SerialFrame frame{bench.now, kBit, static_cast<std::uint16_t>(0x100u | byte), 9};
    frame.origin = {3, pc += 4};
    bench.device.receive(frame);
    bench.run_until(frame.end());
  }
  bench.run_until(bench.now + 100 * kBit);
  bench.device.catch_up(bench.now);
  const StoredInstruction* const stored = bench.device.core().stored(0, 4);
  ASSERT_NE(stored, nullptr);
  EXPECT_EQ(stored->origin.initiator, 3u);
  EXPECT_EQ(stored->origin.pc, pc);
  EXPECT_EQ(bench.device.core().stored(0, 0), nullptr);
  bench.device.reset(bench.now);
  EXPECT_EQ(bench.device.core().stored(0, 4), nullptr);
}

TEST(MatmulSerialDevice, a_finding_names_who_sent_the_instruction) {
  ErrataLog log;
  log.hang(7, 1, 8, {2, 0x40});
  const auto who = [](const Origin& origin) { return "cpu at pc " + std::to_string(origin.pc); };
  EXPECT_EQ(
      to_text(log.events().at(0), who),
      "late_load_hang at clock 7: the LOAD of thread 1 at pc 8 (sent by cpu at pc 64) was granted while the other "
      "thread computes and takes 2^32 clocks.");
}

/// Bytes understood out of 3000 sent without a pause, at exactly 115,200 baud.
std::uint64_t understood(unsigned stop_bits) {
  LineBench bench;
  for (int i = 0; i < 3000; ++i) {
    SerialFrame frame{bench.now, kBit, static_cast<std::uint16_t>(0x300u | update_command(kEnable0)), 8 + stop_bits};
    bench.device.receive(frame);
    bench.run_until(frame.end());
  }
  EXPECT_EQ(bench.device.late_arrivals(), 0u);
  return bench.device.core().counters().updates;
}

// The device needs 10 symbols and a clock for a frame: 2.4 ns more than a UART at 115,200 baud gives it with one stop
// bit.
TEST(MatmulSerialDevice, a_second_stop_bit_keeps_long_bursts_in_step_and_one_does_not) {
  EXPECT_EQ(understood(2), 3000u);
  EXPECT_GT(understood(1), 1500u);
  EXPECT_LT(understood(1), 2500u);
}

TEST(MatmulSerialDevice, rts_falls_with_the_start_bit_and_rises_when_the_receiver_is_free) {
  LineBench bench;
  ASSERT_EQ(bench.uart.rts.size(), 1u);
  EXPECT_TRUE(bench.uart.rts[0].level);
  const Picoseconds start = bench.now;
  bench.send(0, kBit);
  bench.run_until(start + 11 * kBit);
  ASSERT_EQ(bench.uart.rts.size(), 3u);
  EXPECT_FALSE(bench.uart.rts[1].level);
  EXPECT_EQ(bench.uart.rts[1].when, start);
  EXPECT_TRUE(bench.uart.rts[2].level);
  EXPECT_EQ(bench.uart.rts[2].when, (Clock(kClock).edge_at_or_after(start) + 10850) * kClock);
}

TEST(MatmulSerialDevice, a_byte_costs_at_most_two_events_and_an_idle_line_none) {
  LineBench bench;
  bench.send(store_and_write(), kBit);
  EXPECT_LE(bench.events, 2 * store_and_write().size());
  bench.run_until(bench.now + 20 * kBit);
  const std::uint64_t before = bench.events;
  bench.run_until(bench.now + 1'000'000'000'000);
  EXPECT_EQ(bench.events, before);
  bench.send(update_command(kEnable0 | kStart0), kBit);
  bench.run_until(bench.now + 100 * 11 * kBit);
  EXPECT_LE(bench.events - before, 2u * 70);
}

TEST(MatmulSerialDevice, cts_counts_at_the_clock_at_which_a_byte_would_start) {
  for (const bool low : {false, true}) {
    LineBench bench;
    bench.send(store_and_write(), kBit);
    bench.run_until(bench.now + kBit);
    const std::uint64_t start_bit = Clock(kClock).edge_at_or_after(bench.now);
    const Picoseconds first = (start_bit + 9 * 1085 + 10) * kClock;
    // CTS is low for one clock: that of the first byte's start bit, or the one after it.
    const Picoseconds fall = low ? first : first + kClock;
    bench.device.set_clear_to_send(false, fall);
    bench.device.set_clear_to_send(true, fall + kClock);
    bench.send(update_command(kEnable0 | kStart0), kBit);
    bench.run_until(bench.now + 100 * 11 * kBit);
    EXPECT_EQ(bench.uart.frames.size(), low ? 68u : 69u);
    EXPECT_EQ(bench.device.core().errata().count(ErrataEvent::Kind::cts_byte_loss), low ? 1u : 0u);
  }
}

TEST(MatmulSerialDevice, without_the_cts_defect_a_waiting_byte_starts_with_cts) {
  MatmulConfig config;
  config.errata.cts_byte_loss = false;
  LineBench bench(config);
  bench.device.set_clear_to_send(false, bench.now);
  bench.send(store_and_write(), kBit);
  bench.send(update_command(kEnable0 | kStart0), kBit);
  bench.run_until(bench.now + 1000 * kBit);
  EXPECT_TRUE(bench.uart.frames.empty());
  const Picoseconds rise = Clock(kClock).edge_at_or_after(bench.now) * kClock;
  bench.device.set_clear_to_send(true, rise);
  bench.run_until(rise + 100 * 11 * kBit);
  ASSERT_EQ(bench.uart.frames.size(), 69u);
  EXPECT_EQ(bench.uart.frames[0].start, rise);
}

TEST(MatmulSerialDevice, reset_silences_a_device_that_has_run_ahead) {
  LineBench bench;
  bench.send(store_and_write(), kBit);
  bench.send(update_command(kEnable0 | kStart0), kBit);
  bench.run_until(bench.now + 20 * kBit);
  const std::size_t before = bench.uart.frames.size();
  EXPECT_GT(before, 0u);
  bench.device.reset(bench.now);
  bench.run_until(bench.now + 1000 * kBit);
  EXPECT_EQ(bench.uart.frames.size(), before);
  bench.send(store_and_write(), kBit);
  bench.send(update_command(kEnable0 | kStart0), kBit);
  bench.run_until(bench.now + 1000 * kBit);
  EXPECT_EQ(bench.uart.frames.size(), before + 69);
}

TEST(MatmulSerialDevice, a_wrong_rate_is_misread_and_not_an_error) {
  LineBench bench;
  bench.send(store_and_write(), kBit / 2);
  bench.send(store_and_write(), kBit * 3);
  EXPECT_EQ(bench.device.late_arrivals(), 0u);
}

TEST(MatmulSerialDevice, statistics_name_instructions_bytes_and_errata) {
  LineBench bench;
  bench.send(store_and_write(), kBit);
  bench.send(update_command(kEnable0 | kStart0), kBit);
  bench.run_until(bench.now + 1000 * kBit);
  const Figures figures = bench.device.figures();
  const OpcodeFigures& writes = figures.core.threads[0].instructions[static_cast<std::size_t>(Opcode::write)];
  EXPECT_EQ(writes.count, 1u);
  EXPECT_EQ(writes.clocks, 77u);
  EXPECT_EQ(figures.core.bytes_sent, 69u);
  EXPECT_EQ(figures.core.errata.fifo_byte_loss, 0u);
}

TEST(MatmulConfig, the_default_rate_gives_the_symbol_time_of_the_original) {
  EXPECT_EQ(MatmulConfig().core_config().symbol_clocks, 1085u);
}

TEST(MatmulConfig, impossible_sizes_and_rates_are_refused) {
  const auto refused = [](auto change) {
    MatmulConfig config;
    change(config);
    EXPECT_THROW(config.core_config(), UserError);
  };
  refused([](MatmulConfig& config) { config.baud = 50'000'000; });
  refused([](MatmulConfig& config) { config.memory_words = 65535; });
  refused([](MatmulConfig& config) { config.instruction_words = 100; });
  refused([](MatmulConfig& config) {
    config.mesh = config.tile = 16;
    config.memory_words = 32768;
  });
}

}  // namespace
}  // namespace vp::matmul
