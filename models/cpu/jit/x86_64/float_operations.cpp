#include "models/cpu/float_operations.h"

#include <utility>

#include "models/cpu/jit/x86_64/assembler.h"

// Code of instructions of F and D, as float_operations.h has them. Operands that it is not right for go to the detour
// of the instruction, detours_.back(), with nothing done.

namespace vp::cpu::x86_64 {

template <typename Word>
bool Assembler<Word>::float_code(const Op& op, Opcode single, bool wide) {
  switch (single) {
    case Opcode::fsgnj_s:
    case Opcode::fsgnjn_s:
    case Opcode::fsgnjx_s:
      float_sign(op, single, wide);
      return true;
    case Opcode::fmin_s:
    case Opcode::fmax_s:
      float_extreme(op, single == Opcode::fmin_s, wide);
      return true;
    case Opcode::feq_s:
    case Opcode::flt_s:
    case Opcode::fle_s:
      float_compare(op, single, wide);
      return true;
    case Opcode::fmv_x_w:
      float_move_to_integer(op, wide);
      return true;
    case Opcode::fmv_w_x:
      float_move_from_integer(op, wide);
      return true;
    case Opcode::fclass_s:
      return false;  // rare
    default:
      return float_arithmetic(op, single, wide) || float_conversion(op, single, wide);
  }
}

/// A single that is not boxed is a NaN.
template <typename Word>
void Assembler<Word>::check_boxed(unsigned guest, bool wide) {
  if (wide) return;
  cmp(float_upper(guest), -1);
  jne(detours_.back().start, T_NEAR);
}

template <typename Word>
void Assembler<Word>::load_into(const Xbyak::Xmm& to, const Address& from, bool wide) {
  wide ? movsd(to, from) : movss(to, from);
}

/// The register that holds f[guest]: one that is not to be written, or this temporary one.
template <typename Word>
Xbyak::Xmm Assembler<Word>::float_source(const Xbyak::Xmm& temporary, unsigned guest, bool wide) {
  if (const auto* const copy = copies_.find(guest, wide)) return Xbyak::Xmm(copy->host);
  check_boxed(guest, wide);
  load_into(temporary, float_operand(guest, wide), wide);
  return temporary;
}
template <typename Word>
void Assembler<Word>::copy_float(const Xbyak::Xmm& to, unsigned guest, bool wide) {
  const Xbyak::Xmm from = float_source(to, guest, wide);
  if (from.getIdx() != to.getIdx()) movaps(to, from);
}

template <typename Word>
void Assembler<Word>::float_done(unsigned guest, const Xbyak::Xmm& value, bool wide) {
  if (wide) {
    movsd(float_place(guest), value);
  } else {
    movss(float_lower(guest), value);
    mov(float_upper(guest), -1);
  }
  const Xbyak::Xmm copy = copies_.take(guest, wide);
  movaps(copy, value);
}

/// A register for what f[guest] is now; who had it before does without.
template <typename Word>
Xbyak::Xmm Assembler<Word>::FloatCopies::take(unsigned guest, bool wide) {
  forget(guest);
  any = true;
  for (Copy& copy : copies)
    if (copy.host == next) copy = {};
  copies[guest] = {static_cast<std::int8_t>(next), wide};
  const Xbyak::Xmm host(next);
  next = next == kLast ? kFirst : next + 1;
  return host;
}

/// Only if the instruction rounds to nearest when it is executed. False: it always rounds another way.
template <typename Word>
bool Assembler<Word>::rounds_to_nearest(const Op& op, Opcode single) {
  if (!rounds_by_host(single, op.imm)) return false;
  if (rounding_field(op.imm) == kDynamicRounding) {
    cmp(frm(), 0);
    jne(detours_.back().start, T_NEAR);
  }
  return true;
}

/// xmm0 raises nothing, as inexact has been raised; else it has to be looked at closer.
template <typename Word>
void Assembler<Word>::check_exactness(Opcode single) {
  FloatDetour& detour = detours_.back();
  detour.checked = single;
  test(fflags(), ieee754::inexact);
  jz(detour.inexact, T_NEAR);
  L(detour.accepted);
}

/// xmm0 is finite; `also_small`: or else it is not known not to have been tiny (ieee754::host::ordinary()).
template <typename Word>
void Assembler<Word>::check_result(bool wide, bool also_small) {
  FloatDetour& detour = detours_.back();
  const unsigned fraction =
      wide ? ieee754::Format<std::uint64_t>::kFraction : ieee754::Format<std::uint32_t>::kFraction;
  const unsigned most =
      wide ? ieee754::Format<std::uint64_t>::kMostBiased : ieee754::Format<std::uint32_t>::kMostBiased;
  if (wide) {
    movq(rax, xmm0);
    shr(rax, fraction);
  } else {
    movd(eax, xmm0);
    shr(eax, fraction);
  }
  and_(eax, most);
  if (also_small) {
    constexpr unsigned kLeast = 2;
    sub(eax, kLeast);
    cmp(eax, most - kLeast);
    jae(detour.zero, T_NEAR);
    detour.zeros = true;
  } else {
    cmp(eax, most);
    je(detour.start, T_NEAR);
  }
}

template <typename Word>
bool Assembler<Word>::float_arithmetic(const Op& op, Opcode single, bool wide) {
  const bool fused = is_fused(single), sum = single == Opcode::fadd_s || single == Opcode::fsub_s;
  const bool root = single == Opcode::fsqrt_s;
  if (!fused && !sum && !root && single != Opcode::fmul_s && single != Opcode::fdiv_s) return false;
  if (!rounds_to_nearest(op, single)) return false;
  if (root) {
    const Xbyak::Xmm radicand = float_source(xmm0, op.rs1, wide);
    wide ? sqrtsd(xmm0, radicand) : sqrtss(xmm0, radicand);
  } else if (fused) {
    float_fused(op, single, wide);
  } else {
    copy_float(xmm0, op.rs1, wide);
    const Xbyak::Xmm second = float_source(xmm1, op.rs2, wide);
    if (single == Opcode::fadd_s)
      wide ? addsd(xmm0, second) : addss(xmm0, second);
    else if (single == Opcode::fsub_s)
      wide ? subsd(xmm0, second) : subss(xmm0, second);
    else if (single == Opcode::fmul_s)
      wide ? mulsd(xmm0, second) : mulss(xmm0, second);
    else
      wide ? divsd(xmm0, second) : divss(xmm0, second);
  }
  check_result(wide, !sum);
  check_exactness(single);
  float_done(op.rd, xmm0, wide);
  return true;
}

/// The product has its sign changed in fnmsub and fnmadd, the summand in fmsub and fnmadd.
template <typename Word>
void Assembler<Word>::float_fused(const Op& op, Opcode single, bool wide) {
  const unsigned third = third_source(op.imm);
  copy_float(xmm0, op.rs1, wide);
  const Xbyak::Xmm factor = float_source(xmm1, op.rs2, wide), summand = float_source(xmm2, third, wide);
  if (single == Opcode::fmadd_s)
    wide ? vfmadd213sd(xmm0, factor, summand) : vfmadd213ss(xmm0, factor, summand);
  else if (single == Opcode::fmsub_s)
    wide ? vfmsub213sd(xmm0, factor, summand) : vfmsub213ss(xmm0, factor, summand);
  else if (single == Opcode::fnmsub_s)
    wide ? vfnmadd213sd(xmm0, factor, summand) : vfnmadd213ss(xmm0, factor, summand);
  else
    wide ? vfnmsub213sd(xmm0, factor, summand) : vfnmsub213ss(xmm0, factor, summand);
}

template <typename Word>
void Assembler<Word>::float_sign(const Op& op, Opcode single, bool wide) {
  const Reg value = wide ? Reg(rax) : Reg(eax), sign = wide ? Reg(rcx) : Reg(ecx);
  const int top = wide ? 63 : 31;
  if (op.rs1 == op.rs2 && single == Opcode::fsgnj_s) return float_done(op.rd, float_source(xmm0, op.rs1, wide), wide);
  check_boxed(op.rs1, wide);
  mov(value, float_operand(op.rs1, wide));
  if (op.rs1 == op.rs2) {
    single == Opcode::fsgnjn_s ? btc(value, top) : btr(value, top);
  } else {
    check_boxed(op.rs2, wide);
    mov(sign, float_operand(op.rs2, wide));
    if (single == Opcode::fsgnjn_s) not_(sign);
    if (single == Opcode::fsgnjx_s) xor_(sign, value);
    shr(sign, top);
    shl(sign, top);
    btr(value, top);
    or_(value, sign);
  }
  wide ? movq(xmm0, rax) : movd(xmm0, eax);
  float_done(op.rd, xmm0, wide);
}

/// No NaNs, and of two zeros only equal ones.
template <typename Word>
void Assembler<Word>::float_extreme(const Op& op, bool least, bool wide) {
  Xbyak::Label differ;
  const Xbyak::Label& start = detours_.back().start;
  copy_float(xmm0, op.rs1, wide);
  const Xbyak::Xmm second = float_source(xmm1, op.rs2, wide);
  wide ? ucomisd(xmm0, second) : ucomiss(xmm0, second);
  jp(start, T_NEAR);
  jne(differ);
  const Reg value = wide ? Reg(rax) : Reg(eax);
  mov(value, float_operand(op.rs1, wide));
  cmp(value, float_operand(op.rs2, wide));
  jne(start, T_NEAR);
  L(differ);
  if (least)
    wide ? minsd(xmm0, second) : minss(xmm0, second);
  else
    wide ? maxsd(xmm0, second) : maxss(xmm0, second);
  float_done(op.rd, xmm0, wide);
}

/// No NaNs.
template <typename Word>
void Assembler<Word>::float_compare(const Op& op, Opcode single, bool wide) {
  const bool equal = single == Opcode::feq_s;
  // Less is the other way round: of an unordered pair it would not be known by one flag.
  const Xbyak::Xmm first = float_source(xmm0, equal ? op.rs1 : op.rs2, wide);
  const Xbyak::Xmm second = float_source(xmm1, equal ? op.rs2 : op.rs1, wide);
  wide ? ucomisd(first, second) : ucomiss(first, second);
  jp(detours_.back().start, T_NEAR);
  if (equal)
    sete(al);
  else if (single == Opcode::flt_s)
    seta(al);
  else
    setae(al);
  const Reg to = target(op.rd, native_word(rax.getIdx()));
  movzx(Xbyak::Reg32(to.getIdx()), al);
  done(op.rd, to);
}

/// The bits, boxed or not.
template <typename Word>
void Assembler<Word>::float_move_to_integer(const Op& op, bool wide) {
  const Reg to = target(op.rd, native_word(rax.getIdx()));
  if (const auto* const copy = copies_.find(op.rs1, wide)) {
    const Xbyak::Xmm value(copy->host);
    wide ? movq(Xbyak::Reg64(to.getIdx()), value) : movd(Xbyak::Reg32(to.getIdx()), value);
    if (!wide) sign_extend_word(to);
  } else if (wide || !kWide) {
    mov(to, float_operand(op.rs1, wide));
  } else {
    movsxd(Xbyak::Reg64(to.getIdx()), float_lower(op.rs1));
  }
  done(op.rd, to);
}

template <typename Word>
void Assembler<Word>::float_move_from_integer(const Op& op, bool wide) {
  const int from = source(op.rs1, wide ? Reg(rax) : Reg(eax)).getIdx();
  wide ? movq(xmm0, Xbyak::Reg64(from)) : movd(xmm0, Xbyak::Reg32(from));
  float_done(op.rd, xmm0, wide);
}

template <typename Word>
void Assembler<Word>::load_float(const Op& op, bool wide, const Place& from) {
  load_into(xmm0, ptr[from], wide);
  float_done(op.rd, xmm0, wide);
}

template <typename Word>
void Assembler<Word>::store_float(const Op& op, bool wide, const Place& to) {
  const auto* const copy = copies_.find(op.rs2, wide);
  const Xbyak::Xmm value(copy ? copy->host : xmm0.getIdx());
  if (!copy) load_into(value, float_operand(op.rs2, wide), wide);  // boxed or not
  wide ? movsd(ptr[to], value) : movss(ptr[to], value);
}

}  // namespace vp::cpu::x86_64

#include "models/cpu/jit/x86_64/both_widths.h"
