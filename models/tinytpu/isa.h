#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace vp {
class Archive;
}

namespace vp::tinytpu {

/// The coordinator's five readings of an opcode (README, Instructions).
enum class InstructionKind : std::uint8_t { nothing, read_weights, matrix_multiply, activate, synchronize };

/// Activation functions the hardware implements; every other code acts as `none`.
enum class ActivationFunction : std::uint8_t { none = 0, relu = 1, sigmoid = 9 };

/// An 80-bit instruction by its fields: [7:0] opcode, [39:8] length, [55:40] accumulator address, [79:56] buffer
/// address. read_weights reads both address fields as one 40-bit weight address, accumulator address lowest.
struct Instruction {
  std::uint8_t opcode = 0;
  std::uint32_t length = 0;       ///< rows
  std::uint16_t accumulator = 0;  ///< row of the accumulator file
  std::uint32_t buffer = 0;       ///< row of the unified buffer, 24 bits

  std::uint64_t weight_address() const { return std::uint64_t{buffer} << 16 | accumulator; }
  /// `address`: 40 bits.
  void set_weight_address(std::uint64_t address) {
    accumulator = static_cast<std::uint16_t>(address);
    buffer = static_cast<std::uint32_t>(address >> 16 & 0xFFFFFF);
  }

  InstructionKind kind() const;
  /// The look-ahead stage holds back opcodes 0x08 to 0x0F only, fewer than the coordinator takes for read_weights.
  bool waits_for_successor() const { return opcode >= 0x08 && opcode <= 0x0F; }
  bool weights_signed() const { return opcode & 1; }
  bool data_signed() const { return opcode & 1; }
  bool accumulates() const { return opcode & 2; }
  bool activation_signed() const { return opcode & 0x10; }
  unsigned activation_code() const { return opcode & 0x0F; }
  void persist(Archive& archive);

  friend bool operator==(const Instruction& a, const Instruction& b) {
    return a.opcode == b.opcode && a.length == b.length && a.accumulator == b.accumulator && a.buffer == b.buffer;
  }
  friend bool operator!=(const Instruction& a, const Instruction& b) { return !(a == b); }
};

/// The three words in which a host hands over an instruction: lower (bits 31:0), middle (63:32), upper (79:64; its
/// upper 16 bits are zero on encode and ignored on decode).
using InstructionWords = std::array<std::uint32_t, 3>;

InstructionWords encode(const Instruction& instruction);
Instruction decode(const InstructionWords& words);

/// 20 hexadecimal digits, most significant first, and back. from_hex throws UserError unless `text` is exactly that.
std::string to_hex(const Instruction& instruction);
Instruction from_hex(const std::string& text);

/// Opcodes as an assembler writes them; all other opcodes are accepted by the hardware, but not canonical.
std::uint8_t read_weights_opcode(bool is_signed);
std::uint8_t matrix_multiply_opcode(bool is_signed, bool accumulate);
/// `code`: 0 to 15.
std::uint8_t activate_opcode(bool is_signed, unsigned code);
inline constexpr std::uint8_t kSynchronizeOpcode = 0xFF;
inline constexpr std::uint8_t kHaltOpcode = 0x02;  ///< does nothing in the hardware

/// "read_weights", "matrix_multiply", "activate", "synchronize", "nothing".
const char* name_of(InstructionKind kind);

}  // namespace vp::tinytpu
