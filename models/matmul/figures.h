#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/matmul/core.h"
#include "models/matmul/isa.h"

namespace vp::matmul {

/// Completed instructions of one kind in one thread.
struct OpcodeFigures {
  std::uint64_t count = 0;
  std::uint64_t clocks = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("count", count, "1", "completed");
    list.figure("clocks", clocks, "cycles", "from fetch to fetch");
  }
};

struct ThreadFigures {
  std::uint64_t runs = 0;
  std::array<OpcodeFigures, kOpcodes> instructions;  ///< by Opcode

  template <typename List>
  void list(List& list) const {
    list.figure("runs", runs, "1", "starts");
    for (const InstructionFormat& format : instruction_formats())
      list.group(format.mnemonic, "completed instructions of this kind",
                 instructions[static_cast<std::size_t>(format.opcode)]);
  }
};

/// Defects of the hardware that struck.
struct ErrataFigures {
  std::uint64_t late_load_hang = 0;
  std::uint64_t fifo_byte_loss = 0;
  std::uint64_t cts_byte_loss = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("late_load_hang", late_load_hang, "1", "LOADs that take 2^32 clocks");
    list.figure("fifo_byte_loss", fifo_byte_loss, "bytes", "lost to a full FIFO");
    list.figure("cts_byte_loss", cts_byte_loss, "bytes", "lost while CTS was low");
  }
};

struct CoreFigures {
  std::array<ThreadFigures, kThreads> threads;
  std::uint64_t bytes_received = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t block_stores = 0;
  std::uint64_t instruction_stores = 0;
  std::uint64_t dropped_instruction_stores = 0;
  std::uint64_t updates = 0;
  std::uint64_t ignored_bytes = 0;
  ErrataFigures errata;

  template <typename List>
  void list(List& list) const {
    for (unsigned thread = 0; thread < kThreads; ++thread)
      list.group("thread" + std::to_string(thread), "instructions of one hardware thread", threads[thread]);
    list.figure("bytes_received", bytes_received, "bytes", "bytes from the line");
    list.figure("bytes_sent", bytes_sent, "bytes", "bytes put on the line");
    list.figure("block_stores", block_stores, "1", "matrices stored by the host");
    list.figure("instruction_stores", instruction_stores, "1", "instructions stored by the host");
    list.figure("dropped_instruction_stores", dropped_instruction_stores, "1",
                "instructions sent while both threads were enabled");
    list.figure("updates", updates, "1", "start and enable commands");
    list.figure("ignored_bytes", ignored_bytes, "bytes", "bytes 00xxxxxx where a command was due");
    list.group("errata", "defects of the hardware that struck", errata);
  }
};

/// What a core has counted.
CoreFigures figures_of(const Core& core);

/// All of a device behind its serial line.
struct Figures {
  CoreFigures core;
  std::uint64_t late_arrivals = 0;

  template <typename List>
  void list(List& list) const {
    core.list(list);
    list.figure("late_arrivals", late_arrivals, "1", "frames put later than their time");
  }
};

}  // namespace vp::matmul
