#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "models/matmul/core_config.h"

namespace vp {
class Archive;
}

namespace vp::matmul {

/// The level of the line into the device over time. Idle is high.
class LineLevels {
 public:
  /// The line has this level at edge `from` and all later ones. `from` is at or after every earlier change.
  void set(bool level, std::uint64_t from);
  /// Level that edge `cycle` samples.
  bool at(std::uint64_t cycle) const;
  /// First edge at or after `cycle` that samples low, as far as the line is known; none if it stays high.
  std::optional<std::uint64_t> first_low(std::uint64_t cycle) const;
  /// Edge from which the latest level holds.
  std::uint64_t latest_change() const { return changes_.empty() ? forgotten_until_ : changes_.back().from; }
  /// Forgets changes that no edge at or after `cycle` needs.
  void forget_before(std::uint64_t cycle);
  void persist(Archive& archive);

 private:
  struct Change {
    std::uint64_t from;
    bool level;
    void persist(Archive& archive);
  };
  std::deque<Change> changes_;
  bool before_ = true;  // level before the first change
  std::uint64_t forgotten_until_ = 0;
};

/// The device's serial receiver (README, line): finds the start bit, samples eight data bits most significant first
/// near their middle, and checks nothing.
class Receiver {
 public:
  explicit Receiver(const CoreConfig& config) : symbol_(config.symbol_clocks) {}

  /// Forgets a byte in progress and looks for a start bit from the edge after `cycle` on. The line itself keeps its
  /// level.
  void reset(std::uint64_t cycle);
  void set_line(bool level, std::uint64_t from);
  /// Puts a whole frame of the device's format on the line, start bit first sampled at edge `first`. Then the line is
  /// high.
  void put_frame(std::uint8_t byte, std::uint64_t first);

  /// Edge at which the command decoder sees the byte in progress; ~0 if none is.
  std::uint64_t byte_edge() const;
  /// The byte seen at byte_edge(); the receiver turns to the next one.
  std::uint8_t take();
  /// RTS: the receiver waits for a start bit in the clock after edge `cycle`.
  bool rts(std::uint64_t cycle) const { return cycle >= free_at() || (start_ && cycle < *start_ && !busy(cycle)); }
  /// The edge after which the receiver waits for a start bit again, as far as the line is known; in the past if it
  /// does.
  std::uint64_t free_at() const { return start_ ? *start_ + 10 * std::uint64_t{symbol_} : listening_from_ - 1; }
  /// How long after the edge that samples a start bit the byte has its first effect.
  std::uint64_t latency() const { return 9 * std::uint64_t{symbol_} + 2; }
  const LineLevels& line() const { return line_; }
  void persist(Archive& archive);

 private:
  void look_for_start();
  /// The byte before the one at start_ is still on the line.
  bool busy(std::uint64_t cycle) const { return cycle + 1 < listening_from_; }

  const unsigned symbol_;
  LineLevels line_;
  std::uint64_t listening_from_ = 1;    // first edge that may find a start bit
  std::optional<std::uint64_t> start_;  // edge that sampled (or will sample) the start bit
};

}  // namespace vp::matmul
