#include "models/cpu/float_unit.h"

#include <type_traits>

#include "models/cpu/float/arithmetic.h"
#include "models/cpu/float/conversion.h"
#include "models/cpu/float_state.h"

namespace vp::cpu {
namespace {

/// The sign of `sign`, changed as fsgnj, fsgnjn and fsgnjx do.
template <typename Bits>
Bits with_sign(Opcode single, Bits value, Bits sign) {
  constexpr Bits kSign = ieee754::Format<Bits>::kSign;
  if (single == Opcode::fsgnjn_s) sign = ~sign;
  if (single == Opcode::fsgnjx_s) sign ^= value;
  return (value & ~kSign) | (sign & kSign);
}

/// A result of 32 bits in an integer register, also an unsigned one.
template <typename Word>
Word extended(std::uint32_t value) {
  return static_cast<Word>(static_cast<std::make_signed_t<Word>>(static_cast<std::int32_t>(value)));
}

}  // namespace

template <typename Word>
template <typename Bits>
Bits FloatUnit<Word>::source(unsigned reg) const {
  if constexpr (sizeof(Bits) == 4) return unboxed(s_.f[reg]);
  return static_cast<Bits>(s_.f[reg]);
}

template <typename Word>
bool FloatUnit<Word>::choose_rounding(unsigned field, Environment& environment) const {
  const unsigned mode = field == kDynamicRounding ? s_.frm : field;
  environment.rounding = static_cast<ieee754::Rounding>(mode);
  return mode < ieee754::kRoundings;
}

template <typename Word>
bool FloatUnit<Word>::execute(const Op& op, Opcode opcode) {
  const FloatOperands operands = float_operands(opcode);
  Environment environment;
  if (operands.rounding && !choose_rounding(rounding_field(op.imm), environment)) return false;
  if (is_double(opcode))
    execute_as<std::uint64_t>(op, single_form(opcode), environment);
  else
    execute_as<std::uint32_t>(op, opcode, environment);
  if (operands.rd || environment.flags != 0) make_float_dirty(s_);
  s_.fflags |= environment.flags;
  return true;
}

template <typename Word>
template <typename Bits>
void FloatUnit<Word>::execute_as(const Op& op, Opcode single, Environment& environment) {
  if (!float_operands(single).rd) {
    s_.x[op.rd] = to_integer<Bits>(op, single, environment);
    return;
  }
  const Bits result = to_float<Bits>(op, single, environment);
  s_.f[op.rd] = sizeof(Bits) == 4 ? boxed(static_cast<std::uint32_t>(result)) : result;
}

/// single: the instruction's form for singles, in which each operation has one name; Bits is the format of the result.
template <typename Word>
template <typename Bits>
Bits FloatUnit<Word>::to_float(const Op& op, Opcode single, Environment& environment) const {
  using namespace ieee754;
  using Other = std::conditional_t<sizeof(Bits) == 4, std::uint64_t, std::uint32_t>;
  constexpr Bits kSign = Format<Bits>::kSign;
  const Bits a = source<Bits>(op.rs1 % 32), b = source<Bits>(op.rs2 % 32);
  const Word x = s_.x[op.rs1];
  const auto c = [&] { return source<Bits>(third_source(op.imm) % 32); };
  switch (single) {
    case Opcode::fmadd_s:
      return multiply_add<Bits>(a, b, c(), environment);
    case Opcode::fmsub_s:
      return multiply_add<Bits>(a, b, c() ^ kSign, environment);
    case Opcode::fnmsub_s:
      return multiply_add<Bits>(a ^ kSign, b, c(), environment);
    case Opcode::fnmadd_s:
      return multiply_add<Bits>(a ^ kSign, b, c() ^ kSign, environment);
    case Opcode::fadd_s:
      return add<Bits>(a, b, environment);
    case Opcode::fsub_s:
      return subtract<Bits>(a, b, environment);
    case Opcode::fmul_s:
      return multiply<Bits>(a, b, environment);
    case Opcode::fdiv_s:
      return divide<Bits>(a, b, environment);
    case Opcode::fsqrt_s:
      return square_root<Bits>(a, environment);
    case Opcode::fmin_s:
      return minimum<Bits>(a, b, environment);
    case Opcode::fmax_s:
      return maximum<Bits>(a, b, environment);
    case Opcode::fcvt_s_d:
      return convert<Bits>(source<Other>(op.rs1 % 32), environment);
    case Opcode::fcvt_s_w:
      return from_integer<Bits>(static_cast<std::int32_t>(x), environment);
    case Opcode::fcvt_s_wu:
      return from_integer<Bits>(static_cast<std::uint32_t>(x), environment);
    case Opcode::fcvt_s_l:
      return from_integer<Bits>(static_cast<std::int64_t>(x), environment);
    case Opcode::fcvt_s_lu:
      return from_integer<Bits>(static_cast<std::uint64_t>(x), environment);
    case Opcode::fmv_w_x:
      return static_cast<Bits>(x);
    default:
      return with_sign<Bits>(single, a, b);
  }
}

template <typename Word>
template <typename Bits>
Word FloatUnit<Word>::to_integer(const Op& op, Opcode single, Environment& environment) const {
  const Bits a = source<Bits>(op.rs1 % 32), b = source<Bits>(op.rs2 % 32);
  switch (single) {
    case Opcode::feq_s:
      return ieee754::equal<Bits>(a, b, environment);
    case Opcode::flt_s:
      return ieee754::less<Bits>(a, b, environment);
    case Opcode::fle_s:
      return ieee754::less_or_equal<Bits>(a, b, environment);
    case Opcode::fclass_s:
      return ieee754::classify<Bits>(a);
    case Opcode::fcvt_w_s:
      return extended<Word>(static_cast<std::uint32_t>(ieee754::to_integer<std::int32_t>(a, environment)));
    case Opcode::fcvt_wu_s:
      return extended<Word>(ieee754::to_integer<std::uint32_t>(a, environment));
    case Opcode::fcvt_l_s:
      return static_cast<Word>(ieee754::to_integer<std::int64_t>(a, environment));
    case Opcode::fcvt_lu_s:
      return static_cast<Word>(ieee754::to_integer<std::uint64_t>(a, environment));
    default:  // fmv.x.w and fmv.x.d take the bits, boxed or not
      return sizeof(Bits) == 4 ? extended<Word>(static_cast<std::uint32_t>(s_.f[op.rs1]))
                               : static_cast<Word>(s_.f[op.rs1]);
  }
}

template class FloatUnit<std::uint32_t>;
template class FloatUnit<std::uint64_t>;

}  // namespace vp::cpu
