#include "models/cpu/float/rounding.h"

namespace vp::ieee754 {
namespace {

unsigned leading_zeros(std::uint64_t value) { return static_cast<unsigned>(__builtin_clzll(value)); }

template <typename Bits>
Bits overflowed(bool negative, Environment& environment) {
  using F = Format<Bits>;
  environment.raise(overflow | inexact);
  const Rounding rounding = environment.rounding;
  const bool to_infinity = rounding == Rounding::nearest_even || rounding == Rounding::nearest_away ||
                           rounding == (negative ? Rounding::down : Rounding::up);
  return (negative ? F::kSign : 0) | (to_infinity ? F::kInfinity : F::kGreatest);
}

}  // namespace

template <typename Bits>
Number unpack(Bits a) {
  using F = Format<Bits>;
  constexpr unsigned kShift = 63 - F::kFraction;
  const std::uint64_t fraction = magnitude(a) & (F::kUnit - 1);
  const auto biased = static_cast<int>(biased_exponent(a));
  if (biased != 0) return {negative(a), biased - F::kBias, (fraction | F::kUnit) << kShift};
  if (fraction == 0) return {negative(a), 0, 0};
  const unsigned shift = leading_zeros(fraction);
  return {negative(a), 1 - F::kBias + static_cast<int>(kShift) - static_cast<int>(shift), fraction << shift};
}

Number normalize(bool negative, int exponent, Wide significand) {
  const auto high = static_cast<std::uint64_t>(significand >> 64);
  const unsigned shift = high != 0 ? leading_zeros(high) : 64 + leading_zeros(static_cast<std::uint64_t>(significand));
  significand <<= shift;
  const bool below = static_cast<std::uint64_t>(significand) != 0;
  return {negative, exponent - static_cast<int>(shift),
          static_cast<std::uint64_t>(significand >> 64) | (below ? 1 : 0)};
}

Wide shift_right_sticky(Wide value, unsigned by) {
  if (by == 0) return value;
  if (by >= 128) return value != 0 ? 1 : 0;
  return value >> by | (value << (128 - by) != 0 ? 1 : 0);
}

bool rounds_away(Rounding rounding, bool negative, bool odd, std::uint64_t rest, std::uint64_t half) {
  switch (rounding) {
    case Rounding::nearest_even:
      return rest > half || (rest == half && odd);
    case Rounding::nearest_away:
      return rest >= half;
    case Rounding::down:
      return negative && rest != 0;
    case Rounding::up:
      return !negative && rest != 0;
    case Rounding::to_zero:
      break;
  }
  return false;
}

template <typename Bits>
Bits rounded(const Number& number, Environment& environment) {
  using F = Format<Bits>;
  constexpr unsigned kDrop = 63 - F::kFraction;
  constexpr std::uint64_t kHalf = std::uint64_t{1} << (kDrop - 1), kRest = 2 * kHalf - 1;
  constexpr int kLeast = 1 - F::kBias;  // exponent of the smallest normal number
  if (number.exponent > F::kBias) return overflowed<Bits>(number.negative, environment);
  const auto round = [&](std::uint64_t significand) {
    const std::uint64_t kept = significand >> kDrop;
    return kept + rounds_away(environment.rounding, number.negative, kept & 1, significand & kRest, kHalf);
  };
  std::uint64_t significand = number.significand;
  unsigned biased = 1;
  bool tiny = false;
  if (number.exponent < kLeast) {
    // Not tiny if rounding to full precision, as if there were no least exponent, reaches the smallest normal number.
    tiny = number.exponent != kLeast - 1 || round(significand) != std::uint64_t{2} * F::kUnit;
    significand =
        static_cast<std::uint64_t>(shift_right_sticky(significand, static_cast<unsigned>(kLeast - number.exponent)));
  } else {
    biased = static_cast<unsigned>(number.exponent + F::kBias);
  }
  // The leading bit of a normal number, or a carry into it, counts the exponent up.
  const Bits result = (Bits{biased - 1} << F::kFraction) + static_cast<Bits>(round(significand));
  if (result >= F::kInfinity) return overflowed<Bits>(number.negative, environment);
  if ((significand & kRest) != 0) environment.raise(inexact | (tiny ? underflow : 0));
  return (number.negative ? F::kSign : 0) | result;
}

template Number unpack(std::uint32_t);
template Number unpack(std::uint64_t);
template std::uint32_t rounded(const Number&, Environment&);
template std::uint64_t rounded(const Number&, Environment&);

}  // namespace vp::ieee754
