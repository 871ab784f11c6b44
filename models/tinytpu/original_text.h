#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/tinytpu/isa.h"
#include "models/tinytpu/program.h"

namespace vp::tinytpu {

/// What the original project's scripts write for its driver (weights.txt, inputs.txt, instructions.txt, complete.txt):
/// blocks, each a line `weights:[`, then a list a line, then a line `]`.
///
///     weights:[                      inputs:[                       instructions:[             results:[
///     [-3,0,127]  row 0              [1,2,3]  row 0                 [9,14,0]                   [1316,14,0]
///     ]                              ]                              [33,14,0,784]              ]
///                                                                   ]
///
/// A vector is a row of N decimal bytes, -128 to 255. An instruction is opcode, length and weight address, or opcode,
/// length, accumulator and buffer address; decimal, 0x hexadecimal or 0 octal. The block of results names rows for a
/// file on the original's SD card; it is read and left alone.
struct OriginalText {
  std::optional<std::vector<std::vector<std::uint8_t>>> weights;  ///< by row
  std::optional<std::vector<std::vector<std::uint8_t>>> inputs;   ///< by row
  std::optional<std::vector<Instruction>> instructions;
};

/// Whether the text begins with such a block.
bool is_original_text(const std::string& text);

/// `source` names the text in errors. Throws UserError "source:line: what is wrong, what is allowed"; so for a second
/// block of one kind, which the original's driver runs as a further batch.
OriginalText parse_original_text(const std::string& text, const std::string& source);

/// Vectors as the rows of a buffer. Throws UserError for vectors that are not `matrix_width` long and for more than
/// `depth`; `source` names them.
std::vector<BufferRow> buffer_rows(const std::vector<std::vector<std::uint8_t>>& vectors, const std::string& source,
                                   unsigned matrix_width, unsigned depth);

/// A program of either form: the original's block of instructions, or assembly (asm.h). Throws UserError.
std::vector<Instruction> read_instructions(const std::string& text, const std::string& source);

}  // namespace vp::tinytpu
