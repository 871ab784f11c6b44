#pragma once

#include <cstdint>

#include "models/common/clock.h"

namespace vp::drra {

/// What the device around a fabric has done.
struct DmaFigures {
  std::uint64_t transfers = 0, failed = 0, cancelled = 0;
  std::uint64_t rows_in = 0, rows_out = 0, bursts = 0;
  Picoseconds busy = 0;

  std::uint64_t bytes() const { return 32 * (rows_in + rows_out); }

  template <typename List>
  void list(List& list) const {
    list.figure("transfers", transfers, "", "transfers that have ended");
    list.figure("failed", failed, "", "transfers that have ended with an error");
    list.figure("cancelled", cancelled, "", "transfers that a reset has ended");
    list.figure("rows_in", rows_in, "rows", "rows of 32 bytes from memory to the fabric");
    list.figure("rows_out", rows_out, "rows", "rows of 32 bytes from the fabric to memory");
    list.figure("bursts", bursts, "", "bursts asked for");
    list.figure("busy", busy, "ps", "time from a start to its end");
  }
};

struct Figures {
  std::uint64_t runs = 0;       ///< that have ended
  std::uint64_t cancelled = 0;  ///< runs that a reset has ended
  std::uint64_t cycles = 0;     ///< of all of them
  DmaFigures dma;

  template <typename List>
  void list(List& list) const {
    list.figure("runs", runs, "", "runs that have ended");
    list.figure("cancelled", cancelled, "", "runs that a reset has ended");
    list.figure("run_cycles", cycles, "cycles", "from starts to the ends of their runs");
    list.group("dma", "DMA of rows", dma);
  }
};

}  // namespace vp::drra
