#include <utility>

#include "models/cpu/hart.h"

// Running under a debugger. The inner loop knows nothing of it: blocks end before what stops the hart, and such places
// are never found or linked, so that the loop is left there.

namespace vp::cpu {

template <typename Word>
void Hart<Word>::set_debug_points(const DebugPoints* points) {
  points_ = points;
  flush_blocks_ = true;
  flush_tlbs();
}

template <typename Word>
void Hart<Word>::debug_resume(bool step) {
  stepping_ = step;
  resumed_at_ = progress();
  constexpr Word kNowhere = 1;
  resumed_pc_ = std::exchange(pc_moved_, false) ? kNowhere : s_.pc;
}

template <typename Word>
DebugStop Hart<Word>::take_debug_stop() {
  stop_.fetch_and(static_cast<std::uint8_t>(~kStopForDebugger), std::memory_order_relaxed);
  return std::exchange(debug_stop_, {});
}

template <typename Word>
void Hart<Word>::stop_for_debugger(DebugStop why) {
  if (debug_stop_.reason == DebugStop::Reason::request) debug_stop_ = std::move(why);
  request_debug_stop();
}

/// Instructions executed and traps taken: after a step it is another number.
template <typename Word>
std::uint64_t Hart<Word>::progress() const {
  std::uint64_t interrupts = 0;
  for (const std::uint64_t taken : interrupts_taken_) interrupts += taken;
  return s_.retired + trapped_ + interrupts;
}

/// Whether the instruction at pc is one to stop at. The one at which the debugger lets the hart go on is not.
template <typename Word>
bool Hart<Word>::stops_at_pc(DebugStop& why) {
  if (progress() == resumed_at_ && s_.pc == resumed_pc_) return false;
  if (points_->breakpoint_at(s_.pc)) {
    why.reason = DebugStop::Reason::breakpoint;
    return true;
  }
  const Block* const block = block_at_pc();
  if (!block || block->info[0].opcode != Opcode::ebreak) return false;
  why.reason = DebugStop::Reason::ebreak;
  return true;
}

/// run_block() under a debugger: looks at pc first, and at the way of a step behind it.
template <typename Word>
Stop Hart<Word>::run_debugged(Picoseconds bound, bool& stop) {
  DebugStop why;
  // An interrupt has been entered.
  const bool stepped = stepping_ && progress() != resumed_at_;
  if (stepped) why.reason = DebugStop::Reason::step;
  if (stepped || stops_at_pc(why)) {
    stop_for_debugger(why);
    stop = true;
    return Stop::kDebug;
  }
  // Where the hart goes on from a breakpoint it must not enter a block that starts there into the table.
  const bool one = stepping_ || progress() == resumed_at_;
  const Stop result = run_block(one ? 0 : bound, stop);
  if (stepping_ && progress() != resumed_at_) {
    why.reason = DebugStop::Reason::step;
    stop_for_debugger(why);
  }
  return result;
}

/// A load or store has been done: stops the hart behind it if it is watched.
template <typename Word>
[[gnu::noinline]] void Hart<Word>::note_access(bool write, Word address, unsigned size) {
  std::optional<DebugStop> hit = points_->hit(write, address, std::uint64_t{address} + size - 1);
  if (!hit) return;
  stop_for_debugger(std::move(*hit));
  port_used_ = true;  // leaves the run loop, which looks at what it is asked then
}

/// Accesses to this page (or line) must all come by the slow path, since the inner loop tells nobody.
template <typename Word>
bool Hart<Word>::told_of(bool write, std::uint64_t first, std::uint64_t size) const {
  if (write && watching_ && read_only(first, size)) return true;
  return points_ && points_->watches(write, first, first + (size - 1));
}

template <typename Word>
bool Hart<Word>::set_csr(unsigned number, std::uint64_t value) {
  Word old = 0;
  const bool read_only = number >> 10 == 3;
  return !read_only && read_csr(number, old) && write_csr(number, static_cast<Word>(value), Writer::debugger);
}

template <typename Word>
void Hart<Word>::set_mode(Mode mode) {
  s_.mode = mode;
  use_tlb_of_mode();
}

template class Hart<std::uint32_t>;
template class Hart<std::uint64_t>;

}  // namespace vp::cpu
