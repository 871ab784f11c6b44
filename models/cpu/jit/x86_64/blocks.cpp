#include <cstddef>
#include <cstring>
#include <limits>

#include "models/cpu/jit/x86_64/assembler.h"
#include "models/cpu/memory_operations.h"
#include "models/cpu/tlb.h"

// Blocks as a whole: how they begin, reach memory and lead to each other.

namespace vp::cpu::x86_64 {

/// The executor leaves its loop before these.
template <typename Word>
bool Assembler<Word>::leaves(Opcode opcode) {
  return static_cast<unsigned>(opcode) >= kFastOpcodes && !is_float(opcode);
}

template <typename Word>
bool Assembler<Word>::can(const Block& block) {
  return !leaves(block.info[0].opcode);
}

/// What the executor does behind such an instruction is not compiled.
template <typename Word>
unsigned Assembler<Word>::end_of(const Block& block) {
  for (unsigned i = 0; i < block.count; ++i)
    if (leaves(block.info[i].opcode)) return i + 1;
  return static_cast<unsigned>(block.count);
}

template <typename Word>
std::size_t Assembler<Word>::write_block(const Block& block, NativeBlock& native, const NativeMemory& memory,
                                         bool timed, std::size_t at) {
  memory_ = memory;
  setSize(at);
  const unsigned end = end_of(block);
  native.block = const_cast<Block*>(&block);
  native.worst = block.worst;
  write_leaves(block, native, end);
  write_entry(block, native, accesses_from(block, 0, memory), timed);
  float_dirty_ = false;
  detours_.clear();
  copies_ = {};
  write_body(block, native, end);
  write_detours();
  return getSize();
}

template <typename Word>
void Assembler<Word>::write_body(const Block& block, NativeBlock& native, unsigned end) {
  for (unsigned i = 0; i < end; ++i) {
    const Op& op = const_cast<Block&>(block).ops()[i];
    const Opcode opcode = block.info[i].opcode;
    if (leaves(opcode)) {
      jmp(inside_[i], T_NEAR);
      return;
    }
    if (is_float(opcode)) check_float_dirty(inside_[i]);
    if (memory_shape(opcode).size != 0) {
      load_store(op, opcode, inside_[i]);
    } else if (opcode >= Opcode::beq && opcode <= Opcode::bgeu) {
      branch(op, opcode, block, native);
      return;
    } else if (opcode == Opcode::jal) {
      set_constant(op.rd, static_cast<Word>(block.next_pc));
      jump_taken(block, native);
      return;
    } else if (opcode == Opcode::jalr) {
      jump_indirect(op, block);
      return;
    } else if (is_float(opcode)) {
      float_operation(op, opcode, inside_[i]);
    } else if (op.rd != kSink) {
      operation(op, opcode, block);
    }
  }
  follow(native.next);
}

/// The ways out of a block stand before it, so that their addresses are known.
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
    if (!leaves(opcode) && memory_shape(opcode).size == 0 && !is_float(opcode)) continue;
    inside_[i] = getCurr();
    mov(edx, i);
    jmp(any_inside, T_AUTO);
  }
}

/// Looks whether the block may be entered, and counts it as a whole.
template <typename Word>
void Assembler<Word>::write_entry(const Block& block, NativeBlock& native, const NativeAccesses& accesses, bool timed) {
  const auto counters = [this](std::uint64_t first, std::uint64_t second) {
    const std::uint8_t* const place = getCurr();
    dq(first);
    dq(second);
    return static_cast<const void*>(place);
  };
  align(16, false);
  const void* const counts = counters(block.count, accesses.reads);
  const void* const writes = accesses.writes != 0 ? counters(accesses.writes, 0) : nullptr;
  native.entry = getCurr();
  cmp(Xbyak::Reg64(Registers::kBudget), ptr[rip + static_cast<const void*>(&native.worst)]);
  jl(refused_);
  if (timed) check_fetched(block);
  charge(block.cost + accesses.time);
  paddq(Xbyak::Xmm(Registers::kCounts), ptr[rip + counts]);
  if (writes) paddq(Xbyak::Xmm(Registers::kWrites), ptr[rip + writes]);
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
  if (block.first_front != &block.first_line) check(block.first_front, block.first_line);
  const bool same = block.last_line == block.first_line && block.last_front == block.first_front;
  if (block.last_front != &block.last_line && !same) check(block.last_front, block.last_line);
}

