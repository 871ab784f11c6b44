#pragma once

#include <cstdint>

#include "models/drra/core.h"

namespace vp::drra {

/// The memories of a fabric in the window of its device.
enum class WindowMemory { none, instructions, register_files, tiles, input, output };

/// A 16-bit word there.
struct WindowWord {
  WindowMemory memory = WindowMemory::none;
  unsigned block = 0;  ///< a cell, or a row
  unsigned word = 0;   ///< in it; an instruction has two
};

/// The word that holds the byte at this offset.
WindowWord window_word(const DrraConfig& config, std::uint64_t offset);
/// Not of instruction memories: what is written there reaches the fabric with the next start.
std::int16_t read_word(const Core& core, const WindowWord& place);
void write_word(Core& core, const WindowWord& place, std::int16_t value);

}  // namespace vp::drra
