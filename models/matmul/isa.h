#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vp::matmul {

/// Instruction bits 1:0. There is no illegal instruction.
enum class Opcode : std::uint8_t { term = 0, write = 1, load = 2, comp = 3 };

/// One instruction. An address field is 8 bits and names the 256-word page `field << 8` of block memory.
struct Instruction {
  Opcode opcode = Opcode::term;
  std::uint8_t a = 0;       ///< COMP: A; LOAD: B; WRITE: the block to send
  std::uint8_t d = 0;       ///< COMP: D
  std::uint8_t c = 0;       ///< COMP: C
  std::uint8_t header = 0;  ///< WRITE: the message's header byte

  bool operator==(const Instruction& other) const {
    return opcode == other.opcode && a == other.a && d == other.d && c == other.c && header == other.header;
  }
};

/// What an operand of the script notation is, and where it goes.
struct Operand {
  const char* name;                  ///< for messages: "A address"
  std::uint8_t Instruction::*field;  ///< the member it fills
  unsigned low_bit;                  ///< its place in the instruction word
  bool is_address;                   ///< written as a 16-bit word address of which bits 15:8 count
};

inline constexpr std::size_t kOpcodes = 4;

/// One row of the instruction table.
struct InstructionFormat {
  Opcode opcode;
  const char* mnemonic;
  std::vector<Operand> operands;  ///< in the order of the script notation
};

/// The instruction table, indexed by opcode.
const std::array<InstructionFormat, 4>& instruction_formats();
const InstructionFormat& format_of(Opcode opcode);
/// The row of that mnemonic (upper case, as in scripts), or nullptr.
const InstructionFormat* find_mnemonic(const std::string& mnemonic);

/// Word ↔ instruction. Unused bits are ignored when decoding and 0 when encoding.
std::uint32_t encode(const Instruction& instruction);
Instruction decode(std::uint32_t word);
/// Script notation: "COMP 0x00000200 0x00000300 0x00000400".
std::string to_text(const Instruction& instruction);

/// Assembles script notation, instructions separated by white space as in a TEXT section; `.word N` stands for a whole
/// word. Throws UserError "NAME:line:column: …, expected …".
std::vector<std::uint32_t> assemble(const std::string& text, const std::string& name);
/// One instruction a line; a word with unused bits set as `.word`, so that assembling gives the same words again.
std::string disassemble(const std::vector<std::uint32_t>& words);
/// Reads words as 1 to 8 hexadecimal digits, separated by white space. Throws UserError as above.
std::vector<std::uint32_t> parse_words(const std::string& text, const std::string& name);

}  // namespace vp::matmul
