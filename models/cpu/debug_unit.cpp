#include "models/cpu/debug_unit.h"

#include <utility>

namespace vp::cpu {

template <typename Word>
void DebugUnit<Word>::resume(bool step) {
  constexpr Word kNowhere = 1;
  stepping_ = step;
  resumed_at_ = progress();
  resumed_pc_ = std::exchange(pc_moved_, false) ? kNowhere : hart_.state.pc;
}

/// Instructions executed and traps taken: after a step it is another number.
template <typename Word>
std::uint64_t DebugUnit<Word>::progress() const {
  std::uint64_t interrupts = 0;
  for (const std::uint64_t taken : traps_.interrupts()) interrupts += taken;
  return hart_.executed() + interrupts;
}

template <typename Word>
bool DebugUnit<Word>::stop(DebugStop::Reason reason) {
  DebugStop why;
  why.reason = reason;
  stop_.ask(std::move(why));
  return true;
}

template <typename Word>
bool DebugUnit<Word>::holds() {
  using Reason = DebugStop::Reason;
  const bool resumed = progress() == resumed_at_;
  if (stepping_ && !resumed) return stop(Reason::step);
  const Word pc = hart_.state.pc;
  if (resumed && pc == resumed_pc_) return false;
  if (points_->breakpoint_at(pc)) return stop(Reason::breakpoint);
  const Block* const block = code_.single_at_pc();
  return block && block->info[0].opcode == Opcode::ebreak && stop(Reason::ebreak);
}

template <typename Word>
void DebugUnit<Word>::ran() {
  if (stepping_ && progress() != resumed_at_) stop(DebugStop::Reason::step);
}

template class DebugUnit<std::uint32_t>;
template class DebugUnit<std::uint64_t>;

}  // namespace vp::cpu
