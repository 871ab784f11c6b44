#pragma once

#include <string>

namespace vp {

/// A file of the host that a run is going to write. Opening it shows whether that is possible; what is in the file
/// stays until begin(), so that a run that is refused in between loses nothing and leaves no empty file.
class OutputFile {
 public:
  /// Throws UserError with the system's reason.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Empties the file and hands its descriptor over to the caller, who closes it. Once.
  int begin();

 private:
  int descriptor_;
  std::string made_;  ///< path of the new file, to be removed if it never begins; empty: it was there before
};

}  // namespace vp
