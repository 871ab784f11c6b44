#include "models/cpu/float/conversion.h"

#include <limits>
#include <type_traits>

#include "models/cpu/float/rounding.h"

namespace vp::ieee754 {
namespace {

/// A magnitude as an integer and what lies behind the point, in units of 2^-64, the lowest bit sticky.
struct Split {
  std::uint64_t whole;
  std::uint64_t rest;
};

/// Below 2^64.
Split split(const Number& number) {
  if (number.exponent == 63) return {number.significand, 0};
  const Wide point = shift_right_sticky(Wide{number.significand} << 64, static_cast<unsigned>(63 - number.exponent));
  return {static_cast<std::uint64_t>(point >> 64), static_cast<std::uint64_t>(point)};
}

}  // namespace

template <typename Integer, typename Bits>
Integer to_integer(Bits a, Environment& environment) {
  using Limits = std::numeric_limits<Integer>;
  if (is_nan(a)) {
    environment.raise(invalid);
    return Limits::max();
  }
  const bool minus = negative(a);
  const auto saturated = [&] {
    environment.raise(invalid);
    return minus ? Limits::min() : Limits::max();
  };
  if (is_infinite(a)) return saturated();
  const Number number = unpack(a);
  if (number.exponent > 63) return saturated();
  const Split parts = split(number);
  const std::uint64_t whole =
      parts.whole + rounds_away(environment.rounding, minus, parts.whole & 1, parts.rest, std::uint64_t{1} << 63);
  constexpr auto kMost = static_cast<std::uint64_t>(Limits::max());
  if (whole > (!minus ? kMost : Limits::is_signed ? kMost + 1 : 0)) return saturated();
  if (parts.rest != 0) environment.raise(inexact);
  return static_cast<Integer>(minus ? 0 - whole : whole);
}

template <typename Bits, typename Integer>
Bits from_integer(Integer value, Environment& environment) {
  const bool minus = std::is_signed_v<Integer> && value < 0;
  const auto wide = static_cast<std::uint64_t>(value);
  const std::uint64_t size = minus ? 0 - wide : wide;
  if (size == 0) return 0;
  const auto shift = static_cast<unsigned>(__builtin_clzll(size));
  return rounded<Bits>({minus, 63 - static_cast<int>(shift), size << shift}, environment);
}

template <typename To, typename From>
To convert(From a, Environment& environment) {
  const To sign = negative(a) ? Format<To>::kSign : 0;
  if (is_signalling(a)) environment.raise(invalid);
  if (is_nan(a)) return Format<To>::kCanonicalNan;
  if (is_infinite(a)) return sign | Format<To>::kInfinity;
  if (is_zero(a)) return sign;
  return rounded<To>(unpack(a), environment);
}

#define VP_OF_INTEGER(Integer)                                \
  template Integer to_integer(std::uint32_t, Environment&);   \
  template Integer to_integer(std::uint64_t, Environment&);   \
  template std::uint32_t from_integer(Integer, Environment&); \
  template std::uint64_t from_integer(Integer, Environment&);
VP_OF_INTEGER(std::int32_t)
VP_OF_INTEGER(std::uint32_t)
VP_OF_INTEGER(std::int64_t)
VP_OF_INTEGER(std::uint64_t)
#undef VP_OF_INTEGER
template std::uint32_t convert(std::uint64_t, Environment&);
template std::uint64_t convert(std::uint32_t, Environment&);

}  // namespace vp::ieee754
