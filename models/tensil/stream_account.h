#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/tensil/activity.h"

namespace vp {
class Archive;
}

namespace vp::tensil {

/// What the instructions of a program are at, or wait for, one after another.
enum class HeldUp : std::uint8_t {
  array,
  simd,
  accumulator_moves,
  port_dram0,
  port_dram1,
  instructions,  ///< such as keep no unit busy
  stream,        ///< the next one had not come, though its packet had begun
  host_feed,     ///< the next packet of the program had not begun
};
inline constexpr unsigned kHeldUp = 8;
const char* name_of(HeldUp cause);

/// Where the time of one thread went: each half cycle once, from the first packet of each program to its last effect,
/// and idle time between programs. While instructions are waited for, the array that drains and SIMD ALUs that work
/// count first.
class StreamAccount {
 public:
  using Half = std::uint64_t;
  /// Sums over time, in half cycles: the causes, then idle time.
  struct Sums {
    std::array<Half, kHeldUp> held{};
    Half idle = 0;
    Half under_way = 0;                ///< of these, those of an instruction that has not ended
    HeldUp at = HeldUp::instructions;  ///< what that one is at

    Half programs() const;
    Half total() const { return programs() + idle; }
    Half& of(HeldUp cause) { return held[static_cast<unsigned>(cause)]; }
  };

  /// The next instruction comes in a packet that began at `since`; goes_on: it belongs to the program of those before
  /// it.
  void comes(Half since, bool goes_on);
  /// An instruction is decoded.
  void began(Activity activity, Half asked);
  /// It was at that from `begin` to `end`, after waiting for SIMD ALUs and the array from `asked` on. They are free
  /// then.
  void ended(Activity activity, Half asked, Half begin, Half end, Half array_free, Half simd_free);
  /// Everything starts anew at `now`.
  void reset(Half now);

  /// All up to `now`, or to where the newest instruction ends if that is later.
  Sums until(Half now) const;
  /// Half cycles of instructions, without what was waited for between them.
  Half taken() const { return taken_; }
  void persist(Archive& archive);

 private:
  void fill(Sums& sums, Half from, Half to) const;
  void add(Sums& sums, Activity activity, Half asked, Half begin, Half end) const;

  Sums sums_;
  Half at_ = 0;  ///< up to where they go
  Half taken_ = 0;
  Half since_ = 0;  ///< of the instruction that comes next
  bool goes_on_ = false;
  bool working_ = false;  ///< an instruction is under way
  Activity activity_ = Activity::no_op;
  Half asked_ = 0;
  Half array_free_ = 0, simd_free_ = 0;
};

}  // namespace vp::tensil
