#include "models/cpu/hart.h"
#include "models/cpu/operations.h"

// The inner loop: threaded code with computed goto. Each handler ends with its own indirect jump, which lets the
// processor predict the successor of each operation apart. Macros carry the control flow here, as labels cannot be
// passed to functions.

namespace vp::cpu {

/// One operation after the other; from here to the end of the file `op` is the present one.
#define VP_NEXT()       \
  do {                  \
    ++op;               \
    goto * op->handler; \
  } while (0)

#define VP_OPERATE(name)                                                  \
  do {                                                                    \
    if (!operate<Opcode::name>(op, x, block, lookup, time)) goto complex; \
  } while (0)

// Goes on with the block behind `link`, or leaves if its time might cross the limit (always so for an unlinked one), or
// its code has to be fetched in earnest.
#define VP_ENTER(link, leave)                     \
  do {                                            \
    Block* const target = block->link;            \
    if (time + target->worst > until) goto leave; \
    if (kTimed && !target->fetched()) goto leave; \
    block = target;                               \
    time += block->cost;                          \
    retired += block->count;                      \
    op = block->ops();                            \
    goto * op->handler;                           \
  } while (0)

#define VP_BRANCH(name)                   \
  do {                                    \
    if (condition<Opcode::name>(op, x)) { \
      time += block->taken_cost;          \
      VP_ENTER(taken, leave_taken);       \
    }                                     \
    VP_ENTER(next, leave_next);           \
  } while (0)

/// Runs from `op` of `block` on, and on through linked blocks, while their time cannot cross `until`. The first block
/// is run without asking. Called with block = nullptr it only hands out its labels. There are two copies of the loop:
/// the timed one looks for cache lines where the functional one looks for pages, and at the code's lines before each
/// block.
template <typename Word>
template <bool kTimed>
typename Hart<Word>::Exit Hart<Word>::execute_as(Block* block, const Op* op, Picoseconds until) {
  if (!block) {
    handlers_.fill(&&complex);
#define X(name, match, mask, format, cls, width) handlers_[static_cast<unsigned>(Opcode::name)] = &&op_##name;
    VP_CPU_FAST_OPCODES(X)
#undef X
#define X(first, second) fused_[pair_index(Opcode::first, Opcode::second)] = &&pair_##first##_##second;
    VP_CPU_FUSED_PAIRS(X)
    VP_CPU_FUSED_BRANCHES(X)
#undef X
    end_of_block_ = &&op_end_of_block;
    return Exit::kNext;
  }

  Word* const x = s_.x.data();
  const auto lookup = lookup_of(std::bool_constant<kTimed>());
  // Both count the block as a whole from its start; who leaves in its middle takes the rest back.
  Picoseconds time = s_.time + block->cost - block->info[op->index].cycles_before * config_.clock;
  std::uint64_t retired = s_.retired + block->count - op->index;
  goto * op->handler;

#define X(name, match, mask, format, cls, width) \
  op_##name : VP_OPERATE(name);                  \
  VP_NEXT();
  VP_CPU_PLAIN_OPCODES(X)
#undef X

op_fence:
  VP_NEXT();

#define X(name, match, mask, format, cls, width) op_##name : VP_BRANCH(name);
  VP_CPU_BRANCH_OPCODES(X)
#undef X

  // Two operations in one handler. Each keeps its own place and handler, so that a block can be left and entered
  // between them.
#define X(first, second)                       \
  pair_##first##_##second : VP_OPERATE(first); \
  ++op;                                        \
  VP_OPERATE(second);                          \
  VP_NEXT();
  VP_CPU_FUSED_PAIRS(X)
#undef X
#define X(first, second)                       \
  pair_##first##_##second : VP_OPERATE(first); \
  ++op;                                        \
  VP_BRANCH(second);
  VP_CPU_FUSED_BRANCHES(X)
#undef X

op_jal:
  x[op->rd] = static_cast<Word>(block->next_pc);
  VP_ENTER(taken, leave_taken);

op_jalr : {
  const Word address = (x[op->rs1] + static_cast<Word>(op->imm)) & ~Word{1};
  x[op->rd] = static_cast<Word>(block->next_pc);
  // A jump keeps the privilege mode, so the target's key differs from its address as this block's does.
  const std::uint64_t wanted = address | (block->key & 1);
  Block* const target = blocks_.front()[BlockCache::slot(wanted)];
  if (target->key == wanted && time + target->worst <= until && (!kTimed || target->fetched())) {
    block = target;
    time += block->cost;
    retired += block->count;
    op = block->ops();
    goto * op->handler;
  }
  s_.pc = address;
  goto leave;
}

op_end_of_block:
  VP_ENTER(next, leave_next);

complex:
  exit_block_ = block;
  exit_op_ = op;
  s_.pc = static_cast<Word>(block->pc + block->info[op->index].offset);
  s_.time = time - (block->cost - block->info[op->index].cycles_before * config_.clock);
  s_.retired = retired - (block->count - op->index);
  return Exit::kComplex;

leave_taken:
  s_.pc = static_cast<Word>(block->taken_pc);
  if (block->taken == blocks_.unlinked()) link_ = &block->taken;
  goto leave;

leave_next:
  s_.pc = static_cast<Word>(block->next_pc);
  if (block->next == blocks_.unlinked()) link_ = &block->next;

leave:
  s_.time = time;
  s_.retired = retired;
  return Exit::kNext;
}

template <typename Word>
typename Hart<Word>::Exit Hart<Word>::execute(Block* block, const Op* op, Picoseconds until) {
  return fidelity_ == Fidelity::timed ? execute_as<true>(block, op, until) : execute_as<false>(block, op, until);
}

template class Hart<std::uint32_t>;
template class Hart<std::uint64_t>;

}  // namespace vp::cpu
