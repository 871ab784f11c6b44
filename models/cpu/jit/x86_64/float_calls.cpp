#include <cstddef>

#include "models/cpu/float_unit.h"
#include "models/cpu/jit/x86_64/assembler.h"

// Instructions of F and D: what is common to all, and the calls of what has no code. Neither the host's rounding mode
// nor its flags are touched: code is right only where its result raises nothing new (ieee754::host).

namespace vp::cpu::x86_64 {

namespace {

// Of State::x.
template <typename Word>
constexpr std::size_t kFloats = offsetof(State<Word>, f);
constexpr int kUpperHalf = 4;

/// What has no code, or code that is not right for it: rare operands, other rounding modes, the first inexact result.
/// By the integer arithmetic. False: its rounding mode is a reserved one, nothing is done.
template <typename Word>
bool execute_float(State<Word>& state, const Op& op, Opcode opcode) {
  return FloatUnit<Word>(state).execute(op, opcode);
}

}  // namespace

template <typename Word>
Xbyak::Address Assembler<Word>::float_place(unsigned guest) const {
  static_assert(offsetof(State<Word>, x) == 0);
  return qword[rbp + displacement(kFloats<Word> + 8 * guest)];
}
template <typename Word>
Xbyak::Address Assembler<Word>::float_lower(unsigned guest) const {
  return dword[rbp + displacement(kFloats<Word> + 8 * guest)];
}
template <typename Word>
Xbyak::Address Assembler<Word>::float_upper(unsigned guest) const {
  return dword[rbp + displacement(kFloats<Word> + 8 * guest) + kUpperHalf];
}
template <typename Word>
Xbyak::Address Assembler<Word>::fflags() const {
  return byte[rbp + displacement(offsetof(State<Word>, fflags))];
}
template <typename Word>
Xbyak::Address Assembler<Word>::frm() const {
  return byte[rbp + displacement(offsetof(State<Word>, frm))];
}

/// mstatus.FS stays dirty until the end of the block, as nothing in it makes it anything else.
template <typename Word>
void Assembler<Word>::check_float_dirty(const std::uint8_t* inside) {
  if (float_dirty_) return;
  const int mstatus = displacement(offsetof(State<Word>, mstatus));
  cmp(kWide ? qword[rbp + mstatus] : dword[rbp + mstatus], 0);
  jge(inside);  // its sign is SD (float_dirty())
  float_dirty_ = true;
}

template <typename Word>
void Assembler<Word>::float_operation(const Op& op, Opcode opcode, const std::uint8_t* inside) {
  FloatDetour& detour = detours_.emplace_back();
  detour.op = &op;
  detour.opcode = opcode;
  detour.inside = inside;
  const bool wide = is_double(opcode);
  const bool coded = floats_by_host_ && float_code(op, wide ? single_form(opcode) : opcode, wide);
  if (!coded) jmp(detour.start, T_NEAR);
  if (float_operands(opcode).rd) {
    if (!coded) copies_.forget(op.rd);
    detour.copy = copies_.copies[op.rd].host;
  }
  L(detour.end);
}

/// Apart from the body that they come back into. `proofs`: of results that may be right (float_exactness.cpp); without
/// them they are short.
template <typename Word>
void Assembler<Word>::write_detours(bool proofs) {
  for (FloatDetour& detour : detours_) {
    if (proofs && detour.zeros)
      accept_zeros(detour);
    else
      L(detour.zero);
    L(detour.inexact);
    if (proofs) accept_exact(detour);
    L(detour.start);
    call_float(detour);
    if (detour.copy != 0) {
      const bool wide = is_double(detour.opcode);
      load_into(Xbyak::Xmm(detour.copy), float_operand(detour.op->rd, wide), wide);
    }
    jmp(detour.end, T_NEAR);
  }
}

template <typename Word>
void Assembler<Word>::call_float(const FloatDetour& detour) {
  mov(rdx, reinterpret_cast<std::uintptr_t>(detour.op));
  mov(ecx, static_cast<std::uint32_t>(detour.opcode));
  call(thunks_.float_call);
  test(al, al);
  jz(detour.inside);
}

/// Keeps what the caller of generated code has in registers, and what belongs to the guest.
template <typename Word>
void Assembler<Word>::write_float_thunk() {
  // The copies of floats and the two counters.
  constexpr int kFirst = FloatCopies::kFirst, kSaved = 16 - kFirst, kStackOfCall = kBelowStack + 16 * kSaved;
  static_assert(FloatCopies::kLast < Registers::kCounts && Registers::kCounts < Registers::kWrites);
  thunks_.float_call = getCurr();
  keep_registers();
  mov(rbx, rsp);
  sub(rsp, kStackOfCall);
  and_(rsp, -16);
  for (int i = 0; i < kSaved; ++i) movdqu(ptr[rsp + 16 * i], Xbyak::Xmm(kFirst + i));
  lea(rdi, ptr[rbp - Registers::kBias]);
  mov(rsi, rdx);
  mov(edx, ecx);
  mov(rax, reinterpret_cast<std::uintptr_t>(&execute_float<Word>));
  call(rax);
  for (int i = 0; i < kSaved; ++i) movdqu(Xbyak::Xmm(kFirst + i), ptr[rsp + 16 * i]);
  mov(rsp, rbx);
  fetch_registers();
  ret();
}

}  // namespace vp::cpu::x86_64

#include "models/cpu/jit/x86_64/both_widths.h"
