#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/common/outline.h"
#include "models/common/register_bank.h"
#include "platform/loader/symbol_table.h"

namespace vp {

enum class AccessLogFormat : std::uint8_t {
  text,
  json_lines,  ///< an object a line
};

/// What the log of accesses is to hold, and where it goes.
struct AccessLogRequest {
  std::vector<std::string> subjects;      ///< "all", "tpu", "tpu.runtime_counter"
  std::string file;                       ///< empty or "-": standard error
  std::optional<AccessLogFormat> format;  ///< without: by the file's name
  std::optional<bool> writes;             ///< only these (true), only reads (false)
  std::string pc;                         ///< see parse_pc_window(); empty: all
};

/// Splits "tpu,uart0.lcr=FILE". Throws UserError for an empty subject.
AccessLogRequest parse_access_log(const std::string& text);

/// Which accesses a log holds.
class AccessFilter {
 public:
  /// Throws UserError for a part that is not there, or has no accesses that could be logged without gaps.
  AccessFilter(const AccessLogRequest& request, const Outline& machine);

  /// A line or a controller of this part belongs to the log.
  bool has_whole(const std::string& part) const;
  bool has_any(const std::string& part) const;
  /// Throws UserError for a register that the part has not. bank may be nullptr.
  void check_registers(const std::string& part, const RegisterBank* bank) const;
  /// An access of this direction to these registers (none: elsewhere) of this part.
  bool has(const std::string& part, const std::vector<RegisterPlace>& registers, bool write) const;

 private:
  struct Subject {
    std::string part;
    std::string reg;  ///< in capitals; empty: the whole part
  };

  bool all_ = false;
  std::vector<Subject> subjects_;
  std::optional<bool> writes_;
};

}  // namespace vp
