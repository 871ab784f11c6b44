#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vp::tinytpu_check {

/// SHA-256 (FIPS 180-4) of `bytes` as 64 lower-case hexadecimal digits.
std::string sha256_hex(const std::vector<std::uint8_t>& bytes);

}  // namespace vp::tinytpu_check
