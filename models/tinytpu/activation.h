#pragma once

#include <cstdint>

namespace vp::tinytpu {

/// The byte an activate makes of a 32-bit accumulator (README, Arithmetic). `code`: 0 to 15; all but relu and sigmoid
/// act as none.
std::uint8_t activate_value(std::uint32_t accumulator, unsigned code, bool is_signed);

/// The same for `count` neighbouring accumulators.
void activate_row(const std::uint32_t* accumulators, std::uint8_t* out, unsigned count, unsigned code, bool is_signed);

}  // namespace vp::tinytpu
