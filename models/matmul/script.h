#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/matmul/core_config.h"
#include "models/matmul/isa.h"

namespace vp::matmul {

/// A matrix of a DATA section.
struct DataBlock {
  std::string name;
  std::uint32_t address = 0;        ///< word address; the device aligns it down to a block
  std::vector<std::int32_t> words;  ///< row-major
};

/// A script file: what to store, and one program a thread (README, scripts).
struct Script {
  std::string name;  ///< of the file
  std::vector<DataBlock> data;
  std::vector<std::vector<Instruction>> programs;  ///< one a TEXT section, at most two
};

/// Parses a script for a device of these sizes. Stricter than the original's driver where that would go on with
/// something the writer hardly meant: META must be there, sections must be known, numbers must be numbers to their last
/// character, every matrix must be complete, a program must fit instruction memory. Throws UserError "NAME:line:column:
/// what is wrong, what is expected".
Script parse_script(const std::string& text, const std::string& name, const CoreConfig& config);

}  // namespace vp::matmul
