#pragma once

#include <cstdint>

#include "models/common/register_bank.h"
#include "models/drra/config.h"

namespace vp::drra {

/// The window of a fabric: registers first, then memories. All numbers of cells are row × columns + column; memories
/// of the DiMArch are numbered from the one above cell 0,0: (row − 1) × columns + column.
constexpr std::uint64_t kDeviceWindow = 0x100'0000;
constexpr std::uint64_t kInstructionMemory = 0x01'0000;  ///< 256 bytes a cell
constexpr std::uint64_t kRegisterFiles = 0x02'0000;      ///< 128 bytes a cell
constexpr std::uint64_t kTiles = 0x40'0000;              ///< 4 KiB a memory
constexpr std::uint64_t kInputBuffer = 0x80'0000;
constexpr std::uint64_t kOutputBuffer = 0xC0'0000;
constexpr unsigned kMostWindowIoRows = 0x40'0000 / 32;  ///< rows of an IO buffer that the window has room for

/// The registers, 32 bits each and accessed as a whole.
struct Registers {
  using Word = std::uint32_t;
  using Flag = vp::Field<Word>;
  using Number = vp::Field<Word, Word>;
  static constexpr Word kIdentification = 0x41525244;  // "DRRA" in memory

  explicit Registers(const DrraConfig& config);

  /// The interrupt output, by what is pending and enabled.
  bool interrupt() const { return (done && done_irq_en) || ((dma_done || dma_error) && dma_irq_en); }

  const unsigned cells;
  RegisterBank bank{4};

  Register<Word> id{bank, {"ID", 0x00, "identification: the letters DRRA", RegisterMode::read_only}, kIdentification};
  Register<Word> version{bank, {"VERSION", 0x04, "of this window", RegisterMode::read_only}, 1};
  Register<Word> size;
  Number columns{size, {"COLUMNS", 0, 8, "of the fabric", FieldAccess::read_only}};
  Number rows{size, {"ROWS", 8, 4, "of cells", FieldAccess::read_only}};
  Number dimarch_rows{size, {"DIMARCH_ROWS", 16, 4, "rows of memories", FieldAccess::read_only}};
  Register<Word> io_rows;
  Register<Word> features;
  Number profile{
      features,
      {"PROFILE", 0, 2, "what opcodes 13 and 14 mean", FieldAccess::read_only, {{0, "a"}, {1, "b"}, {2, "c"}}}};
  Flag start_skew{features, {"START_SKEW", 2, 1, "cell (r, c) starts r + c cycles later", FieldAccess::read_only}};
  Flag acc_autoclear{features, {"ACC_AUTOCLEAR", 3, 1, "accumulators start anew by acc_clear", FieldAccess::read_only}};

  Register<Word> control{bank, {"CONTROL", 0x14, "control"}};
  Flag start{control, {"START", 0, 1, "write 1: all cells with a program start; reads 0"}};
  Flag reset{control, {"RESET", 1, 1, "write 1: everything as after power-up, at once; reads 0"}};
  Flag done_irq_en{control, {"DONE_IRQ_EN", 4, 1, "interrupt when the fabric is done"}};
  Flag dma_irq_en{control, {"DMA_IRQ_EN", 5, 1, "interrupt when the DMA is done or has failed"}};

  Register<Word> status{bank, {"STATUS", 0x18, "status"}};
  Flag running{status, {"RUNNING", 0, 1, "a sequencer or a stream is at work", FieldAccess::read_only}};
  Flag dma_busy{status, {"DMA_BUSY", 1, 1, "rows are under way", FieldAccess::read_only}};
  Flag done{status, {"DONE", 4, 1, "a run has ended", FieldAccess::write_1_to_clear}};
  Flag dma_done{status, {"DMA_DONE", 5, 1, "a transfer has ended", FieldAccess::write_1_to_clear}};
  Flag dma_error{status, {"DMA_ERROR", 6, 1, "a transfer has failed", FieldAccess::write_1_to_clear}};

  Register<Word> cycles{bank,
                        {"CYCLES", 0x1C, "of the run, since its start; holds CYCLES_MSB", RegisterMode::read_only}};
  Register<Word> cycles_msb{bank, {"CYCLES_MSB", 0x20, "bits 63:32 of what CYCLES gave last", RegisterMode::read_only}};
  Register<Word> findings{bank, {"FINDINGS", 0x24, "what programs did wrong, since power-up", RegisterMode::read_only}};

  Register<Word> dma_address{bank, {"DMA_ADDRESS", 0x40, "in memory, bits 31:0"}};
  Register<Word> dma_address_msb{bank, {"DMA_ADDRESS_MSB", 0x44, "in memory, bits 63:32"}};
  Register<Word> dma_row{bank, {"DMA_ROW", 0x48, "first row in the fabric: memory × 128 + row, or of an IO buffer"}};
  Register<Word> dma_rows{bank, {"DMA_ROWS", 0x4C, "rows of 32 bytes to carry"}};
  Register<Word> dma_control{bank, {"DMA_CONTROL", 0x50, "writing START begins"}};
  Flag dma_start{dma_control, {"START", 0, 1, "write 1: begin; reads 0"}};
  Flag dma_to_memory{dma_control, {"TO_MEMORY", 1, 1, "from the fabric to memory; else from memory"}};
  Flag dma_io{dma_control, {"IO", 2, 1, "the IO buffers instead of the DiMArch memories"}};

  RegisterArray<Word> length;      ///< LENGTH[cell]
  RegisterArray<Word> cell_state;  ///< CELL[cell]
};

}  // namespace vp::drra
