#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "models/tensil/activity.h"
#include "models/tensil/architecture.h"
#include "models/tensil/isa.h"
#include "models/tensil/sample_clock.h"
#include "models/tensil/stream_account.h"

namespace vp {
class Archive;
}

namespace vp::tensil {

/// Samples by what the TCU was at.
struct SampleCounts {
  std::array<std::uint64_t, kOperations * 16> instructions{};  ///< by operation and flags
  std::uint64_t between = 0;                                   ///< of one thread: while there was no instruction

  std::uint64_t& of(const Instruction& in) {
    return instructions[static_cast<unsigned>(in.operation) * 16 + (in.flags & 15)];
  }
  std::uint64_t of(Operation operation, unsigned flags) const {
    return instructions[static_cast<unsigned>(operation) * 16 + flags];
  }
  std::uint64_t of(Operation operation) const;
  std::uint64_t total() const;
};

/// When instructions start and end. The hardware runs the instructions of one thread one after another; only SIMD
/// instructions are queued, and the array drains beside what does not ask for its results. Two threads overlap
/// transfers and compute; no hardware of that kind was ever measured.
///
/// Time is kept in half cycles, since SIMD instructions without a read take one and a half in the mean.
class Timing {
 public:
  static constexpr unsigned kStateVersion = 2;

  explicit Timing(const Architecture& architecture);

  /// An instruction that has started, in half cycles.
  struct Started {
    std::uint64_t begin = 0;
    std::uint64_t asked = 0;  ///< when it would have begun but for the array
    std::uint64_t cycle() const { return (begin + 1) / 2; }
  };
  /// The next instruction comes in this cycle, of a stream that began in cycle `since`: the time in which the TCU has
  /// nothing to do meanwhile is the stream's. goes_on: see StreamAccount.
  void arrive(std::uint64_t cycle, std::uint64_t since, bool goes_on);
  /// The instruction starts.
  Started start(const Instruction& in, Activity activity);
  /// Of the instruction started last, or of a transfer that is under way: it moves `vectors`; port_cycles: for a DRAM
  /// transfer how long the port takes, `beats` of them being its data.
  void finish(const Instruction& in, Activity activity, const Started& started, std::uint64_t vectors,
              std::uint64_t port_cycles = 0, std::uint64_t beats = 0);

  /// Of the latest instruction: the cycle in which it began, and the one behind its last.
  std::uint64_t begun() const { return newest_.begin; }
  std::uint64_t ended() const { return newest_.end; }
  /// Cycles until everything has ended, from the first instruction on.
  std::uint64_t cycles() const;
  /// The newest instruction that has ended, in cycles.
  struct Span {
    Activity activity = Activity::no_op;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  const Span& newest() const { return newest_; }
  /// The cycle in which the first thread can begin its next instruction.
  std::uint64_t next_cycle() const { return (threads_[0].free + 1) / 2; }
  /// Cycles in which the TCU stood still since the instructions of its stream came too slowly.
  double stream_waited() const { return static_cast<double>(stream_waited_) / 2; }
  /// Everything starts anew; figures stay. Nothing begins before `cycle`.
  void reset(std::uint64_t cycle);
  void persist(Archive& archive);
  const ActivityCounts& counts() const { return counts_; }
  /// Of one thread: where its time went up to `cycle`, or to where its newest instruction ends.
  StreamAccount::Sums account(std::uint64_t cycle) const;
  std::string broken_conservation() const;

  /// Samples are taken every `interval` cycles from now on, none if it is zero.
  void set_sample_interval(std::uint32_t interval) { sample_clock_.set_interval(interval, newest_.end); }
  bool sampling() const { return sample_clock_.running(); }
  const SampleCounts& samples() const { return samples_; }
  /// Of the latest instruction, in half cycles: when the decoder turned to it, when its unit was at work in the end,
  /// and when the decoder went on.
  struct Decoded {
    std::uint64_t asked = 0;
    std::uint64_t ready = 0;
    std::uint64_t end = 0;
    std::uint64_t work = 0;  ///< of its unit
  };
  const Decoded& decoded() const { return decoded_; }

 private:
  using Half = std::uint64_t;

  static std::uint64_t cycle_of(Half time) { return time / 2 + time % 2; }

  struct Thread {
    Half free = 0;            ///< when its next instruction may start
    std::deque<Half> starts;  ///< of the last instructions, as many as it looks ahead
    void persist(Archive& archive);
  };

  Half ready(const Instruction& in, Activity activity);
  Half queue_simd(const Instruction& in, Half begin, Half work);
  Half work_of(const Instruction& in, Activity activity, std::uint64_t vectors) const;
  Half& unit(Activity activity);
  void count_samples(const Instruction& in, ActivityCount& count, Half from, Half to);

  unsigned array_size_;
  unsigned queue_depth_;
  std::vector<Thread> threads_;
  std::array<Half, 3> units_{};  ///< compute, DRAM0 port, DRAM1 port: when they are free
  Half dispatched_ = 0;          ///< of the newest instruction, when its thread's queue took it
  Half arrival_ = 0;             ///< of the next instruction
  Half stream_waited_ = 0;
  Half drain_ = 0;  ///< what the array still has to drain after the last MatMul
  Half array_free_ = 0;
  Half simd_free_ = 0;
  std::deque<Half> simd_queue_;  ///< ends of the newest SIMD instructions
  SampleClock sample_clock_;
  SampleCounts samples_;
  ActivityCounts counts_;
  StreamAccount account_;  ///< of one thread
  Span newest_;
  Decoded decoded_;
};

}  // namespace vp::tensil
