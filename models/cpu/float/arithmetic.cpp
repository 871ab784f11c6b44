#include "models/cpu/float/arithmetic.h"

#include <utility>

#include "models/cpu/float/rounding.h"

namespace vp::ieee754 {
namespace {

template <typename Bits>
Bits invalid_result(Environment& environment) {
  environment.raise(invalid);
  return Format<Bits>::kCanonicalNan;
}

/// Of operands of which one is a NaN.
template <typename Bits, typename... More>
Bits nan_result(Environment& environment, Bits a, More... more) {
  if ((is_signalling(a) || ... || is_signalling(more))) environment.raise(invalid);
  return Format<Bits>::kCanonicalNan;
}

template <typename Bits>
Bits zero(bool negative) {
  return negative ? Format<Bits>::kSign : 0;
}
template <typename Bits>
Bits infinity(bool negative) {
  return zero<Bits>(negative) | Format<Bits>::kInfinity;
}

/// ±significand × 2^(exponent − 126): room for a carry above.
struct Summand {
  bool negative;
  int exponent;
  Wide significand;
};

Summand summand(const Number& number) { return {number.negative, number.exponent, Wide{number.significand} << 63}; }

/// Exact but for the bits that the smaller one loses. One that loses any lies so far below the other that at most one
/// leading bit cancels, so the sticky bit stays below all that counts.
template <typename Bits>
Bits sum(Summand a, Summand b, Environment& environment) {
  if (a.significand == 0 && b.significand == 0)
    return zero<Bits>(a.negative == b.negative ? a.negative : environment.rounding == Rounding::down);
  if (a.significand == 0 || (b.significand != 0 && b.exponent > a.exponent)) std::swap(a, b);
  const Wide smaller =
      b.significand == 0 ? 0 : shift_right_sticky(b.significand, static_cast<unsigned>(a.exponent - b.exponent));
  const bool same = a.negative == b.negative, swapped = smaller > a.significand;
  const Wide total = same ? a.significand + smaller : swapped ? smaller - a.significand : a.significand - smaller;
  if (total == 0) return zero<Bits>(environment.rounding == Rounding::down);
  return rounded<Bits>(normalize(a.negative != (!same && swapped), a.exponent + 1, total), environment);
}

/// Exact: its significand's leading bit is the highest or the one below.
struct Product {
  explicit Product(const Number& a, const Number& b)
      : negative(a.negative != b.negative),
        exponent(a.exponent + b.exponent + 1),
        significand(Wide{a.significand} * b.significand) {}
  bool negative;
  int exponent;  ///< significand × 2^(exponent − 127)
  Wide significand;
};

/// Bit by bit: the highest root whose square is not above `square`, which has one of its two highest bits set.
std::uint64_t integer_root(Wide square) {
  Wide root = 0, rest = 0;
  for (unsigned i = 0; i < 64; ++i) {
    rest = rest << 2 | square >> 126;
    square <<= 2;
    root <<= 1;
    const Wide trial = root << 1 | 1;
    if (rest >= trial) {
      rest -= trial;
      root |= 1;
    }
  }
  return static_cast<std::uint64_t>(root) | (rest != 0 ? 1 : 0);
}

/// Of numbers that are no NaNs.
template <typename Bits>
bool ordered_less(Bits a, Bits b) {
  if (negative(a) != negative(b)) return negative(a) && !(is_zero(a) && is_zero(b));
  return negative(a) ? b < a : a < b;
}

template <typename Bits>
Bits extreme(Bits a, Bits b, bool least, Environment& environment) {
  if (is_signalling(a) || is_signalling(b)) environment.raise(invalid);
  if (is_nan(a)) return is_nan(b) ? Format<Bits>::kCanonicalNan : b;
  if (is_nan(b)) return a;
  const bool a_is_less = is_zero(a) && is_zero(b) ? negative(a) : ordered_less(a, b);
  return a_is_less == least ? a : b;
}

}  // namespace

template <typename Bits>
Bits add(Bits a, Bits b, Environment& environment) {
  if (is_nan(a) || is_nan(b)) return nan_result(environment, a, b);
  if (is_infinite(a)) return is_infinite(b) && negative(a) != negative(b) ? invalid_result<Bits>(environment) : a;
  if (is_infinite(b)) return b;
  return sum<Bits>(summand(unpack(a)), summand(unpack(b)), environment);
}

template <typename Bits>
Bits subtract(Bits a, Bits b, Environment& environment) {
  return add<Bits>(a, b ^ Format<Bits>::kSign, environment);
}

template <typename Bits>
Bits multiply(Bits a, Bits b, Environment& environment) {
  const bool sign = negative(a) != negative(b);
  if (is_nan(a) || is_nan(b)) return nan_result(environment, a, b);
  if (is_infinite(a) || is_infinite(b))
    return is_zero(a) || is_zero(b) ? invalid_result<Bits>(environment) : infinity<Bits>(sign);
  if (is_zero(a) || is_zero(b)) return zero<Bits>(sign);
  const Product product(unpack(a), unpack(b));
  return rounded<Bits>(normalize(sign, product.exponent, product.significand), environment);
}

template <typename Bits>
Bits divide(Bits a, Bits b, Environment& environment) {
  const bool sign = negative(a) != negative(b);
  if (is_nan(a) || is_nan(b)) return nan_result(environment, a, b);
  if (is_infinite(a)) return is_infinite(b) ? invalid_result<Bits>(environment) : infinity<Bits>(sign);
  if (is_infinite(b)) return zero<Bits>(sign);
  if (is_zero(b)) {
    if (is_zero(a)) return invalid_result<Bits>(environment);
    environment.raise(divide_by_zero);
    return infinity<Bits>(sign);
  }
  if (is_zero(a)) return zero<Bits>(sign);
  const Number dividend = unpack(a), divisor = unpack(b);
  const Wide scaled = Wide{dividend.significand} << 63;
  const Wide quotient = scaled / divisor.significand;
  const bool below = quotient * divisor.significand != scaled;
  return rounded<Bits>(normalize(sign, dividend.exponent - divisor.exponent, quotient << 64 | (below ? 1 : 0)),
                       environment);
}

template <typename Bits>
Bits square_root(Bits a, Environment& environment) {
  if (is_nan(a)) return nan_result(environment, a);
  if (is_zero(a)) return a;
  if (negative(a)) return invalid_result<Bits>(environment);
  if (is_infinite(a)) return a;
  const Number number = unpack(a);
  const bool odd = number.exponent & 1;
  // exponent >> 1 rounds down, as does taking one from an odd exponent for the significand.
  return rounded<Bits>({false, number.exponent >> 1, integer_root(Wide{number.significand} << (odd ? 64 : 63))},
                       environment);
}

template <typename Bits>
Bits multiply_add(Bits a, Bits b, Bits c, Environment& environment) {
  const bool sign = negative(a) != negative(b);
  if ((is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b))) return invalid_result<Bits>(environment);
  if (is_nan(a) || is_nan(b) || is_nan(c)) return nan_result(environment, a, b, c);
  if (is_infinite(a) || is_infinite(b))
    return is_infinite(c) && negative(c) != sign ? invalid_result<Bits>(environment) : infinity<Bits>(sign);
  if (is_infinite(c)) return c;
  const Product product(unpack(a), unpack(b));
  // The lowest bits of the product are zero: nothing is lost by halving.
  return sum<Bits>({product.negative, product.exponent, product.significand >> 1}, summand(unpack(c)), environment);
}

