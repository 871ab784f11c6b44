#pragma once

#include <cstdint>

#include "models/cpu/opcodes.h"

namespace vp::cpu {

/// Every instruction of RV32IMAC and RV64IMAC with Zicsr and Zifencei. Compressed instructions are decoded to the
/// instruction they abbreviate. `illegal` stands for everything else.
enum class Opcode : std::uint8_t {
#define X(name, match, mask, format, cls, width) name,
  VP_CPU_FAST_OPCODES(X) VP_CPU_COMPLEX_OPCODES(X)
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
  kSystem
};
inline constexpr unsigned kInstructionClasses = 11;

/// A decoded instruction.
struct Instruction {
  Opcode opcode = Opcode::illegal;
  InstructionClass cls = InstructionClass::kSystem;
  std::uint8_t rd = 0;
  std::uint8_t rs1 = 0;  ///< the 5-bit immediate for csrr*i
  std::uint8_t rs2 = 0;
  std::uint8_t length = 4;     ///< bytes: 2 or 4
  std::int32_t imm = 0;        ///< sign-extended immediate, shift amount, or CSR number
  std::uint32_t encoding = 0;  ///< as fetched: 16 or 32 bits
};

/// True if the low half-word `half` is a whole (compressed) instruction.
constexpr bool is_compressed(std::uint32_t half) { return (half & 3) != 3; }

/// Decodes `encoding`; of a compressed instruction only the low 16 bits count. xlen: 32 or 64.
Instruction decode(std::uint32_t encoding, unsigned xlen);

/// The 32-bit instruction that a 16-bit one abbreviates (RVC chapter 16), or 0, which is illegal. Hints expand to what
/// they do (nothing visible). Floating-point loads and stores are illegal.
std::uint32_t expand_compressed(std::uint32_t half, unsigned xlen);

/// True for instructions after which the next one is not simply the following: they end a decoded block.
bool ends_block(Opcode opcode);

}  // namespace vp::cpu
