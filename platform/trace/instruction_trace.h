#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/cpu/core.h"
#include "platform/files/text_output.h"
#include "platform/loader/symbol_table.h"
#include "platform/trace/trace_format.h"

namespace vp {

/// Addresses of the value of such an option: "FROM-TO" (both included), one address, or the name of a function, which
/// stands for all of it. Throws UserError.
cpu::TraceWindow parse_pc_window(const std::string& text, const SymbolTable& symbols,
                                 const std::string& option = "--trace-pc");

/// Writes one line an executed instruction. "-" is standard error.
class InstructionTrace {
 public:
  /// Throws UserError if the file cannot be made. `symbols` must outlive it.
  InstructionTrace(const std::string& path, const cpu::TraceWindow& window, TraceStyle style, unsigned xlen,
                   const SymbolTable& symbols);
  ~InstructionTrace();
  /// Empties the file, before the first instruction.
  void begin() { output_.begin(); }

  /// An instruction; those outside the window are the hart's to leave out.
  void operator()(const cpu::TraceRecord& record);
  /// Any trap that is taken: interrupts and failed fetches, which no instruction shows, get lines of their own.
  void operator()(const cpu::TrapRecord& trap);
  /// Writes out what is held back.
  void flush();
  /// Completes the file. Throws UserError if any of it could not be written.
  void close();

 private:
  /// The fixed part of a line, by the address of the instruction.
  struct Known {
    std::uint64_t pc = ~std::uint64_t{0};
    std::uint32_t encoding = 0;
    cpu::Mode mode = cpu::Mode::kMachine;
    std::string text;
  };

  const std::string& fixed_part(const cpu::TraceRecord& record);
  char* room(std::size_t size);

  TextOutput output_;
  const bool at_once_;  ///< others write to the same stream
  cpu::TraceWindow window_;
  std::unique_ptr<TraceFormat> format_;
  std::vector<Known> known_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
};

}  // namespace vp