template <typename Bits>
Bits minimum(Bits a, Bits b, Environment& environment) {
  return extreme(a, b, true, environment);
}
template <typename Bits>
Bits maximum(Bits a, Bits b, Environment& environment) {
  return extreme(a, b, false, environment);
}

template <typename Bits>
bool equal(Bits a, Bits b, Environment& environment) {
  if (is_nan(a) || is_nan(b)) {
    nan_result(environment, a, b);
    return false;
  }
  return a == b || (is_zero(a) && is_zero(b));
}
template <typename Bits>
bool less(Bits a, Bits b, Environment& environment) {
  if (!is_nan(a) && !is_nan(b)) return ordered_less(a, b);
  environment.raise(invalid);
  return false;
}
template <typename Bits>
bool less_or_equal(Bits a, Bits b, Environment& environment) {
  if (!is_nan(a) && !is_nan(b)) return !ordered_less(b, a);
  environment.raise(invalid);
  return false;
}

template <typename Bits>
unsigned classify(Bits a) {
  if (is_nan(a)) return is_signalling(a) ? 1u << 8 : 1u << 9;
  // Up from minus infinity, as the table has them.
  const unsigned size = is_infinite(a) ? 3 : is_zero(a) ? 0 : biased_exponent(a) == 0 ? 1 : 2;
  return 1u << (negative(a) ? 3 - size : 4 + size);
}

#define VP_OF_BOTH_FORMATS(Bits)                              \
  template Bits add(Bits, Bits, Environment&);                \
  template Bits subtract(Bits, Bits, Environment&);           \
  template Bits multiply(Bits, Bits, Environment&);           \
  template Bits divide(Bits, Bits, Environment&);             \
  template Bits square_root(Bits, Environment&);              \
  template Bits multiply_add(Bits, Bits, Bits, Environment&); \
  template Bits minimum(Bits, Bits, Environment&);            \
  template Bits maximum(Bits, Bits, Environment&);            \
  template bool equal(Bits, Bits, Environment&);              \
  template bool less(Bits, Bits, Environment&);               \
  template bool less_or_equal(Bits, Bits, Environment&);      \
  template unsigned classify(Bits);
VP_OF_BOTH_FORMATS(std::uint32_t)
VP_OF_BOTH_FORMATS(std::uint64_t)
#undef VP_OF_BOTH_FORMATS

}  // namespace vp::ieee754
