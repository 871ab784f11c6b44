#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "models/uart/uart_core.h"
#include "tests/support/register_access.h"

namespace vp {

inline constexpr std::uint64_t kRbr = 0, kThr = 0, kIer = 1, kIir = 2, kFcr = 2, kLcr = 3, kMcr = 4, kLsr = 5, kMsr = 6,
                               kScr = 7;
inline constexpr std::uint64_t kDll = 0, kDlm = 1;

struct TextConsole : Console {
  void put(std::uint8_t byte) override { output.push_back(static_cast<char>(byte)); }
  bool take(std::uint8_t& byte) override {
    if (input.empty()) return false;
    byte = static_cast<std::uint8_t>(input.front());
    input.erase(0, 1);
    return true;
  }
  std::string input, output;
};

/// The other end of a line: keeps what it gets.
struct RecordingLine : SerialLineEnd {
  void receive(const SerialFrame& frame) override { frames.push_back(frame); }
  void set_clear_to_send(bool ready, Picoseconds when) override { ready_changes.emplace_back(when, ready); }
  std::vector<SerialFrame> frames;
  std::vector<std::pair<Picoseconds, bool>> ready_changes;
};

/// A UART with 1.6 MHz, so that divisor d means bits of 10 × d µs.
struct UartFixture : testing::Test {
  static UartConfig config(bool baud_timing) {
    UartConfig c;
    c.clock_frequency = 1'600'000;
    c.baud_timing = baud_timing;
    return c;
  }
  std::uint8_t read(std::uint64_t offset) { return static_cast<std::uint8_t>(bus->read(offset, 1)); }
  void write(std::uint64_t offset, unsigned value) { bus->write(offset, value, 1); }
  /// Lets time pass with the device's own events at their times, as the kernel does.
  void pass_until(Picoseconds time) {
    while (timer.when <= time) {
      const Picoseconds due = timer.when;
      timer.when = kNever;
      uart->timer_due(due);
    }
    bus->now = time;
  }
  void set_divisor(unsigned divisor) {
    const unsigned lcr_value = read(kLcr);
    write(kLcr, lcr_value | 0x80);
    write(kDll, divisor & 0xFF);
    write(kDlm, divisor >> 8);
    write(kLcr, lcr_value & 0x7F);
  }
  void build(bool baud_timing) {
    uart = std::make_unique<UartCore>(config(baud_timing), timer);
    bus = std::make_unique<RegisterAccess>(*uart);
  }
  bool interrupts() const { return uart->interrupt.level(); }

  RecordingTimer timer;
  std::unique_ptr<UartCore> uart;
  std::unique_ptr<RegisterAccess> bus;
};

}  // namespace vp
