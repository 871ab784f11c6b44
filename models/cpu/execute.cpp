#include <cstring>
#include <limits>

#include "models/cpu/hart.h"

// The inner loop: threaded code with computed goto. Each handler ends with its own indirect jump, which lets the
// processor predict the successor of each operation apart. This is the one place of the project where macros carry
// control flow.

namespace vp::cpu {
namespace {

template <typename Word>
struct Wide;
template <>
struct Wide<std::uint32_t> {
  using Unsigned = std::uint64_t;
  using Signed = std::int64_t;
};
template <>
struct Wide<std::uint64_t> {
  __extension__ using Unsigned = unsigned __int128;
  __extension__ using Signed = __int128;
};

// Division by zero and overflow have defined results instead of traps (unprivileged manual, table 7.1).
template <typename S>
S divide(S a, S b) {
  if (b == 0) return -1;
  if (b == -1) return static_cast<S>(0 - static_cast<std::make_unsigned_t<S>>(a));
  return a / b;
}
template <typename S>
S remainder(S a, S b) {
  if (b == 0) return a;
  return b == -1 ? 0 : a % b;
}
template <typename U>
U divide_unsigned(U a, U b) {
  return b == 0 ? ~U{0} : a / b;
}
template <typename U>
U remainder_unsigned(U a, U b) {
  return b == 0 ? a : a % b;
}

}  // namespace

#define VP_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define VP_NEXT()       \
  do {                  \
    ++op;               \
    goto * op->handler; \
  } while (0)
#define VP_RS1 x[op->rs1]
#define VP_RS2 x[op->rs2]
#define VP_IMM static_cast<Word>(op->imm)
#define VP_SIGNED(value) static_cast<SignedWord>(value)
#define VP_WORD32(value) static_cast<Word>(static_cast<SignedWord>(static_cast<std::int32_t>(value)))

// An operation whose result is one expression.
#define VP_ALU(name, expression)                         \
  op_##name : x[op->rd] = static_cast<Word>(expression); \
  VP_NEXT();

// Goes on with the block behind `link`, or leaves if its time might cross the limit (always so for an unlinked one).
#define VP_ENTER(link, leave)                     \
  do {                                            \
    Block* const target = block->link;            \
    if (time + target->worst > until) goto leave; \
    block = target;                               \
    time += block->cost;                          \
    retired += block->count;                      \
    op = block->ops();                            \
    goto * op->handler;                           \
  } while (0)

#define VP_BRANCH(name, condition) \
  op_##name : if (condition) {     \
    time += block->taken_cost;     \
    VP_ENTER(taken, leave_taken);  \
  }                                \
  VP_ENTER(next, leave_next);

#define VP_LOAD(name, Type)                                                                            \
  op_##name : {                                                                                        \
    const Word address = VP_RS1 + VP_IMM;                                                              \
    TlbEntry<Word>& entry = tlb->read[TlbEntry<Word>::slot(address)];                                  \
    if (!VP_LIKELY(TlbEntry<Word>::template masked<sizeof(Type)>(address) == entry.tag)) goto complex; \
    Type value;                                                                                        \
    std::memcpy(&value, reinterpret_cast<const void*>(entry.addend + address), sizeof value);          \
    time += sizeof(Type) > 4 ? entry.wide_latency : entry.latency;                                     \
    entry.traffic += TlbEntry<Word>::kOneAccess + sizeof(Type);                                        \
    x[op->rd] = static_cast<Word>(static_cast<SignedWord>(value));                                     \
    VP_NEXT();                                                                                         \
  }

#define VP_STORE(name, Type)                                                                           \
  op_##name : {                                                                                        \
    const Word address = VP_RS1 + VP_IMM;                                                              \
    TlbEntry<Word>& entry = tlb->write[TlbEntry<Word>::slot(address)];                                 \
    if (!VP_LIKELY(TlbEntry<Word>::template masked<sizeof(Type)>(address) == entry.tag)) goto complex; \
    const Type value = static_cast<Type>(VP_RS2);                                                      \
    std::memcpy(reinterpret_cast<void*>(entry.addend + address), &value, sizeof value);                \
    time += sizeof(Type) > 4 ? entry.wide_latency : entry.latency;                                     \
    entry.traffic += TlbEntry<Word>::kOneAccess + sizeof(Type);                                        \
    VP_NEXT();                                                                                         \
  }

