#include "models/cpu/float_operations.h"
#include "models/cpu/jit/x86_64/assembler.h"

// Conversions between integers, floats and doubles, as float_operations.h has them.

namespace vp::cpu::x86_64 {

template <typename Word>
bool Assembler<Word>::float_conversion(const Op& op, Opcode single, bool wide) {
  if (truncates(single)) return float_to_integer(op, single, wide);
  if (!rounds_to_nearest(op, single)) return false;
  if (single == Opcode::fcvt_s_d)
    float_from_other(op, wide);
  else
    float_from_integer(op, single, wide);
  return true;
}

template <typename Word>
void Assembler<Word>::float_from_other(const Op& op, bool wide) {
  const Xbyak::Xmm from = float_source(xmm0, op.rs1, !wide);
  if (wide) {
    ucomiss(from, from);
    jp(detours_.back().start, T_NEAR);
    cvtss2sd(xmm0, from);
  } else {
    cvtsd2ss(xmm0, from);
    check_result(wide, true);
    check_exactness(Opcode::fcvt_s_d);
  }
  float_done(op.rd, xmm0, wide);
}

/// An integer of 32 bits without a sign is one of 64 bits with a sign; one of 64 bits without a sign must not have its
/// highest bit set.
template <typename Word>
void Assembler<Word>::float_from_integer(const Op& op, Opcode single, bool wide) {
  const bool of_word = single == Opcode::fcvt_s_w;
  copy(of_word || single == Opcode::fcvt_s_wu ? Reg(eax) : Reg(rax), op.rs1);  // of 32 bits the upper half is zero
  if (single == Opcode::fcvt_s_lu) {
    test(rax, rax);
    js(detours_.back().start, T_NEAR);
  }
  convert_integer(xmm0, of_word ? Reg(eax) : Reg(rax), wide);
  if (!wide || single == Opcode::fcvt_s_l || single == Opcode::fcvt_s_lu) check_exactness(single);
  float_done(op.rd, xmm0, wide);
}

template <typename Word>
void Assembler<Word>::convert_integer(const Xbyak::Xmm& to, const Reg& from, bool wide) {
  xorps(to, to);  // so that it need not wait for what was in it
  wide ? cvtsi2sd(to, from) : cvtsi2ss(to, from);
}

/// What roundsd takes for a rounding mode, the dynamic one being nearest_even; or kNoRounding.
template <typename Word>
int Assembler<Word>::host_rounding(unsigned field) const {
  using ieee754::Rounding;
  if (field == kDynamicRounding) return has_rounding_ ? 0 : kNoRounding;
  switch (static_cast<Rounding>(field)) {
    case Rounding::nearest_even:
      return has_rounding_ ? 0 : kNoRounding;
    case Rounding::down:
      return has_rounding_ ? 1 : kNoRounding;
    case Rounding::up:
      return has_rounding_ ? 2 : kNoRounding;
    case Rounding::to_zero:
      return kTruncation;
    default:
      return kNoRounding;
  }
}

/// What fits; an integer of 32 bits without a sign by way of one of 64 bits with a sign.
template <typename Word>
bool Assembler<Word>::float_to_integer(const Op& op, Opcode single, bool wide) {
  const Xbyak::Label& start = detours_.back().start;
  const bool of_word = single == Opcode::fcvt_w_s, unsigned_word = single == Opcode::fcvt_wu_s;
  const int rounding = host_rounding(rounding_field(op.imm));
  if (rounding == kNoRounding) return false;
  if (rounding_field(op.imm) == kDynamicRounding) {
    cmp(frm(), 0);
    jne(start, T_NEAR);
  }
  const Reg whole = of_word ? Reg(eax) : Reg(rax);
  copy_float(xmm0, op.rs1, wide);
  if (rounding != kTruncation) wide ? roundsd(xmm1, xmm0, rounding) : roundss(xmm1, xmm0, rounding);
  const Xbyak::Xmm& rounded = rounding == kTruncation ? xmm0 : xmm1;
  wide ? cvttsd2si(whole, rounded) : cvttss2si(whole, rounded);
  if (unsigned_word) {
    mov(ecx, eax);
    cmp(rcx, rax);
    jne(start, T_NEAR);
  } else if (single == Opcode::fcvt_lu_s) {
    test(rax, rax);
    js(start, T_NEAR);
  } else {
    cmp(whole, 1);
    jo(start, T_NEAR);  // the least integer, which also stands for all that do not fit
  }
  raise_inexact_unless_equal(whole, wide);
  if (of_word || unsigned_word) sign_extend_word(rax);
  done(op.rd, native_word(rax.getIdx()));
  return true;
}

/// Unless xmm0 is that whole number.
template <typename Word>
void Assembler<Word>::raise_inexact_unless_equal(const Reg& whole, bool wide) {
  Xbyak::Label end;
  test(fflags(), ieee754::inexact);
  jnz(end);
  convert_integer(xmm1, whole, wide);
  wide ? ucomisd(xmm0, xmm1) : ucomiss(xmm0, xmm1);
  je(end);
  or_(fflags(), ieee754::inexact);
  L(end);
}

}  // namespace vp::cpu::x86_64

#include "models/cpu/jit/x86_64/both_widths.h"
