#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/tensil/isa.h"

namespace vp::tensil {

// Text of TCU programs, one instruction a line; the syntax is in the README of this folder.

/// One instruction, without a line end.
std::string disassemble(const Layout& layout, const Instruction& in);

/// A program's bytes as text, exactly reversibly: what has bits that no field holds becomes a line of bytes. A part of
/// an instruction at the end, too.
std::string disassemble(const Layout& layout, const std::uint8_t* bytes, std::size_t count);

/// The flag of an operation that a word of the text stands for; 0 if it has none of that name. Not of data_move.
unsigned flag_named(Operation operation, const std::string& word);

/// The bytes of a program. Throws UserError "source:line:column: …".
std::vector<std::uint8_t> assemble(const Layout& layout, const std::string& text, const std::string& source);

}  // namespace vp::tensil
