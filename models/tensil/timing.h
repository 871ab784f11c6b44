#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/tensil/activity.h"
#include "models/tensil/architecture.h"
#include "models/tensil/isa.h"

namespace vp::tensil {

/// When instructions start and end. The hardware runs the instructions of one thread one after another; only SIMD
/// instructions are queued, and the array drains beside what does not ask for its results. Two threads overlap
/// transfers and compute; no hardware of that kind was ever measured.
///
/// Time is kept in half cycles, since SIMD instructions without a read take one and a half in the mean.
class Timing {
 public:
  explicit Timing(const Architecture& architecture);

  /// The cycle in which the instruction starts.
  std::uint64_t start(const Instruction& in, Activity activity);
  /// After start(): it moves `vectors`; port_cycles: for a DRAM transfer how long the port takes, `beats` of them being
  /// its data.
  void finish(const Instruction& in, Activity activity, std::uint64_t vectors, std::uint64_t port_cycles = 0,
              std::uint64_t beats = 0);

  /// Of the latest instruction: the cycle in which it began, and the one behind its last.
  std::uint64_t begun() const { return cycle_of(begin_); }
  std::uint64_t ended() const { return cycle_of(end_); }
  /// Cycles until everything has ended, from the first instruction on.
  std::uint64_t cycles() const;
  const ActivityCounts& counts() const { return counts_; }

  /// Samples are taken every `interval` cycles, none if it is zero.
  void set_sample_interval(std::uint32_t interval) { sample_interval_ = interval; }

 private:
  using Half = std::uint64_t;

  static std::uint64_t cycle_of(Half time) { return time / 2 + time % 2; }

  struct Thread {
    Half free = 0;            ///< when its next instruction may start
    std::deque<Half> starts;  ///< of the last instructions, as many as it looks ahead
  };

  Half ready(const Instruction& in, Activity activity);
  Half queue_simd(const Instruction& in, Half work);
  Half work_of(const Instruction& in, Activity activity, std::uint64_t vectors) const;
  Half& unit(Activity activity);
  void count_samples(ActivityCount& count, Half from, Half to);

  unsigned array_size_;
  unsigned queue_depth_;
  std::vector<Thread> threads_;
  std::array<Half, 3> units_{};  ///< compute, DRAM0 port, DRAM1 port: when they are free
  Half dispatched_ = 0;          ///< of the newest instruction, when its thread's queue took it
  Half begin_ = 0;               ///< of the instruction between start() and finish()
  Half end_ = 0;                 ///< of the latest one
  Half asked_ = 0;               ///< when it would have begun but for the array
  Half drain_ = 0;               ///< what the array still has to drain after the last MatMul
  Half array_free_ = 0;
  Half simd_free_ = 0;
  std::deque<Half> simd_queue_;  ///< ends of the newest SIMD instructions
  std::uint32_t sample_interval_ = 0;
  ActivityCounts counts_;
};

}  // namespace vp::tensil