/// Runs from `op` of `block` on (nullptr: from its start), and on through linked blocks, while their time cannot cross
/// `until`. The first block is run without asking. Called with block = nullptr it only hands out its labels.
template <typename Word>
typename Hart<Word>::Exit Hart<Word>::execute(Block* block, const Op* op, Picoseconds until) {
  if (!block) {
    handlers_.fill(&&complex);
#define X(name, match, mask, format, cls, width) handlers_[static_cast<unsigned>(Opcode::name)] = &&op_##name;
    VP_CPU_FAST_OPCODES(X)
#undef X
    end_of_block_ = &&op_end_of_block;
    return Exit::kNext;
  }

  Word* const x = s_.x.data();
  Tlb<Word>* const tlb = tlb_;
  // Both count the block as a whole from its start; who leaves in its middle takes the rest back.
  Picoseconds time = s_.time + block->cost - block->info[op->index].cycles_before * config_.clock;
  std::uint64_t retired = s_.retired + block->count - op->index;
  goto * op->handler;

  VP_ALU(lui, VP_IMM)
  VP_ALU(auipc, static_cast<Word>(block->pc) + VP_IMM)
  VP_ALU(addi, VP_RS1 + VP_IMM)
  VP_ALU(slti, VP_SIGNED(VP_RS1) < VP_SIGNED(VP_IMM))
  VP_ALU(sltiu, VP_RS1 < VP_IMM)
  VP_ALU(xori, VP_RS1 ^ VP_IMM)
  VP_ALU(ori, VP_RS1 | VP_IMM)
  VP_ALU(andi, VP_RS1 & VP_IMM)
  VP_ALU(slli, VP_RS1 << (op->imm & (kXlen - 1)))
  VP_ALU(srli, VP_RS1 >> (op->imm & (kXlen - 1)))
  VP_ALU(srai, VP_SIGNED(VP_RS1) >> (op->imm & (kXlen - 1)))
  VP_ALU(add, VP_RS1 + VP_RS2)
  VP_ALU(sub, VP_RS1 - VP_RS2)
  VP_ALU(sll, VP_RS1 << (VP_RS2 & (kXlen - 1)))
  VP_ALU(slt, VP_SIGNED(VP_RS1) < VP_SIGNED(VP_RS2))
  VP_ALU(sltu, VP_RS1 < VP_RS2)
  VP_ALU(xor_, VP_RS1 ^ VP_RS2)
  VP_ALU(srl, VP_RS1 >> (VP_RS2 & (kXlen - 1)))
  VP_ALU(sra, VP_SIGNED(VP_RS1) >> (VP_RS2 & (kXlen - 1)))
  VP_ALU(or_, VP_RS1 | VP_RS2)
  VP_ALU(and_, VP_RS1 & VP_RS2)
  VP_ALU(addiw, VP_WORD32(static_cast<std::uint32_t>(VP_RS1) + static_cast<std::uint32_t>(op->imm)))
  VP_ALU(slliw, VP_WORD32(static_cast<std::uint32_t>(VP_RS1) << (op->imm & 31)))
  VP_ALU(srliw, VP_WORD32(static_cast<std::uint32_t>(VP_RS1) >> (op->imm & 31)))
  VP_ALU(sraiw, VP_WORD32(static_cast<std::int32_t>(VP_RS1) >> (op->imm & 31)))
  VP_ALU(addw, VP_WORD32(static_cast<std::uint32_t>(VP_RS1) + static_cast<std::uint32_t>(VP_RS2)))
  VP_ALU(subw, VP_WORD32(static_cast<std::uint32_t>(VP_RS1) - static_cast<std::uint32_t>(VP_RS2)))
  VP_ALU(sllw, VP_WORD32(static_cast<std::uint32_t>(VP_RS1) << (VP_RS2 & 31)))
  VP_ALU(srlw, VP_WORD32(static_cast<std::uint32_t>(VP_RS1) >> (VP_RS2 & 31)))
  VP_ALU(sraw, VP_WORD32(static_cast<std::int32_t>(VP_RS1) >> (VP_RS2 & 31)))

  VP_ALU(mul, VP_RS1 * VP_RS2)
  VP_ALU(mulh, static_cast<typename Wide<Word>::Signed>(VP_SIGNED(VP_RS1)) * VP_SIGNED(VP_RS2) >> kXlen)
  VP_ALU(mulhsu, static_cast<typename Wide<Word>::Signed>(VP_SIGNED(VP_RS1)) *
                         static_cast<typename Wide<Word>::Signed>(VP_RS2) >>
                     kXlen)
  VP_ALU(mulhu, static_cast<typename Wide<Word>::Unsigned>(VP_RS1) * VP_RS2 >> kXlen)
  VP_ALU(div, divide(VP_SIGNED(VP_RS1), VP_SIGNED(VP_RS2)))
  VP_ALU(divu, divide_unsigned<Word>(VP_RS1, VP_RS2))
  VP_ALU(rem, remainder(VP_SIGNED(VP_RS1), VP_SIGNED(VP_RS2)))
  VP_ALU(remu, remainder_unsigned<Word>(VP_RS1, VP_RS2))
  VP_ALU(mulw, VP_WORD32(static_cast<std::uint32_t>(VP_RS1) * static_cast<std::uint32_t>(VP_RS2)))
  VP_ALU(divw, VP_WORD32(divide(static_cast<std::int32_t>(VP_RS1), static_cast<std::int32_t>(VP_RS2))))
  VP_ALU(divuw, VP_WORD32(divide_unsigned(static_cast<std::uint32_t>(VP_RS1), static_cast<std::uint32_t>(VP_RS2))))
  VP_ALU(remw, VP_WORD32(remainder(static_cast<std::int32_t>(VP_RS1), static_cast<std::int32_t>(VP_RS2))))
  VP_ALU(remuw, VP_WORD32(remainder_unsigned(static_cast<std::uint32_t>(VP_RS1), static_cast<std::uint32_t>(VP_RS2))))

  VP_LOAD(lb, std::int8_t)
  VP_LOAD(lh, std::int16_t)
  VP_LOAD(lw, std::int32_t)
  VP_LOAD(ld, std::int64_t)
  VP_LOAD(lbu, std::uint8_t)
  VP_LOAD(lhu, std::uint16_t)
  VP_LOAD(lwu, std::uint32_t)
  VP_STORE(sb, std::uint8_t)
  VP_STORE(sh, std::uint16_t)
  VP_STORE(sw, std::uint32_t)
  VP_STORE(sd, std::uint64_t)

op_fence:
  VP_NEXT();

  VP_BRANCH(beq, VP_RS1 == VP_RS2)
  VP_BRANCH(bne, VP_RS1 != VP_RS2)
  VP_BRANCH(blt, VP_SIGNED(VP_RS1) < VP_SIGNED(VP_RS2))
  VP_BRANCH(bge, VP_SIGNED(VP_RS1) >= VP_SIGNED(VP_RS2))
  VP_BRANCH(bltu, VP_RS1 < VP_RS2)
  VP_BRANCH(bgeu, VP_RS1 >= VP_RS2)

op_jal:
  x[op->rd] = static_cast<Word>(block->next_pc);
  VP_ENTER(taken, leave_taken);

op_jalr : {
  const Word address = (VP_RS1 + VP_IMM) & ~Word{1};
  x[op->rd] = static_cast<Word>(block->next_pc);
  // A jump keeps the privilege mode, so the target's key differs from its address as this block's does.
  const std::uint64_t wanted = address | (block->key & 1);
  Block* const target = blocks_.front()[BlockCache::slot(wanted)];
  if (target->key == wanted && time + target->worst <= until) {
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

template class Hart<std::uint32_t>;
template class Hart<std::uint64_t>;

}  // namespace vp::cpu
