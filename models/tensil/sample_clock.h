#pragma once

#include <cstdint>
#include <deque>
#include <limits>

namespace vp {
class Archive;
}

namespace vp::tensil {

/// The cycles in which samples are taken: every `interval`, beginning with the first one that has an interval. A new
/// interval counts from the next sample on. What comes can be told ahead of the cycles that have been asked for.
class SampleClock {
 public:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

  /// In force from `cycle` on, which is not before that of an earlier call; 0: no samples.
  void set_interval(std::uint32_t interval, std::uint64_t cycle);
  bool running() const { return next_ != kNone || !changes_.empty(); }
  /// The cycle of the next sample; kNone: there is none.
  std::uint64_t next() const { return next_; }
  /// Goes on to the sample behind the next one.
  void advance();
  /// Passes by all samples before `cycle`; returns how many.
  std::uint64_t pass(std::uint64_t cycle);
  /// The cycle in which the next but `count` comes; of a change in between, that instead.
  std::uint64_t after(std::uint64_t count) const;
  /// Stops, at once.
  void reset() { *this = {}; }
  void persist(Archive& archive);

 private:
  struct Change {
    std::uint64_t cycle = 0;
    std::uint32_t interval = 0;
    void persist(Archive& archive);
  };
  void apply_changes();

  std::uint32_t interval_ = 0;  ///< in force at next_
  std::uint64_t next_ = kNone;
  std::deque<Change> changes_;  ///< behind next_
};

}  // namespace vp::tensil
