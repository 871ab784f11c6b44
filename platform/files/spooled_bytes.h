#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace vp {

/// Many bytes that may be wanted once more, but likely are not: in a file without a name, so that they take no memory.
/// Where there can be no such file, and if they are few, they stay in memory.
class SpooledBytes {
 public:
  explicit SpooledBytes(std::string bytes);

  std::size_t size() const { return size_; }
  /// Copies all of them. Throws UserError if the file cannot be read any more.
  void copy_to(std::uint8_t* to) const;

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::size_t size_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string bytes_;  ///< without a file
};

}  // namespace vp
