#include "models/drra/memory_window.h"

#include "models/drra/registers.h"

namespace vp::drra {
namespace {

struct Region {
  WindowMemory memory;
  std::uint64_t offset;
  std::uint64_t blocks;
  unsigned words;  // of a block
};

}  // namespace

WindowWord window_word(const DrraConfig& config, std::uint64_t offset) {
  const std::uint64_t cells = kRows * config.columns;
  const Region regions[] = {
      {WindowMemory::instructions, kInstructionMemory, cells, 2 * kInstructionWords},
      {WindowMemory::register_files, kRegisterFiles, cells, kRegisterWords},
      {WindowMemory::tiles, kTiles, std::uint64_t{config.dimarch_rows} * config.columns * kTileRows, kBlockWords},
      {WindowMemory::input, kInputBuffer, config.io_rows, kBlockWords},
      {WindowMemory::output, kOutputBuffer, config.io_rows, kBlockWords}};
  for (const Region& region : regions) {
    if (offset < region.offset) continue;
    const std::uint64_t word = (offset - region.offset) / 2;
    if (word < region.blocks * region.words)
      return {region.memory, static_cast<unsigned>(word / region.words), static_cast<unsigned>(word % region.words)};
  }
  return {};
}

std::int16_t read_word(const Core& core, const WindowWord& place) {
  switch (place.memory) {
    case WindowMemory::register_files:
      return core.cell(place.block).registers[place.word];
    case WindowMemory::tiles:
      return core.dimarch().row_of_tiles(place.block)[place.word];
    case WindowMemory::input:
      return core.dimarch().input(place.block)[place.word];
    case WindowMemory::output:
      return core.dimarch().output(place.block)[place.word];
    case WindowMemory::none:
    case WindowMemory::instructions:
      break;
  }
  return 0;
}

void write_word(Core& core, const WindowWord& place, std::int16_t value) {
  switch (place.memory) {
    case WindowMemory::register_files:
      core.write_register(place.block, place.word, value);
      break;
    case WindowMemory::tiles:
      core.dimarch().row_of_tiles(place.block)[place.word] = value;
      break;
    case WindowMemory::input:
      core.dimarch().input(place.block)[place.word] = value;
      break;
    case WindowMemory::output:
      core.dimarch().output(place.block)[place.word] = value;
      break;
    case WindowMemory::none:
    case WindowMemory::instructions:
      break;
  }
}

}  // namespace vp::drra