/// A load or store that finds its page or line in the table; else `miss`, with nothing done.
template <typename Word>
void Assembler<Word>::load_store(const Op& op, Opcode opcode, const void* miss) {
  const MemoryShape shape = memory_shape(opcode);
  const Xbyak::Reg64 address = address_of(op);
  mov(ecx, Xbyak::Reg32(address.getIdx()));
  if (memory_.shift != 0) shr(ecx, memory_.shift);
  and_(ecx, memory_.index_mask);
  const Reg tag = native_word(rdx.getIdx());
  mov(tag, native_word(address.getIdx()));
  and_(tag, memory_.tag_mask | (shape.size - 1));
  constexpr int kAddend = 8;
  if (shape.store) {
    add(rcx, ptr[rsp + kWritesInFrame]);
    cmp(tag, ptr[rcx]);
    jne(miss);
    mov(rcx, ptr[rcx + kAddend]);
    if (is_float(opcode))
      store_float(op, shape.size == 8, rcx + address);
    else
      store_to(op, shape.size, ptr[rcx + address]);
  } else {
    cmp(tag, ptr[Xbyak::Reg64(Registers::kReads) + rcx]);
    jne(miss);
    mov(rcx, ptr[Xbyak::Reg64(Registers::kReads) + rcx + kAddend]);
    if (is_float(opcode))
      load_float(op, shape.size == 8, rcx + address);
    else
      load_from(op, opcode, rcx + address);
  }
}

/// x[rs1] + imm, in a register that is not written. Of 32 bits the upper half is zero.
template <typename Word>
Xbyak::Reg64 Assembler<Word>::address_of(const Op& op) {
  if (kept(op.rs1) && op.imm == 0) return Xbyak::Reg64(Registers::kHost[op.rs1]);
  const Reg sum = native_word(rax.getIdx());
  if (op.rs1 == 0) {
    constant(sum, static_cast<Word>(op.imm));
  } else if (kept(op.rs1)) {
    lea(sum, ptr[Xbyak::Reg64(Registers::kHost[op.rs1]) + op.imm]);
  } else {
    mov(sum, place(op.rs1));
    if (op.imm != 0) add(sum, op.imm);
  }
  return rax;
}

template <typename Word>
void Assembler<Word>::load_from(const Op& op, Opcode opcode, const Xbyak::RegExp& from) {
  const Reg to = op.rd == kSink ? native_word(rax.getIdx()) : target(op.rd, native_word(rax.getIdx()));
  const Xbyak::Reg32 low(to.getIdx());
  switch (opcode) {
    case Opcode::lb:
      movsx(to, byte[from]);
      break;
    case Opcode::lbu:
      movzx(low, byte[from]);
      break;
    case Opcode::lh:
      movsx(to, word[from]);
      break;
    case Opcode::lhu:
      movzx(low, word[from]);
      break;
    case Opcode::lw:
      if (kWide)
        movsxd(Xbyak::Reg64(to.getIdx()), dword[from]);
      else
        mov(low, dword[from]);
      break;
    case Opcode::lwu:
      mov(low, dword[from]);
      break;
    default:
      mov(Xbyak::Reg64(to.getIdx()), qword[from]);
  }
  done(op.rd, to);
}

template <typename Word>
void Assembler<Word>::store_to(const Op& op, unsigned size, const Xbyak::Address& to) {
  const int from = source(op.rs2, native_word(rdx.getIdx())).getIdx();
  switch (size) {
    case 1:
      mov(to, Xbyak::Reg8(from, from >= 4));  // with a prefix, without which 4 to 7 would be ah to bh
      break;
    case 2:
      mov(to, Xbyak::Reg16(from));
      break;
    case 4:
      mov(to, Xbyak::Reg32(from));
      break;
    default:
      mov(to, Xbyak::Reg64(from));
  }
}

/// To the code behind a link of this block. The link is kept for who has to leave there.
template <typename Word>
void Assembler<Word>::follow(const void* const& link) {
  lea(rdx, ptr[rip + static_cast<const void*>(&link)]);
  jmp(ptr[rdx]);
}

/// A block that jumps to its own start needs no link, unless its code may be mapped elsewhere.
template <typename Word>
void Assembler<Word>::jump_taken(const Block& block, NativeBlock& native) {
  charge(block.taken_cost);
  if (block.taken_pc == block.pc && block.behind == Block::kNowhere)
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
