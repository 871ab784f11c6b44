#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace vp {

/// Writes text and numbers to where the caller has made room.
class LineWriter {
 public:
  explicit LineWriter(char* to) : at_(to) {}
  char* end() const { return at_; }

  void put(char character) { *at_++ = character; }
  void put(const char* text, std::size_t size) {
    std::memcpy(at_, text, size);
    at_ += size;
  }
  void put(const std::string& text) { put(text.data(), text.size()); }
  /// `digits` is even; higher ones of the value are left out.
  void hex(std::uint64_t value, unsigned digits) {
    for (unsigned i = digits; i != 0; i -= 2, value >>= 8) std::memcpy(at_ + i - 2, &kHex[2 * (value & 0xff)], 2);
    at_ += digits;
  }
  /// With leading `fill` up to `width`.
  void decimal(std::uint64_t value, unsigned width = 0, char fill = ' ') {
    std::array<char, 20> digits;
    unsigned count = 0;
    do digits[count++] = static_cast<char>('0' + value % 10);
    while ((value /= 10) != 0);
    for (; width > count; --width) put(fill);
    while (count != 0) put(digits[--count]);
  }

 private:
  static constexpr std::array<char, 512> make_hex() {
    constexpr char kDigits[] = "0123456789abcdef";
    std::array<char, 512> pairs{};
    for (std::size_t i = 0; i < 256; ++i) {
      pairs[2 * i] = kDigits[i >> 4];
      pairs[2 * i + 1] = kDigits[i & 15];
    }
    return pairs;
  }
  static const std::array<char, 512> kHex;

  char* at_;
};

inline constexpr std::array<char, 512> LineWriter::kHex = LineWriter::make_hex();

}  // namespace vp
