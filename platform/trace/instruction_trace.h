#pragma once

#include <string>

#include "models/common/clock.h"
#include "models/cpu/core.h"
#include "platform/files/text_output.h"
#include "platform/loader/symbol_table.h"

namespace vp {

/// What part of a run is traced: instructions at `first_pc` to `last_pc` that start from `from` to before `to`.
struct TraceWindow {
  std::uint64_t first_pc = 0;
  std::uint64_t last_pc = ~std::uint64_t{0};
  Picoseconds from = 0;
  Picoseconds to = kNever;

  bool contains(std::uint64_t pc, Picoseconds time) const {
    return pc >= first_pc && pc <= last_pc && time >= from && time < to;
  }
};

/// Addresses of the value of such an option: "FROM-TO" (both included), one address, or the name of a function, which
/// stands for all of it. Throws UserError.
TraceWindow parse_pc_window(const std::string& text, const SymbolTable& symbols,
                            const std::string& option = "--trace-pc");

/// Writes one line an executed instruction: time in ns, mode, pc, encoding, symbol, disassembly, and the register
/// written, the address accessed, or that it trapped. "-" is standard error.
class InstructionTrace {
 public:
  /// Throws UserError if the file cannot be made.
  InstructionTrace(const std::string& path, TraceWindow window, unsigned xlen, const SymbolTable& symbols);
  /// Empties the file, before the first instruction.
  void begin() { output_.begin(); }

  void operator()(const cpu::TraceRecord& record) {
    if (window_.contains(record.pc, record.time)) write(record);
  }
  /// Completes the file. Throws UserError if any of it could not be written.
  void close() { output_.close(); }

 private:
  void write(const cpu::TraceRecord& record);

  TextOutput output_;
  TraceWindow window_;
  unsigned xlen_;
  const SymbolTable& symbols_;
};

}  // namespace vp
