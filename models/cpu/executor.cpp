#include <array>

#include "models/cpu/executor.h"
#include "models/cpu/float_operations.h"
#include "models/cpu/memory_operations.h"
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

#define VP_OPERATE_FLOAT(name)                                           \
  do {                                                                   \
    if (!operate_float<Opcode::name>(op, s, lookup, time)) goto complex; \
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

/// Called with block = nullptr it only hands out its labels. There are two copies of the loop: the timed one looks for
/// cache lines where the functional one looks for pages, and at the code's lines before each block.
template <typename Word>
template <bool kTimed>
typename Executor<Word>::Exit Executor<Word>::execute_as(Block* block, const Op* op, Picoseconds until) {
  if (!block) {
    OpHandlers& handlers = code_.handlers();
    handlers.of_opcode.fill(&&complex);
#define X(name, match, mask, format, cls, width) handlers.of_opcode[static_cast<unsigned>(Opcode::name)] = &&op_##name;
    VP_CPU_INNER_OPCODES(X)
#undef X
#define X(first, second) handlers.of_pair[OpHandlers::pair(Opcode::first, Opcode::second)] = &&pair_##first##_##second;
    VP_CPU_FUSED_PAIRS(X)
    VP_CPU_FUSED_BRANCHES(X)
#undef X
    handlers.end_of_block = &&op_end_of_block;
    handlers.complex = &&complex;
    handlers.entered = &&op_entered;
    handlers.float_by_host = ieee754::host::usable();
    return Exit::next;
  }

  State<Word>& s = hart_.state;
  Word* const x = s.x.data();
  const auto lookup = lookup_of(std::bool_constant<kTimed>());
  // Both count the block as a whole from its start; who leaves in its middle takes the rest back.
  Picoseconds time = s.time + block->cost - block->info[op->index].cycles_before * hart_.config.clock;
  std::uint64_t retired = s.retired + block->count - op->index;
  goto * op->handler;

#define X(name, match, mask, format, cls, width) \
  op_##name : VP_OPERATE(name);                  \
  VP_NEXT();
  VP_CPU_PLAIN_OPCODES(X)
#undef X

#define X(name, match, mask, format, cls, width) \
  op_##name : VP_OPERATE_FLOAT(name);            \
  VP_NEXT();
  VP_CPU_FLOAT_OPCODES(X)
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
  Block* const target = code_.front()[BlockCache::slot(address)];
  if (target->pc == address && time + target->worst <= until && (!kTimed || target->fetched())) {
    block = target;
    time += block->cost;
    retired += block->count;
    op = block->ops();
    goto * op->handler;
  }
  s.pc = address;
  goto leave;
}

op_end_of_block:
  VP_ENTER(next, leave_next);

op_entered:
  if (cold(*block)) {
    ++block->entered;
    goto * block->first_handler;
  }
  exit_block_ = block;
  s.pc = static_cast<Word>(block->pc);
  s.time = time - block->cost;
  s.retired = retired - block->count;
  return Exit::native;

complex:
  exit_block_ = block;
  exit_op_ = op;
  s.pc = static_cast<Word>(block->pc + block->info[op->index].offset);
  s.time = time - (block->cost - block->info[op->index].cycles_before * hart_.config.clock);
  s.retired = retired - (block->count - op->index);
  return Exit::complex;

leave_taken:
  s.pc = static_cast<Word>(block->taken_pc);
  if (!block->taken->sound()) link_ = &block->taken;
  exit_block_ = block;
  goto leave;

leave_next:
  s.pc = static_cast<Word>(block->next_pc);
  if (!block->next->sound()) link_ = &block->next;
  exit_block_ = block;

leave:
  s.time = time;
  s.retired = retired;
  return Exit::next;
}

template <typename Word>
typename Executor<Word>::Exit Executor<Word>::interpret(Block* block, const Op* op, Picoseconds until) {
  return hart_.fidelity == Fidelity::timed ? execute_as<true>(block, op, until) : execute_as<false>(block, op, until);
}

/// Behind the instructions from this one on, which itself counts, that start before `until` however long accesses take.
template <typename Word>
unsigned Executor<Word>::end_in_time(const Block& block, unsigned first, Picoseconds until) const {
  Picoseconds start = s_.time;
  unsigned i = first;
  do {
    start += (block.info[i + 1].cycles_before - block.info[i].cycles_before) * hart_.config.clock +
             direct_accesses(block.info[i].opcode) * memory_.worst_latency();
  } while (++i < block.count && start < until);
  return i;
}

/// The interpreter does it, and finds the way out in the place of the instruction behind the last one. That one is no
/// longer done together with the one before it.
template <typename Word>
typename Executor<Word>::Exit Executor<Word>::execute_part(Block& block, const Op* op, Picoseconds until) {
  const unsigned end = end_in_time(block, op->index, until);
  Op* const ops = block.ops();
  const std::array<const void*, 3> before = {ops[0].handler, ops[end - 1].handler, ops[end].handler};
  if (block.first_handler) ops[0].handler = block.first_handler;
  if (end != block.count) {
    const Opcode last = block.info[end - 1].opcode, behind = block.info[end].opcode;
    const OpHandlers& handlers = code_.handlers();
    if (ops[end - 1].handler == handlers.pair_of(last, behind))
      ops[end - 1].handler = handlers.of_opcode[static_cast<std::size_t>(last)];
    ops[end].handler = handlers.complex;
  }
  const Exit exit = interpret(&block, op, 0);
  ops[end].handler = before[2];
  ops[end - 1].handler = before[1];
  ops[0].handler = before[0];
  return exit == Exit::complex && exit_op_ == ops + end ? Exit::limit : exit;
}

template class Executor<std::uint32_t>;
template class Executor<std::uint64_t>;

}  // namespace vp::cpu
