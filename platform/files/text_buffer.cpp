#include "platform/files/text_buffer.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace vp {

void TextBuffer::begin() {
  output_.begin();
  begun_ = true;
}

void TextBuffer::close() {
  if (begun_) write_out();
  begun_ = false;
  output_.close();
}

void TextBuffer::write_out() {
  std::fwrite(bytes_.data(), 1, used_, output_.file());  // errors show in close()
  used_ = 0;
}

void TextBuffer::add(std::string_view text) {
  if (bytes_.size() - used_ < text.size()) {
    if (begun_) write_out();
    if (bytes_.size() - used_ < text.size()) bytes_.resize(used_ + text.size());
  }
  std::memcpy(bytes_.data() + used_, text.data(), text.size());
  used_ += text.size();
}

char* TextBuffer::room() {
  if (bytes_.size() - used_ < kLongestNumber) {
    if (begun_) write_out();
    if (bytes_.size() - used_ < kLongestNumber) bytes_.resize(used_ + kLongestNumber);
  }
  return bytes_.data() + used_;
}

void TextBuffer::decimal(std::uint64_t value) {
  char* const begin = room();
  used_ += static_cast<std::size_t>(std::to_chars(begin, begin + kLongestNumber, value).ptr - begin);
}

void TextBuffer::hexadecimal(std::uint64_t value, unsigned digits) {
  unsigned needed = 1;
  while (needed < 16 && value >> (4 * needed) != 0) ++needed;
  digits = std::clamp(digits, needed, 16u);
  char* const begin = room();
  for (unsigned i = digits; i-- > 0; value >>= 4) begin[i] = "0123456789abcdef"[value & 0xF];
  used_ += digits;
}

void TextBuffer::nanoseconds(Picoseconds time, unsigned columns) {
  char text[kLongestNumber];
  char* end = std::to_chars(text, text + kLongestNumber, time / 1000).ptr;
  const auto fraction = static_cast<unsigned>(time % 1000);
  *end++ = '.';
  for (const unsigned digit : {fraction / 100, fraction / 10 % 10, fraction % 10})
    *end++ = static_cast<char>('0' + digit);
  const auto length = static_cast<std::size_t>(end - text);
  char* const begin = room();
  const std::size_t blanks = columns > length ? columns - length : 0;
  std::memset(begin, ' ', blanks);
  std::memcpy(begin + blanks, text, length);
  used_ += blanks + length;
}

}  // namespace vp
