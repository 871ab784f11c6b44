#pragma once

#include <cstdint>
#include <string>

namespace vp {

/// Writes a number into a file's content, little endian, eight bytes.
inline void put_doubleword(std::string& content, std::size_t at, std::uint64_t value) {
  for (unsigned i = 0; i < 8; ++i) content[at + i] = static_cast<char>(value >> (8 * i));
}

/// A kernel's Image of `bytes` in the file that takes `memory_size`, from `text_offset` on.
inline std::string small_image(std::size_t bytes = 4096, std::uint64_t memory_size = 8192,
                               std::uint64_t text_offset = 0x20'0000) {
  std::string content(bytes, 'k');
  put_doubleword(content, 8, text_offset);
  put_doubleword(content, 16, memory_size);
  put_doubleword(content, 24, 0);
  content.replace(48, 8, std::string("RISCV\0\0\0", 8));
  content.replace(56, 4, "RSC\x05");
  return content;
}

}  // namespace vp
