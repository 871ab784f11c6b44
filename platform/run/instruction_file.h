#pragma once

#include <string>

#include "models/common/instruction_source.h"
#include "platform/files/text_output.h"

namespace vp {

/// Which part's instructions are to be logged, and where to.
struct InstructionLogRequest {
  std::string part;
  std::string file;  ///< empty or "-": standard error
};

/// The log of a part's instructions as text, one line each: number, when it was pushed, issued and done (ns, "-" for
/// never), the instruction, who pushed it.
class InstructionFile : public InstructionSink {
 public:
  /// Throws UserError if the file cannot be made.
  explicit InstructionFile(const std::string& path, OriginText origin = {})
      : output_(path), origin_(std::move(origin)) {}

  /// Empties the file and writes what stands above the columns. Nothing is written before.
  void begin();
  void take(const LoggedInstruction& instruction) override;
  /// Completes the file. Throws UserError if any of it could not be written.
  void close() { output_.close(); }

 private:
  TextOutput output_;
  OriginText origin_;
};

/// The log of one source from the beginning of a run to its end.
class InstructionLog {
 public:
  /// Throws UserError if the file cannot be made.
  InstructionLog(InstructionSource& source, const std::string& path, OriginText origin = {})
      : source_(source), file_(path, std::move(origin)) {
    source_.log_to(file_);
  }
  void begin() { file_.begin(); }
  /// Throws UserError if any of it could not be written.
  void end() {
    source_.end_log();
    file_.close();
  }

 private:
  InstructionSource& source_;
  InstructionFile file_;
};

}  // namespace vp
