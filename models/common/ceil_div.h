#pragma once

#include <cstdint>

namespace vp {

/// The pieces of `unit` that hold `value`.
constexpr std::uint64_t ceil_div(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit; }

}  // namespace vp
