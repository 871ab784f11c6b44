#pragma once

#include <array>
#include <cstdint>

#include "models/tinytpu/edge.h"

namespace vp {
class Archive;
}

namespace vp::tinytpu {

enum class Unit : std::uint8_t { weights, multiply, activate };
inline constexpr unsigned kUnits = 3;

/// Why nothing new starts in a cycle. The coordinator holds at most one instruction; what it waits for is the cause.
enum class Wait : std::uint8_t {
  fill,           ///< instructions are on their way through the pipeline in front of the units
  weights_busy,   ///< a read_weights waits for the one before it
  multiply_busy,  ///< a multiply or an activate waits for a multiply
  activate_busy,  ///< an activate waits for the one before it
  synchronize,    ///< a synchronize waits for all units
  successor,      ///< a read_weights in the look-ahead stage waits for a successor
  empty,          ///< there is no instruction: idle
};
inline constexpr unsigned kWaits = 7;

/// The name of a unit and of a cause as statistics and timelines show them; Wait::empty is "idle".
const char* name_of(Unit unit);
const char* name_of(Wait wait);
/// What they mean, in words: "systolic array".
const char* meaning_of(Unit unit);
const char* meaning_of(Wait wait);

struct CycleFigures;

/// Where the cycles of the three units went: each cycle of each unit is either busy, or stalled for one cause, or idle
/// (no instruction anywhere in front of the units). A unit is busy as the hardware's busy flag says, issue + 1 to issue
/// + L + 3.
class Activity {
 public:
  /// Cycles first..last were spent waiting for `wait`; `free_from[u]` is the first cycle in which unit u is not busy.
  void add(Wait wait, Edge first, Edge last, const std::array<Edge, kUnits>& free_from) {
    const std::uint64_t cycles = last - first + 1;
    total_ += cycles;
    for (unsigned unit = 0; unit < kUnits; ++unit) {
      const Edge end = free_from[unit] <= last ? free_from[unit] : last + 1;
      const std::uint64_t busy = end > first ? end - first : 0;
      busy_[unit] += busy;
      waiting_[unit][static_cast<unsigned>(wait)] += cycles - busy;
    }
  }

  std::uint64_t total() const { return total_; }
  std::uint64_t busy(Unit unit) const { return busy_[static_cast<unsigned>(unit)]; }
  std::uint64_t waiting(Unit unit, Wait wait) const {
    return waiting_[static_cast<unsigned>(unit)][static_cast<unsigned>(wait)];
  }
  /// Sum over all causes but `empty`.
  std::uint64_t stalled(Unit unit) const;

  /// std::logic_error if busy, stall and idle do not add up.
  CycleFigures figures() const;
  void persist(Archive& archive);

 private:
  std::uint64_t total_ = 0;
  std::array<std::uint64_t, kUnits> busy_{};
  std::array<std::array<std::uint64_t, kWaits>, kUnits> waiting_{};
};

}  // namespace vp::tinytpu
