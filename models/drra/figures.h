#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "models/common/clock.h"
#include "models/common/time_account.h"

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

/// The cycles of runs, each once, by the first of these that any cell or memory of the fabric did.
struct HeldUpBy {
  std::uint64_t compute = 0, data = 0, instructions = 0;
  std::uint64_t wait = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("compute", compute, "cycles", "a DPU worked on elements of a stream");
    list.figure("data", data, "cycles", "a register file, memory or IO buffer was read or written");
    list.figure("instructions", instructions, "cycles", "an instruction was decoded");
    list.figure("wait", wait, "cycles", "all cells waited, by WAIT or for the next element of a stream");
  }
};

/// Where the time of a fabric went, as reports draw it.
struct AccountFigures {
  std::uint64_t busy = 0, waiting = 0, idle = 0;

  template <typename List>
  void list(List& list) const {
    list.figure(time_account::kBusy, busy, "cycles", "of runs, in which a cell or memory did something");
    list.figure(time_account::kWaiting, waiting, "cycles", "of runs, in which all cells waited");
    list.figure(time_account::kIdle, idle, "cycles", "without a run");
    list.figure(time_account::kTotal, busy + waiting + idle, "cycles", "since the start of the simulation");
  }
};

/// Runs of a fabric.
struct RunFigures {
  std::uint64_t runs = 0;       ///< that have ended
  std::uint64_t cancelled = 0;  ///< runs that were ended before
  std::uint64_t cycles = 0;     ///< of all of them, of one under way up to now
  HeldUpBy held_up_by;
  AccountFigures account;

  /// What was done in the runs, and how long the fabric has been there.
  void account_for(const HeldUpBy& by, std::uint64_t total) {
    held_up_by = by;
    account = {by.compute + by.data + by.instructions, by.wait, total - std::min(total, cycles)};
  }
  template <typename List>
  void list(List& list) const {
    list.figure("runs", runs, "", "runs that have ended");
    list.figure("cancelled", cancelled, "", "runs that were ended by a reset or a limit");
    list.figure("run_cycles", cycles, "cycles", "of all runs, of one under way up to now");
    list.group("held_up_by", "each cycle of the runs once, by what the fabric did", held_up_by);
    list.group("account", "where the fabric's time went", account);
  }
};

struct Figures {
  RunFigures run;
  DmaFigures dma;

  template <typename List>
  void list(List& list) const {
    run.list(list);
    list.group("dma", "DMA of rows", dma);
  }
};

/// Groups of cells are called by this and their place: cell_0_3.
inline constexpr const char* kCellGroup = "cell_";

/// Cycles of one cell by resource.
struct CellFigures {
  std::uint64_t instructions = 0, waiting = 0, dpu_busy = 0;
  std::uint64_t w0 = 0, w1 = 0, r0 = 0, r1 = 0, block_write = 0, block_read = 0;
  std::optional<std::uint64_t> halt;

  template <typename List>
  void list(List& list) const {
    static constexpr const char* kPort = "in which this port of the register file was used";
    list.figure("instructions", instructions, "cycles", "decoded, one cycle each");
    list.figure("waiting", waiting, "cycles", "of WAIT, after the cycle that decodes it");
    list.figure("dpu_busy", dpu_busy, "cycles", "in which the DPU worked on elements of a stream");
    list.figure("w0", w0, "cycles", kPort);
    list.figure("w1", w1, "cycles", kPort);
    list.figure("r0", r0, "cycles", kPort);
    list.figure("r1", r1, "cycles", kPort);
    list.figure("block_write", block_write, "cycles", kPort);
    list.figure("block_read", block_read, "cycles", kPort);
    list.figure("halt", halt, "cycles", "cycle that decoded HALT last");
  }
};

}  // namespace vp::drra
