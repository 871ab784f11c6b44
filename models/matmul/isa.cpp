#include "models/matmul/isa.h"

#include <cstdio>

#include "models/matmul/tokens.h"

namespace vp::matmul {

const std::array<InstructionFormat, 4>& instruction_formats() {
  static const std::array<InstructionFormat, 4> formats = {{
      {Opcode::term, "TERM", {}},
      {Opcode::write,
       "WRITE",
       {{"block address", &Instruction::a, 2, true}, {"header", &Instruction::header, 10, false}}},
      {Opcode::load, "LOAD", {{"B address", &Instruction::a, 2, true}}},
      {Opcode::comp,
       "COMP",
       {{"A address", &Instruction::a, 2, true},
        {"D address", &Instruction::d, 10, true},
        {"C address", &Instruction::c, 18, true}}},
  }};
  return formats;
}

const InstructionFormat& format_of(Opcode opcode) { return instruction_formats()[static_cast<std::size_t>(opcode)]; }

const InstructionFormat* find_mnemonic(const std::string& mnemonic) {
  for (const InstructionFormat& format : instruction_formats())
    if (mnemonic == format.mnemonic) return &format;
  return nullptr;
}

std::uint32_t encode(const Instruction& instruction) {
  std::uint32_t word = static_cast<std::uint32_t>(instruction.opcode);
  for (const Operand& operand : format_of(instruction.opcode).operands)
    word |= std::uint32_t{instruction.*operand.field} << operand.low_bit;
  return word;
}

Instruction decode(std::uint32_t word) {
  Instruction instruction;
  instruction.opcode = static_cast<Opcode>(word & 3);
  for (const Operand& operand : format_of(instruction.opcode).operands)
    instruction.*operand.field = static_cast<std::uint8_t>(word >> operand.low_bit);
  return instruction;
}

std::string to_text(const Instruction& instruction) {
  const InstructionFormat& format = format_of(instruction.opcode);
  std::string text = format.mnemonic;
  for (const Operand& operand : format.operands) {
    char number[16];
    const unsigned value = instruction.*operand.field;
    std::snprintf(number, sizeof number, operand.is_address ? " 0x%08x" : " 0x%02x",
                  operand.is_address ? value << 8 : value);
    text += number;
  }
  return text;
}

std::vector<Instruction> assemble(const std::string& text, const std::string& name) {
  TokenReader reader(text, name);
  std::vector<Instruction> program;
  while (!reader.at_end()) program.push_back(parse_instruction(reader));
  return program;
}

std::string disassemble(const std::vector<std::uint32_t>& words) {
  std::string text;
  for (std::uint32_t word : words) text += to_text(decode(word)) + "\n";
  return text;
}

}  // namespace vp::matmul
