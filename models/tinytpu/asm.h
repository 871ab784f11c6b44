#pragma once

#include <string>
#include <vector>

#include "models/tinytpu/isa.h"

namespace vp::tinytpu {

/// Text to instructions. The syntax is in the README: one instruction a line, comments from '#' or ';' to the end of
/// the line, a bare word of 20 hexadecimal digits is an instruction as it stands. `source` names the text in errors.
/// Throws UserError "source:line:column: what is wrong, what is allowed".
std::vector<Instruction> assemble(const std::string& text, const std::string& source);

/// One instruction as text that assembles to exactly the same 80 bits: mnemonic and operands where these say
/// everything, the raw word (with its meaning in a comment) for every other opcode or field.
std::string disassemble(const Instruction& instruction);

/// A program, one instruction a line.
std::string disassemble(const std::vector<Instruction>& program);

}  // namespace vp::tinytpu
