#pragma once

#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cpu/random_guest.h"
#include "tests/cpu/test_machine.h"
#include "tests/support/dice.h"

namespace vp::cpu {

/// How run() is cut into pieces on the way to a common limit.
enum class Cuts : std::uint8_t {
  same,    ///< of both harts at the same places
  others,  ///< each at places of its own
};

/// A hart with a random guest, a device, and a way of its own to a limit of time.
class LockstepHart {
 public:
  LockstepHart(const CpuConfig& config, const RandomGuest& guest, unsigned seed);

  /// Runs to the instruction boundary at or behind `until`, in pieces that the dice say.
  void run(Picoseconds until, Dice& cuts);
  /// All that can be seen from outside, a line each.
  std::string seen();
  Core& core() { return *machine.core; }

  TestMachine machine;

 private:
  bool device(bool write, std::uint64_t address, void* data, unsigned size, Picoseconds& time);
  void meddle(Dice& cuts);

  std::ostringstream log_;  ///< of the device
  unsigned reads_ = 0;
};

/// Two harts that are to show the same, after each of many random stimuli.
class Lockstep {
 public:
  /// `left` and `right` may differ in what changes nothing that can be seen.
  Lockstep(unsigned seed, const CpuConfig& left, const CpuConfig& right, Cuts cuts);

  /// One stimulus, then both go on to a new limit. The first difference as text, or nothing.
  std::string step();
  std::string memory_difference() const;
  LockstepHart& left() { return left_; }
  LockstepHart& right() { return right_; }

 private:
  void stimulus();
  template <typename Do>
  void both(Do make) {
    make(left_.core());
    make(right_.core());
  }

  Dice dice_, left_cuts_, right_cuts_;
  const RandomGuest guest_;
  LockstepHart left_, right_;
};

/// Settings of all kinds that matter to the speed and the time of code, by a seed.
CpuConfig lockstep_settings(unsigned seed);

}  // namespace vp::cpu
