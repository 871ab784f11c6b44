#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "models/common/output_file.h"

namespace vp {

/// Text that a run writes as it goes, into a file or ("-" or empty) on standard error.
class TextOutput {
 public:
  /// Leaves what is in the file until begin(). Throws UserError if it cannot be written.
  explicit TextOutput(const std::string& path);

  /// Empties the file. Nothing can be written before.
  void begin();
  /// nullptr before begin() and after close().
  std::FILE* file() const { return file_.get(); }
  /// Completes the file. Throws UserError if any of it could not be written.
  void close();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::optional<OutputFile> pending_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace vp
