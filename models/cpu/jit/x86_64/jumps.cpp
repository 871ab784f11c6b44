#include <cstddef>
#include <type_traits>

#include "models/cpu/jit/x86_64/assembler.h"

// Calls, returns and other jumps to an address in a register.
//
// A call of the guest is a call of the host: to the code of the block that it leads to, with the way back behind it. So
// a return of the guest is one of the host, which the host foresees. Behind the call the address that the guest has
// returned to is compared with the one there; where it is another, all calls are forgotten. They are, too, whenever
// generated code is left, so what they lead to has not changed meanwhile. What has not been foreseen goes by the table
// of jumps. Where recursion is deep that happens so often that nothing is foreseen any more until code is entered anew.
// In timed mode, whose blocks are shorter, the table alone is faster.

namespace vp::cpu::x86_64 {
namespace {

/// What a jump does with the calls that are known (RISC-V manual, volume I, 2.5, hints of JALR).
enum class Calls : std::uint8_t { nothing, push, pop, pop_and_push };

bool is_link(unsigned guest) { return guest == 1 || guest == 5; }

Calls calls_of(const Op& op) {
  if (!is_link(op.rs1)) return is_link(op.rd) ? Calls::push : Calls::nothing;
  if (!is_link(op.rd)) return Calls::pop;
  return op.rd == op.rs1 ? Calls::push : Calls::pop_and_push;
}

}  // namespace

template <typename Word>
void Assembler<Word>::jump(const Op& op, const NativeBlock& native) {
  set_constant(op.rd, static_cast<Word>(native.block->next_pc));
  if (!is_link(op.rd) || !foresees_) return jump_taken(native, true);
  charge(native.block->taken_cost);
  cmp(rsp, entered(&entered_->lowest));
  const std::size_t skip = skip_if(Condition::above_or_equal);
  forget_calls();
  follow(native, true, false);
  land(skip);
  if (const NativeBlock* const to = always(native, true))
    call_to(*to);
  else
    call(known(&native.links->taken));
  come_back(native, true);
}

template <typename Word>
void Assembler<Word>::jump_indirect(const Op& op, const NativeBlock& native) {
  const Reg address = native_word(rax.getIdx());
  copy(address, op.rs1);
  if (op.imm != 0) add(address, op.imm);
  set_constant_by(op.rd, static_cast<Word>(native.block->next_pc), native_word(rcx.getIdx()));
  Xbyak::Label by_table, known, unknown, deeper;
  switch (foresees_ ? calls_of(op) : Calls::nothing) {
    case Calls::nothing:
      return jump_by_table();
    case Calls::pop:
      cmp(dword[rip + static_cast<const void*>(&entered_->failures_left)], 0);
      jle(by_table);
      ret();
      L(by_table);
      return jump_by_table();
    case Calls::pop_and_push:
      pop(rcx);
      call(rcx);
      return come_back(native, true);
    case Calls::push:
      break;
  }
  find_jump();
  jne(unknown);
  mov(rcx, ptr[jump_found()]);
  L(known);
  cmp(rsp, entered(&entered_->lowest));
  jb(deeper);
  call(rcx);
  come_back(native, false);
  L(deeper);
  forget_calls();
  jmp(rcx);
  L(unknown);
  lea(rcx, ptr[rip + thunks_.look_in_front]);
  jmp(known);
}

/// Behind a call, which has been returned from to address rax.
template <typename Word>
void Assembler<Word>::come_back(const NativeBlock& native, bool last) {
  const std::uint64_t next = native.block->next_pc;
  const auto address = static_cast<std::int64_t>(static_cast<std::make_signed_t<Word>>(next));
  if (address == static_cast<std::int32_t>(address)) {
    cmp(native_word(rax.getIdx()), static_cast<std::int32_t>(address));
  } else {
    constant(rcx, next);
    cmp(rax, rcx);
  }
  jne(thunks_.returned_elsewhere);
  follow(native, false, last);
}

/// To address rax.
template <typename Word>
void Assembler<Word>::jump_by_table() {
  find_jump();
  jne(thunks_.look_in_front);
  jmp(ptr[jump_found()]);
}

/// Makes address rax even, and looks for it in the table of jumps: the flags tell whether it is there, rdx and rcx
/// where.
template <typename Word>
void Assembler<Word>::find_jump() {
  and_(native_word(rax.getIdx()), -2);
  jump_offset(ecx);
  mov(rdx, entered(&entered_->jumps));
  cmp(rax, ptr[place_of(rdx, rcx)]);
}

/// Of address rax in the table of jumps.
template <typename Word>
void Assembler<Word>::jump_offset(const Xbyak::Reg32& to) {
  static_assert(sizeof(NativeJump) == 16);
  mov(to, eax);
  shl(to, 3);
  and_(to, (BlockCache::kJumps - 1) * sizeof(NativeJump));
}

/// No call is known any more.
template <typename Word>
void Assembler<Word>::forget_calls() {
  mov(rsp, entered(&entered_->calls));
}

template <typename Word>
void Assembler<Word>::write_jump_thunks() {
  write_front_thunk();
  // The first of the known calls is returned to here, too, unless a jump that pops and pushes has put its own there.
  thunks_.returned_elsewhere = getCurr();
  Xbyak::Label foresees;
  dec(dword[rip + static_cast<const void*>(&entered_->failures_left)]);
  jnz(foresees);
  mov(entered(&entered_->lowest), Entered::kNoCalls);
  L(foresees);
  forget_calls();
  lea(rcx, ptr[rip + thunks_.returned_elsewhere]);
  mov(ptr[rsp], rcx);
  jump_by_table();
}

/// By the table in front of the blocks. What is there and has code is entered in the table of jumps.
template <typename Word>
void Assembler<Word>::write_front_thunk() {
  thunks_.look_in_front = getCurr();
  mov(ecx, eax);
  shr(ecx, 1);
  and_(ecx, BlockCache::kFrontSize - 1);
  mov(rdx, entered(&entered_->front));
  mov(rcx, ptr[rdx + rcx * 8]);
  cmp(ptr[rcx + static_cast<int>(offsetof(Block, pc))], rax);
  jne(thunks_.indirect);
  mov(rdx, ptr[rcx + static_cast<int>(offsetof(Block, entry))]);
  lea(rcx, ptr[rip + thunks_.indirect]);
  cmp(rdx, rcx);
  je(thunks_.indirect);
  jump_offset(ecx);
  add(rcx, entered(&entered_->jumps));
  mov(ptr[rcx], rax);
  mov(ptr[rcx + static_cast<int>(offsetof(NativeJump, entry))], rdx);
  jmp(rdx);
}

}  // namespace vp::cpu::x86_64

#include "models/cpu/jit/x86_64/both_widths.h"
