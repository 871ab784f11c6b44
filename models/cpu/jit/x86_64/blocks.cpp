#include <cstddef>
#include <limits>

#include "models/cpu/jit/x86_64/assembler.h"
#include "models/cpu/memory_operations.h"
#include "models/cpu/tlb.h"

// Blocks as a whole: how they begin and lead to each other.

namespace vp::cpu::x86_64 {

/// What only the hart as a whole does.
template <typename Word>
bool Assembler<Word>::leaves(const Block& block, unsigned index) {
  const Opcode opcode = block.info[index].opcode;
  const bool has_code = static_cast<unsigned>(opcode) < kFastOpcodes || is_float(opcode) || plain_amo_size(opcode) != 0;
  return !has_code && !switches_interrupts(block, index);
}

template <typename Word>
bool Assembler<Word>::can(const Block& block) {
  return !leaves(block, 0);
}

/// What is done behind such an instruction is not compiled.
template <typename Word>
unsigned Assembler<Word>::end_of(const Block& block) {
  for (unsigned i = 0; i < block.count; ++i)
    if (leaves(block, i)) return i + 1;
  return static_cast<unsigned>(block.count);
}

template <typename Word>
CodePlaces Assembler<Word>::write_block(const Block& block, NativeBlock& native, const NativeMemory& memory, bool timed,
                                        CodePlaces at) {
  memory_ = memory;
  const unsigned end = end_of(block);
  native.block = const_cast<Block*>(&block);
  native.worst = block.worst;
  setSize(at.rarely);
  write_leaves(block, native, end);
  groups_ = {};
  group_of_.fill(kNoGroup);
  if (!timed) find_groups(block, end);
  const auto grouped = [this](unsigned index) { return group_of_[index] != kNoGroup; };
  for (unsigned i = 0; i < end; ++i)
    if (grouped(i)) {
      write_body(block, native, i, end, false);
      write_detours(false);
      break;
    }
  at.rarely = getSize();
  setSize(at.often);
  write_entry(block, native, accesses_from(block, 0, memory), timed);
  write_body(block, native, 0, end, true);
  at.often = getSize();
  setSize(at.rarely);
  write_detours(true);
  at.rarely = getSize();
  return at;
}

/// From this instruction on. In a body that is not `grouped` each load and store looks for its page by itself.
template <typename Word>
void Assembler<Word>::write_body(const Block& block, NativeBlock& native, unsigned first, unsigned end, bool grouped) {
  in_rcx_ = kNoGroup;
  float_dirty_ = false;
  detours_.clear();
  copies_ = {};
  for (unsigned i = first; i < end; ++i) {
    if (!grouped) {
      one_by_one_[i] = getCurr();
      copies_ = {};  // of who comes in here nothing is known
    }
    if (!instruction(block, native, i, grouped)) return;
  }
  follow(native.next);
}

/// False: what it has written leads elsewhere.
template <typename Word>
bool Assembler<Word>::instruction(const Block& block, NativeBlock& native, unsigned index, bool grouped) {
  const Op& op = const_cast<Block&>(block).ops()[index];
  const Opcode opcode = block.info[index].opcode;
  if (leaves(block, index)) {
    jmp(inside_[index], T_NEAR);
    return false;
  }
  if (is_float(opcode)) check_float_dirty(inside_[index]);
  if (memory_shape(opcode).size != 0 && grouped && group_of_[index] != kNoGroup) {
    grouped_load_store(op, opcode, index);
    return true;
  }
  in_rcx_ = kNoGroup;
  if (memory_shape(opcode).size != 0) {
    load_store(op, opcode, inside_[index]);
  } else if (opcode >= Opcode::beq && opcode <= Opcode::bgeu) {
    branch(op, opcode, block, native);
    return false;
  } else if (opcode == Opcode::jal) {
    set_constant(op.rd, static_cast<Word>(block.next_pc));
    jump_taken(block, native);
    return false;
  } else if (opcode == Opcode::jalr) {
    jump_indirect(op, block);
    return false;
  } else if (plain_amo_size(opcode) != 0) {
    atomic(op, opcode, inside_[index]);
  } else if (is_csr(opcode)) {
    switch_interrupts(op, opcode, inside_[index]);
  } else if (is_float(opcode)) {
    float_operation(op, opcode, inside_[index]);
  } else if (op.rd != kSink) {
    operation(op, opcode, block);
  }
  return true;
}

/// The ways out of a block are written first, so that their addresses are known.
template <typename Word>
void Assembler<Word>::write_leaves(const Block& block, NativeBlock& native, unsigned end) {
  const auto leave = [&](const void* thunk) {
    const std::uint8_t* const start = getCurr();
    lea(rax, ptr[rip + static_cast<const void*>(&native)]);
    jmp(thunk, T_NEAR);
    return start;
  };
  refused_ = leave(thunks_.refused);
  native.taken = native.taken_leave = leave(thunks_.taken);
  native.next = native.next_leave = leave(thunks_.next);
  const std::uint8_t* const any_inside = leave(thunks_.inside);
  for (unsigned i = 0; i < end; ++i) {
    const Opcode opcode = block.info[i].opcode;
    const bool stays = static_cast<unsigned>(opcode) < kFastOpcodes && memory_shape(opcode).size == 0;
    if (stays) continue;
    inside_[i] = getCurr();
    mov(edx, i);
    jmp(any_inside, T_AUTO);
  }
}

/// Looks whether the block may be entered, and counts it as a whole.
template <typename Word>
void Assembler<Word>::write_entry(const Block& block, NativeBlock& native, const NativeAccesses& accesses, bool timed) {
  native.count = block.count;
  native.reads = accesses.reads;
  native.writes = accesses.writes;
  const auto of_block = [this](const std::uint64_t& first) { return ptr[rip + static_cast<const void*>(&first)]; };
  static_assert(offsetof(NativeBlock, reads) == 8 && offsetof(NativeBlock, none) == offsetof(NativeBlock, writes) + 8);
  native.entry = getCurr();
  cmp(Xbyak::Reg64(Registers::kBudget), ptr[rip + static_cast<const void*>(&native.worst)]);
  jl(refused_);
  if (timed) check_fetched(block);
  charge(block.cost + accesses.time);
  paddq(Xbyak::Xmm(Registers::kCounts), of_block(native.count));
  if (native.writes != 0) paddq(Xbyak::Xmm(Registers::kWrites), of_block(native.writes));
}

template <typename Word>
void Assembler<Word>::charge(Picoseconds time) {
  const Xbyak::Reg64 budget(Registers::kBudget);
  if (time == 0) return;
  if (time <= static_cast<Picoseconds>(std::numeric_limits<std::int32_t>::max())) {
    sub(budget, static_cast<std::uint32_t>(time));
  } else {
    mov(rax, time);
    sub(budget, rax);
  }
}

/// Code that is not cached is its own front.
template <typename Word>
void Assembler<Word>::check_fetched(const Block& block) {
  const auto check = [this](const std::uint64_t* front, std::uint64_t line) {
    mov(rax, reinterpret_cast<std::uintptr_t>(front));
    mov(rcx, line);
    cmp(qword[rax], rcx);
    jne(refused_);
  };
  const CodeLines& lines = block.lines();
  if (lines.first_front != &lines.first_line) check(lines.first_front, lines.first_line);
  const bool same = lines.last_line == lines.first_line && lines.last_front == lines.first_front;
  if (lines.last_front != &lines.last_line && !same) check(lines.last_front, lines.last_line);
}

/// To the code behind a link of this block. The link is kept for who has to leave there.
template <typename Word>
void Assembler<Word>::follow(const void* const& link) {
  lea(rdx, ptr[rip + static_cast<const void*>(&link)]);
  jmp(ptr[rdx]);
}

/// A block that jumps to its own start needs no link, unless its code may be mapped elsewhere or is yet to be written.
template <typename Word>
void Assembler<Word>::jump_taken(const Block& block, NativeBlock& native) {
  charge(block.taken_cost);
  if (block.taken_pc == block.pc && block.behind == Block::kNowhere && native.entry)
    jmp(native.entry, T_NEAR);
  else
    follow(native.taken);
}

template <typename Word>
void Assembler<Word>::branch(const Op& op, Opcode opcode, const Block& block, NativeBlock& native) {
  compare_registers(op);
  Xbyak::Label taken;
  switch (opcode) {
    case Opcode::beq:
      je(taken, T_NEAR);
      break;
    case Opcode::bne:
      jne(taken, T_NEAR);
      break;
    case Opcode::blt:
      jl(taken, T_NEAR);
      break;
    case Opcode::bge:
      jge(taken, T_NEAR);
      break;
    case Opcode::bltu:
      jb(taken, T_NEAR);
      break;
    default:
      jae(taken, T_NEAR);
  }
  follow(native.next);
  L(taken);
  jump_taken(block, native);
}

/// By the table in front of the blocks.
template <typename Word>
void Assembler<Word>::jump_indirect(const Op& op, const Block& block) {
  const Reg address = native_word(rax.getIdx());
  copy(address, op.rs1);
  if (op.imm != 0) add(address, op.imm);
  and_(address, -2);
  set_constant_by(op.rd, static_cast<Word>(block.next_pc), native_word(rcx.getIdx()));
  mov(ecx, eax);
  shr(ecx, 1);
  and_(ecx, BlockCache::kFrontSize - 1);
  mov(rdx, ptr[rsp + kFrontInFrame]);
  mov(rcx, ptr[rdx + rcx * 8]);
  cmp(ptr[rcx + static_cast<int>(offsetof(Block, pc))], rax);
  jne(thunks_.indirect);
  xor_(edx, edx);
  jmp(ptr[rcx + static_cast<int>(offsetof(Block, entry))]);
}

template class Assembler<std::uint32_t>;
template class Assembler<std::uint64_t>;

}  // namespace vp::cpu::x86_64
