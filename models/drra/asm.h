#pragma once

#include <string>

#include "models/drra/program.h"

namespace vp::drra {

/// Reads a program. The grammar is in the README: one instruction a line, `MNEMONIC field=value …`, labels, directives
/// for cells and contents; a bare word of 7 hexadecimal digits is an instruction word as it stands. `source` names the
/// text in errors. Throws UserError "source:line:column: what is wrong, what is allowed".
Program assemble(const std::string& text, const std::string& source);

/// The program as instruction words: the directives as they are, one word of 7 hexadecimal digits a line.
std::string words_text(const Program& program);

/// The program as assembly that assembles to exactly the same words and contents. Words that no mnemonic gives (unused
/// bits set, an instruction cut off by the end) stand as `.word`.
std::string disassemble(const Program& program);

}  // namespace vp::drra
