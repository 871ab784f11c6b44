#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "models/cpu/core.h"
#include "platform/loader/symbol_table.h"
#include "platform/trace/line_writer.h"
#include "platform/trace/trace_style.h"

namespace vp {

/// What the lines of a trace look like.
class TraceFormat {
 public:
  /// `symbols` must outlive it.
  static std::unique_ptr<TraceFormat> make(TraceStyle style, unsigned xlen, const SymbolTable& symbols);
  virtual ~TraceFormat() = default;

  /// The part of an instruction's line that is the same each time it is executed in one mode.
  virtual std::string fixed(const cpu::TraceRecord& record) const = 0;
  /// Room that a line needs beside its fixed part.
  static constexpr std::size_t kRest = 256;
  virtual void line(LineWriter& to, const std::string& fixed, const cpu::TraceRecord& record) const = 0;
  /// An interrupt that was taken, or a fetch that failed; empty if the format does not show it.
  virtual std::string trap(const cpu::TrapRecord& trap) const = 0;
};

}  // namespace vp
