#pragma once

#include <cstdint>
#include <string>

#include "models/common/clock.h"
#include "platform/files/text_output.h"

namespace vp {

enum class LogLevel : std::uint8_t { silent, error, warning, info, debug };

/// What happened during a run, one line each: "[    12.345 us] warning: …". Guest errors are warnings, what ends a run
/// is an error, the course of a run is info, every trap and interrupt is debug.
class RunLog {
 public:
  /// path: empty for standard error. Throws UserError if the file cannot be made.
  RunLog(LogLevel level, const std::string& path) : level_(level), output_(path) {}
  /// Empties the file; nothing is written before.
  void begin() { output_.begin(); }

  bool enabled(LogLevel level) const { return level <= level_; }
  void write(LogLevel level, Picoseconds time, const std::string& text);
  /// Completes the file. Throws UserError if any of it could not be written.
  void close() { output_.close(); }

 private:
  LogLevel level_;
  TextOutput output_;
};

/// "silent", "error", "warning", "info" or "debug"; throws UserError for another word.
LogLevel parse_log_level(const std::string& word);

/// A time for a person: three decimals and the largest unit that leaves a number of at least 1.
std::string readable_time(Picoseconds time);

}  // namespace vp
