#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace vp {

/// FNV-1a over 64 bits with a final mix, as 16 hexadecimal digits. It only has to tell the points and the inputs of one
/// folder apart; a result file also holds its settings.
class Digest {
 public:
  void add(const std::string& text);
  std::string text() const;

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

/// Contents of files as digests, each file read once.
class FileDigests {
 public:
  /// Throws UserError if the file cannot be read.
  const std::string& of(const std::string& path);

 private:
  std::map<std::string, std::string> digests_;
};

}  // namespace vp
