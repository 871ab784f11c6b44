#pragma once

#include <cstdint>

#include "models/cpu/float/format.h"

namespace vp::ieee754 {

/// Integer: 32 or 64 bits, signed or not. What does not fit, once rounded, is invalid and becomes the nearest integer
/// there is; a NaN the greatest.
template <typename Integer, typename Bits>
Integer to_integer(Bits a, Environment& environment);

template <typename Bits, typename Integer>
Bits from_integer(Integer value, Environment& environment);

/// From one format to the other.
template <typename To, typename From>
To convert(From a, Environment& environment);

}  // namespace vp::ieee754
