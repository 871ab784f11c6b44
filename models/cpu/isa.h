#pragma once

#include <cstdint>

#include "models/cpu/opcodes.h"

namespace vp::cpu {

/// Every instruction of RV32GC and RV64GC: I, M, A, F, D, C with Zicsr and Zifencei. Compressed instructions are
/// decoded to the instruction they abbreviate. `illegal` stands for everything else.
enum class Opcode : std::uint8_t {
#define X(name, match, mask, format, cls, width) name,
  VP_CPU_OPCODES(X)
#undef X
      illegal
};

/// Opcodes below this number are those of the inner loop.
inline constexpr unsigned kFastOpcodes = static_cast<unsigned>(Opcode::fence) + 1;

/// What the cost model distinguishes (parameters cpu.cycles.*).
enum class InstructionClass : std::uint8_t {
  kAlu,
  kMul,
  kDiv,
  kLoad,
  kStore,
  kBranch,
  kJump,
  kCsr,
  kAmo,
  kFence,
  kSystem,
  kFloat,
  kFloatDivide
};
inline constexpr unsigned kInstructionClasses = 13;

constexpr bool is_double(Opcode opcode) { return opcode >= Opcode::fld && opcode <= Opcode::fmv_d_x; }
constexpr bool is_float(Opcode opcode) { return opcode >= Opcode::flw && opcode <= Opcode::fmv_d_x; }
/// The instruction of F that does the same in the other format, of an instruction of D; of fcvt.d.s: fcvt.s.d.
constexpr Opcode single_form(Opcode opcode) {
  return static_cast<Opcode>(static_cast<unsigned>(opcode) - static_cast<unsigned>(Opcode::fld) +
                             static_cast<unsigned>(Opcode::flw));
}

/// How an instruction's fields lie in its 32 bits (unprivileged manual, 2.2 and 2.3), and which are its operands.
enum class InstructionFormat : std::uint8_t {
  kR,
  kI,
  kS,
  kB,
  kU,
  kJ,
  kShift,
  kCsr,
  kNone,
  kFloatLoad,
  kFloatStore,
  kFloatFused,        ///< four registers
  kFloatRounded,      ///< registers to a register
  kFloatExact,        ///< likewise, no rounding mode
  kFloatToRounded,    ///< to an integer register
  kFloatToExact,      ///< likewise, no rounding mode
  kFloatFromRounded,  ///< from an integer register
  kFloatFromExact,    ///< likewise, no rounding mode
};
InstructionFormat format_of(Opcode opcode);

/// Which of an instruction's operands are floating-point registers, and whether it has a rounding mode.
struct FloatOperands {
  bool rd = false;
  bool rs1 = false;
  bool rs2 = false;
  bool rs3 = false;
  bool rounding = false;
};
FloatOperands operands_of_float(Opcode opcode);
inline FloatOperands float_operands(Opcode opcode) {
  return is_float(opcode) ? operands_of_float(opcode) : FloatOperands{};
}

/// What imm of an instruction with a rounding mode holds.
constexpr unsigned rounding_field(std::int32_t imm) { return imm & 7; }
constexpr unsigned third_source(std::int32_t imm) { return static_cast<unsigned>(imm) >> 3; }
inline constexpr unsigned kDynamicRounding = 7;

/// A decoded instruction.
struct Instruction {
  Opcode opcode = Opcode::illegal;
  InstructionClass cls = InstructionClass::kSystem;
  std::uint8_t rd = 0;
  std::uint8_t rs1 = 0;  ///< the 5-bit immediate for csrr*i
  std::uint8_t rs2 = 0;
  std::uint8_t length = 4;     ///< bytes: 2 or 4
  std::int32_t imm = 0;        ///< sign-extended immediate, shift amount, CSR number, or rounding mode and third source
  std::uint32_t encoding = 0;  ///< as fetched: 16 or 32 bits
};

/// True if the low half-word `half` is a whole (compressed) instruction.
constexpr bool is_compressed(std::uint32_t half) { return (half & 3) != 3; }

/// Decodes `encoding`; of a compressed instruction only the low 16 bits count. xlen: 32 or 64; floating:
/// with F and D, whose instructions are illegal without.
Instruction decode(std::uint32_t encoding, unsigned xlen, bool floating = false);

/// The 32-bit instruction that a 16-bit one abbreviates (RVC chapter 16), or 0, which is illegal. Hints expand to what
/// they do (nothing visible).
std::uint32_t expand_compressed(std::uint32_t half, unsigned xlen, bool floating = false);

/// True for instructions after which the next one is not simply the following: they end a decoded block.
bool ends_block(Opcode opcode);

}  // namespace vp::cpu
