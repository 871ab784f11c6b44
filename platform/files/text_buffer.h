#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/common/clock.h"
#include "platform/files/text_output.h"

namespace vp {

/// Text of millions of lines on its way into a file: numbers are formatted here, and written in large blocks.
class TextBuffer {
 public:
  /// Throws UserError if the file cannot be made. See TextOutput.
  explicit TextBuffer(const std::string& path) : output_(path), bytes_(kSize) {}
  /// Writes what close() has not, if a run ends in an exception.
  ~TextBuffer() {
    if (begun_) write_out();
  }
  TextBuffer(const TextBuffer&) = delete;
  TextBuffer& operator=(const TextBuffer&) = delete;

  /// Empties the file. What was added before goes there then.
  void begin();
  /// Writes what is held back. Throws UserError if any of it could not be written.
  void close();

  void add(std::string_view text);
  void add(char letter) { add(std::string_view(&letter, 1)); }
  void decimal(std::uint64_t value);
  /// Lower case, with leading zeros up to so many digits.
  void hexadecimal(std::uint64_t value, unsigned digits = 1);
  /// A time in nanoseconds with all its picoseconds, "7830.625", flush right in so many columns.
  void nanoseconds(Picoseconds time, unsigned columns);

 private:
  static constexpr std::size_t kSize = std::size_t{1} << 18;
  static constexpr std::size_t kLongestNumber = 64;

  void write_out();
  /// Room for a number.
  char* room();

  TextOutput output_;
  std::vector<char> bytes_;
  std::size_t used_ = 0;
  bool begun_ = false;
};

}  // namespace vp
