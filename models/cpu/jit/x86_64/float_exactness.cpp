#include "models/cpu/float_operations.h"
#include "models/cpu/jit/x86_64/assembler.h"

// Results in xmm0 that are right but may have raised a flag: those that are exact have not. Each goes on behind what
// it proves, or falls through to the call of the operation.

namespace vp::cpu::x86_64 {

namespace {

/// From this biased exponent on, the error of a product of this size or less is not too small for a float or a double.
constexpr unsigned least_exponent(bool wide) { return wide ? 128 : 64; }

}  // namespace

/// A result that is not ordinary is right if it is a zero and comes of a zero that is a factor (dividend, radicand,
/// what is converted).
template <typename Word>
void Assembler<Word>::accept_zeros(FloatDetour& detour) {
  const bool wide = is_double(detour.opcode), of_doubles = wide != (detour.checked == Opcode::fcvt_s_d);
  L(detour.zero);
  xorps(xmm1, xmm1);
  wide ? ucomisd(xmm0, xmm1) : ucomiss(xmm0, xmm1);
  jp(detour.start, T_NEAR);
  jne(detour.start, T_NEAR);
  const auto accept = [&](unsigned factor) {
    const Address place = float_operand(factor, of_doubles);
    of_doubles ? ucomisd(xmm1, place) : ucomiss(xmm1, place);
    je(detour.accepted, T_NEAR);  // it is no NaN, as the result is none
  };
  accept(detour.op->rs1);
  if (detour.checked == Opcode::fmul_s || is_fused(detour.checked)) accept(detour.op->rs2);
  jmp(detour.start, T_NEAR);
}

template <typename Word>
void Assembler<Word>::accept_exact(FloatDetour& detour) {
  const bool wide = is_double(detour.opcode);
  switch (detour.checked) {
    case Opcode::fadd_s:
    case Opcode::fsub_s:
      return accept_exact_sum(detour, wide);
    case Opcode::fmul_s:
      return accept_exact_product(detour, wide);
    case Opcode::fdiv_s:
    case Opcode::fsqrt_s:
      return accept_exact_quotient(detour, wide);
    case Opcode::fcvt_s_d:
      cvtss2sd(xmm1, xmm0);
      ucomisd(xmm1, float_place(detour.op->rs1));
      je(detour.accepted, T_NEAR);
      return;
    case Opcode::fcvt_s_w:
    case Opcode::fcvt_s_wu:
    case Opcode::fcvt_s_l:
    case Opcode::fcvt_s_lu:
      return accept_exact_integer(detour, wide);
    default:  // fused: there is no short proof; or nothing to be proved
      return;
  }
}

/// Without an error, which is no NaN then.
template <typename Word>
void Assembler<Word>::accept_if_zero(const FloatDetour& detour, const Xbyak::Xmm& error, bool wide) {
  xorps(xmm4, xmm4);
  wide ? ucomisd(error, xmm4) : ucomiss(error, xmm4);
  jp(detour.start, T_NEAR);
  je(detour.accepted, T_NEAR);
}

/// The error of a sum (Knuth's TwoSum), which is exact if nothing overflows.
template <typename Word>
void Assembler<Word>::accept_exact_sum(const FloatDetour& detour, bool wide) {
  const Address first = float_operand(detour.op->rs1, wide), second = float_operand(detour.op->rs2, wide);
  const auto load = [&](const Xbyak::Xmm& to, const Address& from) { wide ? movsd(to, from) : movss(to, from); };
  const auto subtract = [&](const Xbyak::Xmm& from, const Xbyak::Operand& by) {
    wide ? subsd(from, by) : subss(from, by);
  };
  movaps(xmm1, xmm0);
  subtract(xmm1, first);  // the part of the second
  movaps(xmm2, xmm0);
  subtract(xmm2, xmm1);  // the part of the first
  load(xmm3, first);
  subtract(xmm3, xmm2);
  load(xmm2, second);
  if (detour.checked == Opcode::fadd_s) {
    subtract(xmm2, xmm1);
    wide ? addsd(xmm3, xmm2) : addss(xmm3, xmm2);
  } else {
    wide ? addsd(xmm2, xmm1) : addss(xmm2, xmm1);
    subtract(xmm3, xmm2);
  }
  accept_if_zero(detour, xmm3, wide);
}

/// The exponent of the result, less 2, is in eax (check_result()).
template <typename Word>
void Assembler<Word>::accept_exact_product(const FloatDetour& detour, bool wide) {
  if (!ieee754::host::has_fused()) return;
  const Address first = float_operand(detour.op->rs1, wide), second = float_operand(detour.op->rs2, wide);
  cmp(eax, least_exponent(wide));
  jb(detour.start, T_NEAR);
  wide ? movsd(xmm1, first) : movss(xmm1, first);
  wide ? movsd(xmm2, second) : movss(xmm2, second);
  wide ? vfmsub213sd(xmm1, xmm2, xmm0) : vfmsub213ss(xmm1, xmm2, xmm0);
  accept_if_zero(detour, xmm1, wide);
}

/// The remainder of a division, or of a root, whose quotient and divisor are the root.
template <typename Word>
void Assembler<Word>::accept_exact_quotient(const FloatDetour& detour, bool wide) {
  if (!ieee754::host::has_fused()) return;
  const Address dividend = float_operand(detour.op->rs1, wide), divisor = float_operand(detour.op->rs2, wide);
  using Format64 = ieee754::Format<std::uint64_t>;
  using Format32 = ieee754::Format<std::uint32_t>;
  mov(wide ? Reg(rax) : Reg(eax), dividend);
  if (wide)
    shr(rax, Format64::kFraction);
  else
    shr(eax, Format32::kFraction);
  and_(eax, wide ? Format64::kMostBiased : Format32::kMostBiased);
  cmp(eax, least_exponent(wide));
  jb(detour.start, T_NEAR);
  movaps(xmm1, xmm0);
  movaps(xmm2, xmm0);
  if (detour.checked == Opcode::fdiv_s) wide ? movsd(xmm2, divisor) : movss(xmm2, divisor);
  wide ? vfnmadd213sd(xmm1, xmm2, dividend) : vfnmadd213ss(xmm1, xmm2, dividend);
  accept_if_zero(detour, xmm1, wide);
}

/// The integer is in rax, or for one of 32 bits with a sign in eax.
template <typename Word>
void Assembler<Word>::accept_exact_integer(const FloatDetour& detour, bool wide) {
  const bool of_word = detour.checked == Opcode::fcvt_s_w;
  const Reg back = of_word ? Reg(ecx) : Reg(rcx);
  wide ? cvttsd2si(back, xmm0) : cvttss2si(back, xmm0);
  cmp(back, of_word ? Reg(eax) : Reg(rax));
  je(detour.accepted, T_NEAR);
}

}  // namespace vp::cpu::x86_64

#include "models/cpu/jit/x86_64/both_widths.h"
