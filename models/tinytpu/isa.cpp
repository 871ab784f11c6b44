#include "models/tinytpu/isa.h"

#include "models/common/error.h"

namespace vp::tinytpu {
namespace {

/// Where the opcode's bits match, the kind is taken; the first match wins (README, Instructions).
struct DecodeRule {
  std::uint8_t mask;
  std::uint8_t value;
  InstructionKind kind;
};
constexpr DecodeRule kDecodeRules[] = {
    {0xFF, 0xFF, InstructionKind::synchronize},     {0x80, 0x80, InstructionKind::activate},
    {0x20, 0x20, InstructionKind::matrix_multiply}, {0x08, 0x08, InstructionKind::read_weights},
    {0x00, 0x00, InstructionKind::nothing},
};

constexpr unsigned kHexDigits = 20;

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

InstructionKind Instruction::kind() const {
  for (const DecodeRule& rule : kDecodeRules)
    if ((opcode & rule.mask) == rule.value) return rule.kind;
  return InstructionKind::nothing;
}

InstructionWords encode(const Instruction& instruction) {
  return {instruction.length << 8 | instruction.opcode,
          instruction.buffer << 24 | std::uint32_t{instruction.accumulator} << 8 | instruction.length >> 24,
          instruction.buffer >> 8 & 0xFFFF};
}

Instruction decode(const InstructionWords& words) {
  Instruction instruction;
  instruction.opcode = static_cast<std::uint8_t>(words[0]);
  instruction.length = words[0] >> 8 | words[1] << 24;
  instruction.accumulator = static_cast<std::uint16_t>(words[1] >> 8);
  instruction.buffer = words[1] >> 24 | (words[2] & 0xFFFF) << 8;
  return instruction;
}

std::string to_hex(const Instruction& instruction) {
  const InstructionWords words = encode(instruction);
  std::string text(kHexDigits, '0');
  for (unsigned i = 0; i < kHexDigits; ++i)
    text[kHexDigits - 1 - i] = "0123456789abcdef"[words[i / 8] >> i % 8 * 4 & 0xF];
  return text;
}

Instruction from_hex(const std::string& text) {
  InstructionWords words{};
  bool good = text.size() == kHexDigits;
  for (unsigned i = 0; good && i < kHexDigits; ++i) {
    const int digit = digit_value(text[kHexDigits - 1 - i]);
    good = digit >= 0;
    words[i / 8] |= static_cast<std::uint32_t>(digit & 0xF) << i % 8 * 4;
  }
  if (!good) throw UserError("'" + text + "' is no instruction word: 20 hexadecimal digits expected");
  return decode(words);
}

std::uint8_t read_weights_opcode(bool is_signed) { return is_signed ? 0x09 : 0x08; }
std::uint8_t matrix_multiply_opcode(bool is_signed, bool accumulate) {
  return static_cast<std::uint8_t>(0x20 | (accumulate ? 2 : 0) | (is_signed ? 1 : 0));
}
std::uint8_t activate_opcode(bool is_signed, unsigned code) {
  return static_cast<std::uint8_t>(0x80 | (is_signed ? 0x10 : 0) | (code & 0xF));
}

const char* name_of(InstructionKind kind) {
  switch (kind) {
    case InstructionKind::read_weights:
      return "read_weights";
    case InstructionKind::matrix_multiply:
      return "matrix_multiply";
    case InstructionKind::activate:
      return "activate";
    case InstructionKind::synchronize:
      return "synchronize";
    case InstructionKind::nothing:
      break;
  }
  return "nothing";
}

}  // namespace vp::tinytpu
