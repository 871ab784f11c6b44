#pragma once

#include <istream>
#include <string>

#include "models/memory/dram/config.h"

namespace vp::dram {

/// Reads a DRAMsim3 configuration: sections dram_structure, timing (cycles; tCK in ns) and system. Keys that only
/// matter for power, logs, power-down or finer refresh are accepted and ignored; the README lists them. Throws
/// UserError, one sentence with file and line: unknown section or key (with the nearest known one), missing or repeated
/// key, value that is no number, a setting this model does not have, or timing that is impossible.
ChannelConfig read_ini(std::istream& text, const std::string& file_name);

/// The same for a file by path; throws UserError also if it cannot be read.
ChannelConfig read_ini_file(const std::string& path);

}  // namespace vp::dram
