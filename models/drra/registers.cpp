#include "models/drra/registers.h"

#include "models/drra/row_dma.h"

namespace vp::drra {
namespace {

Registers::Word size_word(const DrraConfig& config) { return config.columns | kRows << 8 | config.dimarch_rows << 16; }

Registers::Word feature_word(const DrraConfig& config) {
  return static_cast<Registers::Word>(config.profile) | (config.start_skew ? 4u : 0u) |
         (config.acc_autoclear ? 8u : 0u);
}

}  // namespace

Registers::Registers(const DrraConfig& config)
    : cells(kRows * config.columns),
      size(bank, {"SIZE", 0x08, "size of the fabric"}, size_word(config)),
      io_rows(bank, {"IO_ROWS", 0x0C, "rows of each IO buffer", RegisterMode::read_only}, config.io_rows),
      features(bank, {"FEATURES", 0x10, "how the fabric is built"}, feature_word(config)),
      length(bank, {"LENGTH", 0x400, "words of the cell's program, 0 to 64; 0: none"}, {cells}),
      cell_state(bank, {"CELL", 0x800, "where a cell stands", RegisterMode::read_only}, {cells}) {
  length.add_field({"WORDS", 0, 7, "of its instruction memory, from address 0"});
  cell_state.add_field({"PC", 0, 6, "of its next instruction", FieldAccess::read_only});
  cell_state.add_field({"STATE",
                        8,
                        2,
                        "of its sequencer",
                        FieldAccess::read_only,
                        {{0, "idle"}, {1, "running"}, {2, "halted"}, {3, "ended"}}});
  cell_state.add_field(
      {"STREAMS", 16, 6, "under way: w0, w1, r0, r1, block write, block read", FieldAccess::read_only});
  bank.add_region({"instructions", kInstructionMemory, cells * 4ull * kInstructionWords, "64 words a cell"});
  bank.add_region({"register files", kRegisterFiles, cells * 128ull, "64 words of 16 bits a cell"});
  bank.add_region({"memories", kTiles, std::uint64_t{config.dimarch_rows} * config.columns * kTileRows * kRowBytes,
                   "128 rows of 32 bytes a memory"});
  bank.add_region({"input buffer", kInputBuffer, std::uint64_t{config.io_rows} * kRowBytes, "rows of 32 bytes"});
  bank.add_region({"output buffer", kOutputBuffer, std::uint64_t{config.io_rows} * kRowBytes, "rows of 32 bytes"});
}

}  // namespace vp::drra
