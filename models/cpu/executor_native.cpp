#include <cstddef>
#include <cstring>
#include <utility>

#include "models/cpu/executor.h"
#include "models/cpu/float_state.h"
#include "models/cpu/memory_operations.h"

// The executor with generated code: blocks that have been entered often enough are compiled, and go on in each other by
// themselves; what is cold is interpreted.

namespace vp::cpu {
namespace {

// So often in turn a block's loads and stores go elsewhere before it is interpreted for good: with not more between two
// of them than the instructions of the block, so many times.
constexpr std::uint32_t kMostMisses = 256;
constexpr std::uint32_t kSoon = 16;

}  // namespace

template <typename Word>
typename Executor<Word>::Exit Executor<Word>::execute_mixed(Block* block, const Op* op, Picoseconds until) {
  if (const void* const code = op != block->ops() && block->native ? code_behind(*block, *op) : nullptr) {
    const Exit exit = run_native(block, op->index, code, until);
    if (exit != Exit::native) return exit;
  } else if (op != block->ops() || !block->first_handler || !fetched(*block)) {
    const bool hot = op == block->ops() && block->first_handler;
    const Exit exit = hot ? interpret_first(*block, until) : interpret(block, op, until);
    if (exit != Exit::native) return exit;
    block = exit_block_;
  }
  for (;;) {
    Exit exit = Exit::native;
    if (!block->first_handler || cold(*block)) {
      exit = interpret(block, block->ops(), until);
    } else if (block->native || compile(*block)) {
      exit = run_native(block, 0, block->native->entry, until);
      if (exit == Exit::native) continue;
    } else {
      exit = cold(*block) ? interpret(block, block->ops(), until) : interpret_first(*block, until);
    }
    if (exit != Exit::native) return exit;
    block = exit_block_;
  }
}

/// A block that is hot, once more: the code of its one instruction has been fetched, though its two lines cannot be in
/// the cache at once, or it could not be compiled.
template <typename Word>
typename Executor<Word>::Exit Executor<Word>::interpret_first(Block& block, Picoseconds until) {
  const void*& handler = block.ops()[0].handler;
  const void* const counts = std::exchange(handler, block.first_handler);
  const Exit exit = interpret(&block, block.ops(), until);
  handler = counts;
  return exit;
}

/// A block that has become hot. It waits for others to be compiled with, until it has been entered as often again.
/// Where there is no room, all blocks are made anew.
template <typename Word>
bool Executor<Word>::compile(Block& block) {
  const bool timed = hart_.fidelity == Fidelity::timed;
  if (!timed && !memory_.has_native_memory()) return false;
  const std::uint32_t after = hart_.config.jit_after;
  const bool due = block.entered == after && native_->want(block);
  if (++block.entered < 2 * after && !due) return false;
  if (native_->compile(native_memory(), timed)) return true;
  hart_.flush_blocks = true;
  return false;
}

/// Where generated code goes on behind an instruction that it has left for; nullptr: nowhere.
template <typename Word>
const void* Executor<Word>::code_behind(const Block& block, const Op& op) const {
  return block.native->floats && !float_dirty(s_) ? nullptr : block.native->code_at(op.index);
}

/// The accesses of a block from this instruction on, or from its end.
template <typename Word>
NativeAccesses Executor<Word>::rest_of(const NativeBlock& native, unsigned first) const {
  return first < native.block->count ? accesses_of(native.rests[first], native_memory()) : NativeAccesses{};
}

/// As generated code does when it enters a block: counts time and instructions from this one on. Returns the traffic.
template <typename Word>
NativeAccesses Executor<Word>::count_rest(const Block& block, unsigned first) {
  const NativeAccesses rest = rest_of(*block.native, first);
  s_.time += block.cost - block.info[first].cycles_before * hart_.config.clock + rest.time;
  s_.retired += block.count - first;
  return rest;
}

/// `code`: of the block, from instruction `first` on. Exit::native: `block`, which state is at the start of, is to be
/// done next.
template <typename Word>
typename Executor<Word>::Exit Executor<Word>::run_native(Block*& block, unsigned first, const void* code,
                                                         Picoseconds until) {
  const bool timed = hart_.fidelity == Fidelity::timed;
  const std::uint64_t before = s_.retired;
  NativeFrame frame;
  frame.x = s_.x.data();
  frame.reads = timed ? timed_.lines().reads() : memory_.native_pages().native.data();
  frame.front = code_.front();
  frame.jumps = code_.jumps();
  frame.in_place = in_place;
  frame.executor = this;
  memory_.lend_reservation(frame, until);
  const Picoseconds limit = check_ ? foresee(*block, first, frame) : until;
  const NativeAccesses counted = first != 0 ? count_rest(*block, first) : NativeAccesses{};
  frame.limit = limit;
  frame.before = s_.retired;
  frame.budget = limit - s_.time;
  native_->run(frame, code);
  memory_.take_reservation(frame);
  frame.read_traffic += counted.reads;
  frame.write_traffic += counted.writes;
  if (check_) block->native->links->worst = block->worst;
  if (hart_.config.jit_flaw) hart_.config.jit_flaw(frame);
  if (frame.left == NativeFrame::Left::inside) {
    const auto index = static_cast<unsigned>(frame.detail);
    const NativeAccesses rest = rest_of(*frame.native, index);
    frame.read_traffic -= rest.reads;
    frame.write_traffic -= rest.writes;
    exit_block_ = frame.native->block;
    exit_op_ = exit_block_->ops() + index;
    come_to(frame, rest);
  } else {
    s_.time = limit - frame.budget;
    s_.retired = frame.before + frame.retired;
  }
  if (timed)
    timed_.count_native(frame.read_traffic, frame.write_traffic);
  else
    memory_.count_native(frame.read_traffic, frame.write_traffic, s_.retired - before);
  const Exit exit = leave(block, frame, until);
  if (check_) check_->compare(s_, frame);
  return exit;
}

/// Brings state to where generated code has come, and says what is to be done there.
template <typename Word>
typename Executor<Word>::Exit Executor<Word>::leave(Block*& block, const NativeFrame& frame, Picoseconds until) {
  switch (frame.left) {
    case NativeFrame::Left::inside:
      if (frame.done) return Exit::next;
      note_miss(frame);
      return Exit::complex;
    case NativeFrame::Left::refused:
      block = refused(*frame.native, until);
      break;
    case NativeFrame::Left::indirect:
      block = follow(static_cast<Word>(frame.where), until);
      break;
    default:
      block = follow(*frame.native->block, frame.left == NativeFrame::Left::taken, until);
  }
  return block ? Exit::native : Exit::next;
}

/// cpu.jit = check: the block's code, from this instruction on, is going to run alone, with just the time that it
/// takes. That limit.
template <typename Word>
Picoseconds Executor<Word>::foresee(Block& block, unsigned first, const NativeFrame& frame) {
  check_->foresee(s_, block, first, native_memory(), frame);
  block.native->links->worst = check_->budget();
  return s_.time + check_->budget();
}

/// Brings state before instruction `detail` of a block that has been counted as a whole, with `rest` of its accesses.
template <typename Word>
void Executor<Word>::come_to(const NativeFrame& frame, const NativeAccesses& rest) {
  const Block& block = *frame.native->block;
  const auto index = static_cast<unsigned>(frame.detail);
  s_.pc = static_cast<Word>(block.pc + block.info[index].offset);
  s_.time =
      frame.limit - frame.budget - rest.time - (block.cost - block.info[index].cycles_before * hart_.config.clock);
  s_.retired = frame.before + frame.retired - (block.count - index);
}

/// A load or store has found nothing in the tables of generated code.
template <typename Word>
void Executor<Word>::note_miss(const NativeFrame& frame) {
  Block& block = *frame.native->block;
  const MemoryShape shape = memory_shape(block.info[frame.detail].opcode);
  if (shape.size == 0) return;
  const Op& op = block.ops()[frame.detail];
  missed_ = frame.native;
  missed_table_ = static_cast<const std::byte*>(frame.reads) + (shape.store ? native_memory().writes_behind : 0);
  missed_address_ = s_.x[op.rs1] + static_cast<Word>(op.imm);
}

/// What it goes to may be found there from now on. A block whose accesses keep going elsewhere, to another memory or a
/// device, is better interpreted.
template <typename Word>
void Executor<Word>::judge_miss() {
  NativeBlock& native = *std::exchange(missed_, nullptr);
  const NativeMemory memory = native_memory();
  Word tag = 0;
  std::memcpy(&tag, missed_table_ + (missed_address_ >> memory.shift & memory.index_mask), sizeof tag);
  const auto now = static_cast<std::uint32_t>(s_.retired);
  const bool soon = now - std::exchange(native.missed_at, now) < kSoon * native.block->count;
  const bool found = tag == (missed_address_ & static_cast<Word>(memory.tag_mask));
  native.misses = found || !soon ? 0 : native.misses + 1;
  if (native.misses == kMostMisses) give_up(native);
}

template <typename Word>
void Executor<Word>::give_up(NativeBlock& native) {
  Block& block = *native.block;
  native.links->worst = Block::kNotToEnter;
  block.native = nullptr;
  block.entry = native_->no_entry();
  block.ops()[0].handler = std::exchange(block.first_handler, nullptr);
}

/// A block that could not be entered. If that is so for good, there may be another in its place, which its code leads
/// to from now on, as others may jump there for ever; or nullptr.
template <typename Word>
Block* Executor<Word>::refused(NativeBlock& native, Picoseconds until) {
  const Block& before = *native.block;
  s_.pc = static_cast<Word>(before.pc);
  if (before.sound() && before.native == &native) return nullptr;
  NativeJump& jump = code_.jumps()[BlockCache::jump_slot(before.pc)];
  if (jump.pc == before.pc) jump = {};
  Block* const now = code_.known(s_.pc);
  if (!now) return nullptr;
  const bool same_place = now->physical == before.physical && now->behind == Block::kNowhere;
  if (now->native && same_place) native.links->refused = now->entry;
  return affordable(*now, until) ? now : nullptr;
}

/// Behind a block: the one that follows, which its code leads to from now on if it has code; or nullptr.
template <typename Word>
Block* Executor<Word>::follow(Block& from, bool jump, Picoseconds until) {
  s_.pc = static_cast<Word>(jump ? from.taken_pc : from.next_pc);
  Block*& link = jump ? from.taken : from.next;
  if (!link->sound()) {
    Block* const target = code_.known(s_.pc);
    if (!target) {
      link_ = &link;
      exit_block_ = &from;
      return nullptr;
    }
    link = target;
    code_.linked(from, *target, &link);
  }
  if (link->native) (jump ? from.native->links->taken : from.native->links->next) = link->entry;
  return affordable(*link, until) ? link : nullptr;
}

template <typename Word>
Block* Executor<Word>::follow(Word address, Picoseconds until) {
  s_.pc = address;
  Block* const target = code_.known(address);
  return target && affordable(*target, until) ? target : nullptr;
}

template class Executor<std::uint32_t>;
template class Executor<std::uint64_t>;

}  // namespace vp::cpu
