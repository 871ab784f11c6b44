#include "tests/tinytpu/reference_model.h"

#include <algorithm>
#include <cmath>

namespace vp::tinytpu {
namespace {

/// a >> shift with the last bit shifted out added, in `bits` bits.
std::int64_t rounded(std::uint32_t a, unsigned shift, unsigned bits, bool is_signed) {
  const std::int64_t modulus = std::int64_t{1} << bits;
  const std::int64_t r = ((a >> shift) + (a >> (shift - 1) & 1)) % modulus;
  return is_signed && r >= modulus / 2 ? r - modulus : r;
}

}  // namespace

std::uint8_t ReferenceModel::activated(std::uint32_t a, unsigned code, bool is_signed) {
  if (code == 1)
    return static_cast<std::uint8_t>(std::clamp<std::int64_t>(rounded(a, 8, 24, is_signed), 0, is_signed ? 127 : 255));
  if (code == 9 && is_signed) {
    const std::int64_t r = rounded(a, 12, 20, true);
    if (r < -88) return 0;
    if (r > 70) return 127;
    return static_cast<std::uint8_t>(std::floor(128 / (1 + std::exp(-static_cast<double>(r) / 16)) + 0.5));
  }
  if (code == 9) {
    const std::int64_t r = rounded(a, 11, 21, false);
    if (r > 164) return 255;
    return static_cast<std::uint8_t>(std::floor(256 / (1 + std::exp(-static_cast<double>(r) / 32)) + 0.5));
  }
  return static_cast<std::uint8_t>(a >> 24);
}

}  // namespace vp::tinytpu
