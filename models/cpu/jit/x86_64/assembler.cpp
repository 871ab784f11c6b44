#include "models/cpu/jit/x86_64/assembler.h"

#include <limits>

#include "models/cpu/float/host.h"

namespace vp::cpu::x86_64 {

template <typename Word>
Assembler<Word>::Assembler(const CpuConfig& config, CodeMemory& memory, Entered* entered, Constants& constants)
    : Encoder(memory.code_size(), memory.code()),
      config_(config),
      entered_(entered),
      constants_(constants),
      floats_by_host_(ieee754::host::usable()),
      has_rounding_(__builtin_cpu_supports("sse4.1")) {}

template <typename Word>
Assembler<Word>::~Assembler() = default;

template <typename Word>
Memory Assembler<Word>::place(unsigned guest) {
  return {place32(guest).place, kBits};
}

template <typename Word>
Memory Assembler<Word>::place32(unsigned guest) {
  return {{Registers::kState, Place::kNoIndex, displacement(guest * sizeof(Word))}, 32};
}

template <typename Word>
Xbyak::Reg Assembler<Word>::source(unsigned guest, const Reg& temporary) {
  if (kept(guest)) return temporary.isBit(32) ? Reg(Xbyak::Reg32(Registers::kHost[guest])) : host(guest);
  copy(temporary, guest);
  return temporary;
}

/// `to` has the width of a word, or of 32 bits.
template <typename Word>
void Assembler<Word>::copy(const Reg& to, unsigned guest) {
  if (guest == 0) {
    xor_(Xbyak::Reg32(to.getIdx()), Xbyak::Reg32(to.getIdx()));
  } else if (!kept(guest)) {
    mov(to, to.isBit(32) ? place32(guest) : place(guest));
  } else if (Registers::kHost[guest] != to.getIdx()) {
    mov(to, to.isBit(32) ? Reg(Xbyak::Reg32(Registers::kHost[guest])) : host(guest));
  }
}

template <typename Word>
void Assembler<Word>::done(unsigned guest, const Reg& value) {
  if (guest == kSink) return;
  if (!kept(guest))
    mov(place(guest), value);
  else if (Registers::kHost[guest] != value.getIdx())
    mov(host(guest), value);
}

template <typename Word>
void Assembler<Word>::constant(const Reg& to, std::uint64_t value) {
  if (value == 0)
    xor_(Xbyak::Reg32(to.getIdx()), Xbyak::Reg32(to.getIdx()));
  else if (value <= std::numeric_limits<std::uint32_t>::max())
    mov(Xbyak::Reg32(to.getIdx()), static_cast<std::uint32_t>(value));
  else
    mov(Xbyak::Reg64(to.getIdx()), value);
}

template <typename Word>
void Assembler<Word>::set_constant(unsigned guest, std::uint64_t value) {
  set_constant_by(guest, value, native_word(rax.getIdx()));
}

template <typename Word>
void Assembler<Word>::set_constant_by(unsigned guest, std::uint64_t value, const Reg& temporary) {
  if (guest == kSink) return;
  const auto as_signed = static_cast<std::int64_t>(value);
  if (!kept(guest) && as_signed == static_cast<std::int32_t>(as_signed)) {
    mov(place(guest), static_cast<std::int32_t>(as_signed));
    return;
  }
  const Reg to = target(guest, temporary);
  constant(to, static_cast<Word>(value));
  done(guest, to);
}

/// The result of an instruction on the lower 32 bits of registers of 64.
template <typename Word>
void Assembler<Word>::sign_extend_word(const Reg& to) {
  if (kWide) movsxd(Xbyak::Reg64(to.getIdx()), Xbyak::Reg32(to.getIdx()));
}

template <typename Word>
void Assembler<Word>::keep_registers() {
  for (const Registers::Pair& pair : Registers::kKept) mov(place(pair.guest), native_word(pair.host));
}
template <typename Word>
void Assembler<Word>::fetch_registers() {
  for (const Registers::Pair& pair : Registers::kKept) mov(native_word(pair.host), place(pair.guest));
}

template <typename Word>
const Thunks& Assembler<Word>::write_thunks() {
  setSize(0);
  write_leave_thunks();
  write_jump_thunks();
  write_enter_thunk();
  write_float_thunk();
  return thunks_;
}

namespace {

/// Registers of the host that belong to the caller.
constexpr int kCallers[] = {Xbyak::Operand::RBX, Xbyak::Operand::RBP, Xbyak::Operand::R12,
                            Xbyak::Operand::R13, Xbyak::Operand::R14, Xbyak::Operand::R15};

Xbyak::Address in_frame(const Xbyak::Reg64& frame, std::size_t offset) {
  return Xbyak::util::qword[frame + static_cast<int>(offset)];
}

}  // namespace

template <typename Word>
void Assembler<Word>::write_enter_thunk() {
  thunks_.enter = getCurr<void (*)(NativeFrame*, const void*)>();
  for (const int one : kCallers) push(Xbyak::Reg64(one));
  mov(rax, rsi);
  mov(entered(&entered_->frame), rdi);
  mov(rcx, in_frame(rdi, offsetof(NativeFrame, front)));
  mov(entered(&entered_->front), rcx);
  mov(rcx, in_frame(rdi, offsetof(NativeFrame, jumps)));
  mov(entered(&entered_->jumps), rcx);
  static_assert(offsetof(NativeFrame, reserved) == offsetof(NativeFrame, reserves) + 4);
  static_assert(offsetof(Entered, reserved) == offsetof(Entered, reserves) + 4);
  mov(rcx, in_frame(rdi, offsetof(NativeFrame, reserves)));
  mov(entered(&entered_->reserves), rcx);
  lea(rcx, ptr[rip + thunks_.returned_elsewhere]);
  push(rcx);
  mov(entered(&entered_->calls), rsp);
  lea(rcx, ptr[rsp - 8 * Entered::kMostCalls]);
  mov(entered(&entered_->lowest), rcx);
  mov(dword[rip + static_cast<const void*>(&entered_->failures_left)], Entered::kMostFailures);
  mov(rbp, in_frame(rdi, offsetof(NativeFrame, x)));
  add(rbp, Registers::kBias);
  mov(Xbyak::Reg64(Registers::kReads), in_frame(rdi, offsetof(NativeFrame, reads)));
  mov(Xbyak::Reg64(Registers::kBudget), in_frame(rdi, offsetof(NativeFrame, budget)));
  for (const int counter : {Registers::kCounts, Registers::kWrites}) pxor(Xbyak::Xmm(counter), Xbyak::Xmm(counter));
  fetch_registers();
  jmp(rax);
}

template <typename Word>
void Assembler<Word>::write_leave_thunks() {
  Xbyak::Label leave_behind;
  thunks_.inside = getCurr();
  mov(ecx, static_cast<std::uint32_t>(NativeFrame::Left::inside));
  fill_frame();
  call_in_place();
  jmp(leave_behind, T_NEAR);
  thunks_.indirect = getCurr();
  mov(cl, static_cast<int>(NativeFrame::Left::indirect));
  thunks_.leave = getCurr();
  movzx(ecx, cl);
  fill_frame();
  L(leave_behind);
  forget_calls();
  add(rsp, 8);
  for (std::size_t i = std::size(kCallers); i-- > 0;) pop(Xbyak::Reg64(kCallers[i]));
  ret();
}

/// From rax, rdx, and rcx as `left`. Leaves its address in rbx.
template <typename Word>
void Assembler<Word>::fill_frame() {
  keep_registers();
  mov(rbx, entered(&entered_->frame));
  mov(in_frame(rbx, offsetof(NativeFrame, native)), rax);
  mov(in_frame(rbx, offsetof(NativeFrame, detail)), rdx);
  mov(in_frame(rbx, offsetof(NativeFrame, left)), rcx);
  mov(rcx, entered(&entered_->reserves));
  mov(in_frame(rbx, offsetof(NativeFrame, reserves)), rcx);
  mov(in_frame(rbx, offsetof(NativeFrame, budget)), Xbyak::Reg64(Registers::kBudget));
  static_assert(offsetof(NativeFrame, read_traffic) == offsetof(NativeFrame, retired) + 8);
  movdqu(ptr[rbx + static_cast<int>(offsetof(NativeFrame, retired))], Xbyak::Xmm(Registers::kCounts));
  movq(in_frame(rbx, offsetof(NativeFrame, write_traffic)), Xbyak::Xmm(Registers::kWrites));
}

/// The frame at rbx is filled. Goes on where that says, with all calls known, or comes to its end.
template <typename Word>
void Assembler<Word>::call_in_place() {
  Xbyak::Label leave;
  mov(r12, rsp);
  and_(rsp, -16);
  mov(rdi, rbx);
  call(ptr[rbx + static_cast<int>(offsetof(NativeFrame, in_place))]);
  mov(rsp, r12);
  test(rax, rax);
  jz(leave);
  mov(Xbyak::Reg64(Registers::kReads), in_frame(rbx, offsetof(NativeFrame, reads)));
  mov(Xbyak::Reg64(Registers::kBudget), in_frame(rbx, offsetof(NativeFrame, budget)));
  mov(rcx, in_frame(rbx, offsetof(NativeFrame, reserves)));
  mov(entered(&entered_->reserves), rcx);
  movdqu(Xbyak::Xmm(Registers::kCounts), ptr[rbx + static_cast<int>(offsetof(NativeFrame, retired))]);
  movq(Xbyak::Xmm(Registers::kWrites), in_frame(rbx, offsetof(NativeFrame, write_traffic)));
  mov(rdx, in_frame(rbx, offsetof(NativeFrame, detail)));
  fetch_registers();
  jmp(rax);
  L(leave);
}

}  // namespace vp::cpu::x86_64

#include "models/cpu/jit/x86_64/both_widths.h"
