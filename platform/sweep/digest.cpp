#include "platform/sweep/digest.h"

#include "platform/files/whole_file.h"

namespace vp {

void Digest::add(const std::string& text) {
  for (const char c : text) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  state_ *= 0x100000001b3ULL;  // a zero byte, so that {"ab", "c"} and {"a", "bc"} differ
}

std::string Digest::text() const {
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 33)) * 0xff51afd7ed558ccdULL;
  mixed = (mixed ^ (mixed >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  mixed ^= mixed >> 33;
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(mixed >> shift) & 15];
  return digits;
}

const std::string& FileDigests::of(const std::string& path) {
  std::string& digest = digests_[path];
  if (digest.empty()) {
    Digest content;
    content.add(read_file(path));
    digest = content.text();
  }
  return digest;
}

}  // namespace vp
