#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/tinytpu/edge.h"
#include "models/tinytpu/isa.h"

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
  host,           ///< a program is under way, and the host has not pushed its next instruction
  empty,          ///< there is no instruction. What the sequencer tells; Activity finds out which of it is `host`
};
inline constexpr unsigned kWaits = 8;

/// What held the device up in a cycle, as a whole: each cycle has one cause. In cycles in which nothing waits for a
/// unit it is the unit that works longest, if one does.
enum class HeldUp : std::uint8_t {
  weights,      ///< the weight loader was at work
  multiply,     ///< the systolic array was at work
  activate,     ///< the activation unit was at work
  synchronize,  ///< no unit was at work, but its last rows were on their way, for which a synchronize waited
  issue,        ///< an instruction was on its way to the units
  host_feed,    ///< the host had not pushed the next instruction
  idle,         ///< no program was under way
};
inline constexpr unsigned kHeldUps = 7;

/// The name of a unit and of a cause as statistics and timelines show them; Wait::empty is "idle".
const char* name_of(Unit unit);
const char* name_of(Wait wait);
const char* name_of(HeldUp cause);
/// What they mean, in words: "systolic array".
const char* meaning_of(Unit unit);
const char* meaning_of(Wait wait);
const char* meaning_of(HeldUp cause);

struct CycleFigures;

/// Where the cycles went: each cycle of each unit is either busy, or stalled for one cause, or idle; and each cycle of
/// the device as a whole has one cause. A unit is busy as the hardware's busy flag says, issue + 1 to issue + L + 3. A
/// program is under way from the fetch of its first instruction to its synchronize: cycles without an instruction in
/// between wait for the host. Without a synchronize it ends with the work of its last instruction.
class Activity {
 public:
  /// Cycles first..last were spent waiting for `wait`; `free_from[u]` is the first cycle in which unit u is not busy.
  void add(Wait wait, Edge first, Edge last, const std::array<Edge, kUnits>& free_from) {
    const std::uint64_t cycles = last - first + 1;
    total_ += cycles;
    if (wait != Wait::empty) program_goes_on();
    // Whether these cycles waited for the host is known when the next instruction comes.
    auto& waiting = wait == Wait::empty && under_way_ ? open_ : waiting_[static_cast<unsigned>(wait)];
    unsigned longest = 0;
    std::uint64_t most = 0;
    for (unsigned unit = 0; unit < kUnits; ++unit) {
      const Edge end = free_from[unit] <= last ? free_from[unit] : last + 1;
      const std::uint64_t busy = end > first ? end - first : 0;
      busy_[unit] += busy;
      waiting[unit] += cycles - busy;
      if (busy > most) {
        most = busy;
        longest = unit;
      }
    }
    const HeldUp cause = cause_of(wait);
    if (cause <= HeldUp::activate) {
      held_up_[static_cast<unsigned>(cause)] += cycles;
      return;
    }
    held_up_[longest] += most;
    (cause == HeldUp::idle && under_way_ ? open_cycles_ : held_up_[static_cast<unsigned>(cause)]) += cycles - most;
  }
  /// An instruction was handed to its unit. With a synchronize the program ends.
  void issued(InstructionKind kind) { under_way_ = kind != InstructionKind::synchronize; }
  /// The program is lost.
  void reset();

  std::uint64_t total() const { return total_; }
  std::uint64_t busy(Unit unit) const { return busy_[static_cast<unsigned>(unit)]; }
  std::uint64_t waiting(Unit unit, Wait wait) const;
  std::uint64_t held_up(HeldUp cause) const;
  /// Sum over all causes but `empty`.
  std::uint64_t stalled(Unit unit) const;
  /// Empty, or which of the accounts does not add up to the total.
  std::string broken_conservation() const;

  CycleFigures figures() const;
  void persist(Archive& archive);

 private:
  static HeldUp cause_of(Wait wait) {
    constexpr HeldUp kCauses[kWaits] = {HeldUp::issue,       HeldUp::weights,   HeldUp::multiply,  HeldUp::activate,
                                        HeldUp::synchronize, HeldUp::host_feed, HeldUp::host_feed, HeldUp::idle};
    return kCauses[static_cast<unsigned>(wait)];
  }
  void program_goes_on() {
    if (open_cycles_ == 0 && open_ == decltype(open_){}) return;
    for (unsigned unit = 0; unit < kUnits; ++unit) waiting_[static_cast<unsigned>(Wait::host)][unit] += open_[unit];
    held_up_[static_cast<unsigned>(HeldUp::host_feed)] += open_cycles_;
    open_ = {};
    open_cycles_ = 0;
  }

  std::uint64_t total_ = 0;
  std::array<std::uint64_t, kUnits> busy_{};
  std::array<std::array<std::uint64_t, kUnits>, kWaits> waiting_{};
  std::array<std::uint64_t, kHeldUps> held_up_{};
  bool under_way_ = false;
  // Since the last instruction of a program that has not ended; idle unless another one follows.
  std::array<std::uint64_t, kUnits> open_{};
  std::uint64_t open_cycles_ = 0;
};

}  // namespace vp::tinytpu
