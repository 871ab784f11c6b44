#include "models/matmul/isa.h"

#include <cstdio>

#include "models/matmul/tokens.h"

namespace vp::matmul {
namespace {

constexpr const char* kWordDirective = ".word";

}  // namespace

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

std::vector<std::uint32_t> assemble(const std::string& text, const std::string& name) {
  TokenReader reader(text, name);
  std::vector<std::uint32_t> words;
  while (!reader.at_end()) {
    if (reader.take_if(kWordDirective)) {
      words.push_back(reader.word());
    } else {
      words.push_back(encode(parse_instruction(reader)));
    }
  }
  return words;
}

std::string disassemble(const std::vector<std::uint32_t>& words) {
  std::string text;
  for (std::uint32_t word : words) {
    const Instruction instruction = decode(word);
    char directive[32];
    std::snprintf(directive, sizeof directive, "%s 0x%08x", kWordDirective, word);
    text += (encode(instruction) == word ? to_text(instruction) : directive) + std::string("\n");
  }
  return text;
}

std::vector<std::uint32_t> parse_words(const std::string& text, const std::string& name) {
  TokenReader reader(text, name);
  std::vector<std::uint32_t> words;
  while (!reader.at_end()) words.push_back(reader.word());
  return words;
}

}  // namespace vp::matmul
