#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/drra/config.h"
#include "models/drra/register_file.h"

namespace vp::drra {

class Core;

/// The place of a cell or of a memory: row and column. Memories count their rows from 1, next to the cells.
using Place = std::pair<unsigned, unsigned>;

/// What one cell begins with.
struct CellProgram {
  std::vector<std::uint32_t> words;            ///< of the instruction memory
  std::map<unsigned, std::int16_t> registers;  ///< by address
};

/// Instructions of all cells and the contents of memories to begin with.
struct Program {
  std::map<Place, CellProgram> cells;
  std::map<Place, std::map<unsigned, Row>> tiles;  ///< rows by address
  std::map<unsigned, Row> input;                   ///< rows of the IO input buffer
  std::optional<DecoderProfile> profile;           ///< that the words are written for, if the program says so
};

/// Puts a program into a fabric at rest. Throws UserError for a place or a row that the fabric does not have.
void load(const Program& program, Core& core);

}  // namespace vp::drra
