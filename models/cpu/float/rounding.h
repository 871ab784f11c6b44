#pragma once

#include <cstdint>

#include "models/cpu/float/format.h"

namespace vp::ieee754 {

__extension__ using Wide = unsigned __int128;

/// A finite number that any format can be made into: ±significand × 2^(exponent − 63). The leading bit of the
/// significand is set, or all of it is zero. Before rounding its lowest bit also stands for all that lies below it.
struct Number {
  bool negative = false;
  int exponent = 0;
  std::uint64_t significand = 0;
};

/// Of a finite encoding.
template <typename Bits>
Number unpack(Bits a);

/// ±significand × 2^(exponent − 127), not zero.
Number normalize(bool negative, int exponent, Wide significand);

/// Shifted right; the lowest bit is set if anything has been shifted out.
Wide shift_right_sticky(Wide value, unsigned by);

/// Whether a magnitude is rounded away from zero. rest: what is dropped, in units in which half of the last place is
/// `half`.
bool rounds_away(Rounding rounding, bool negative, bool odd, std::uint64_t rest, std::uint64_t half);

/// The encoding nearest to a number that is not zero, in the sense of the rounding mode; raises inexact, underflow and
/// overflow.
template <typename Bits>
Bits rounded(const Number& number, Environment& environment);

}  // namespace vp::ieee754
