#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "models/cpu/block_cache.h"
#include "models/cpu/csr_file.h"
#include "models/cpu/hart_context.h"

namespace vp::cpu {

/// Makes the records of a trace: which instructions are traced, and what one of them did.
template <typename Word>
class Tracer {
 public:
  Tracer(HartContext<Word>& hart, const CsrFile<Word>& csrs) : hart_(hart), s_(hart.state), csrs_(csrs) {}

  /// Nothing is traced until the first call of look().
  void set_hook(std::function<void(const TraceRecord&)> hook, const TraceWindow& window);
  /// The next call of look() finds nothing to trace, until it goes on.
  void pause(bool paused) {
    paused_ = paused;
    if (hook_) edge_ = 0;
  }
  /// The time at which look() is to be called next, as tracing begins or ends; kNever: not at all.
  Picoseconds edge() const { return edge_; }
  /// At that time, or later. True if something else is traced now than before.
  bool look();
  /// What is traced now: nothing, or addresses.
  bool on() const { return on_; }
  const TraceWindow& window() const { return window_; }
  bool traces(Word pc) const { return on_ && pc >= window_.first_pc && pc <= window_.last_pc; }

  // Around the execution of an instruction.
  void before(const Op& op, const InstructionInfo& info);
  void after(const Op& op, Opcode opcode, bool trapped);

 private:
  void note_memory(const Op& op, Opcode opcode);
  void note_csr(const Op& op, Opcode opcode);
  void note_flags();

  HartContext<Word>& hart_;
  State<Word>& s_;
  const CsrFile<Word>& csrs_;
  std::function<void(const TraceRecord&)> hook_;
  TraceWindow window_;
  Picoseconds edge_ = kNever;
  bool on_ = false;
  bool paused_ = false;
  TraceRecord record_;
  std::uint64_t operand_ = 0;  ///< rs2 before the instruction
  std::uint8_t flags_ = 0;     ///< fflags before an instruction that only sets them
};

}  // namespace vp::cpu
