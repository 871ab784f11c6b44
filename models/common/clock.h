#pragma once

#include <cstdint>

namespace vp {

/// Time in picoseconds since the start of the simulation. All models compute in it; 2^64 ps are 213 days.
using Picoseconds = std::uint64_t;

/// Later than any event: "never".
inline constexpr Picoseconds kNever = ~Picoseconds{0};

/// A clock domain: rising edge number c (the first is edge 0) is at time c × period.
class Clock {
 public:
  /// period: picoseconds, at least 1.
  constexpr explicit Clock(Picoseconds period) : period_(period) {}

  constexpr Picoseconds period() const { return period_; }
  /// Time of edge `cycle`.
  constexpr Picoseconds time_of(std::uint64_t cycle) const { return cycle * period_; }
  /// First edge at or after `time`.
  constexpr std::uint64_t edge_at_or_after(Picoseconds time) const { return time / period_ + (time % period_ != 0); }
  /// Last edge at or before `time`.
  constexpr std::uint64_t edge_at_or_before(Picoseconds time) const { return time / period_; }

 private:
  Picoseconds period_;
};

}  // namespace vp
