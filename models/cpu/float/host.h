#pragma once

#include <cfloat>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "models/cpu/float/format.h"

/// Operations by the host's floating point, in the rounding mode nearest_even, where both the result and the flags are
/// certain without asking the host for its flags. Each returns false where they are not (a NaN, an infinity, a result
/// that may be tiny, one of which it is not known whether it is exact); what it has computed is not to be used then,
/// and the operation is to be done by arithmetic.h or conversion.h.
///
/// `flags` are those accrued so far. Once inexact is among them nothing has to be found out about it, which is the
/// usual case: a true result raises nothing new then. Neither does it before, as only exact results are true.
namespace vp::ieee754::host {

/// The host computes in these formats, as IEEE 754 says, and the compiler has been told nothing else.
#if defined(__FAST_MATH__) || (FLT_EVAL_METHOD != 0)
inline constexpr bool kExact = false;
#else
inline constexpr bool kExact = std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559;
#endif
/// It also is set to: it rounds to nearest, and denormal numbers are neither taken for zero nor flushed to zero, which
/// a library linked with unsafe options may have changed.
inline bool usable() {
  volatile double least = 0x1p-1074, one = 1, half_step = 0x1p-53;
  return kExact && least * one != 0 && least + least == 0x1p-1073 && one + half_step == 1 &&
         one + 3 * half_step == 1 + 0x1p-51 && -one - half_step == -1;
}

template <typename Bits>
using Number = std::conditional_t<sizeof(Bits) == 4, float, double>;

template <typename Bits>
Number<Bits> number(Bits a) {
  Number<Bits> value;
  std::memcpy(&value, &a, sizeof value);
  return value;
}
template <typename Bits>
Bits bits(Number<Bits> value) {
  Bits a;
  std::memcpy(&a, &value, sizeof a);
  return a;
}

/// Finite, and far enough above the denormal numbers that it was not tiny before it was rounded.
template <typename Bits>
bool ordinary(Bits a) {
  return biased_exponent(a) - 2 < Format<Bits>::kMostBiased - 2;
}

template <typename Bits>
[[gnu::always_inline]] inline bool add(Bits a, Bits b, unsigned flags, Bits& result) {
  const Number<Bits> x = number(a), y = number(b), sum = x + y;
  result = bits<Bits>(sum);
  if (__builtin_expect(!is_finite(result), 0)) return false;
  if (__builtin_expect(flags & inexact, 1)) return true;
  // The error of the sum (Knuth's TwoSum), which is exact if nothing overflows; then it is not equal to zero. Tiny sums
  // are exact.
  const Number<Bits> part = sum - x;
  return (x - (sum - part)) + (y - part) == 0;
}

template <typename Bits>
[[gnu::always_inline]] inline bool subtract(Bits a, Bits b, unsigned flags, Bits& result) {
  return add<Bits>(a, b ^ Format<Bits>::kSign, flags, result);
}

template <typename Bits>
[[gnu::always_inline]] inline bool multiply(Bits a, Bits b, unsigned flags, Bits& result) {
  const Number<Bits> x = number(a), y = number(b), product = x * y;
  result = bits<Bits>(product);
  if (__builtin_expect(!ordinary(result), 0)) return is_finite(result) && (is_zero(a) || is_zero(b));
  if (__builtin_expect(flags & inexact, 1)) return true;
  if constexpr (sizeof(Bits) == 4) return static_cast<double>(x) * y == product;
  // The product of an n and an m bit significand has at most n + m bits, and m if the first is a power of two.
  const auto zeros = [](Bits significand) {
    return __builtin_ctzll(static_cast<std::uint64_t>(significand) | Format<std::uint64_t>::kUnit);
  };
  constexpr int kAll = Format<Bits>::kFraction;
  return zeros(a) + zeros(b) > kAll || zeros(a) == kAll || zeros(b) == kAll;
}

template <typename Bits>
[[gnu::always_inline]] inline bool divide(Bits a, Bits b, unsigned flags, Bits& result) {
  result = bits<Bits>(number(a) / number(b));
  return ordinary(result) && (flags & inexact);
}

template <typename Bits>
[[gnu::always_inline]] inline bool square_root(Bits a, unsigned flags, Bits& result) {
  if (negative(a)) return false;
  if constexpr (sizeof(Bits) == 4)
    result = bits<Bits>(__builtin_sqrtf(number(a)));
  else
    result = bits<Bits>(__builtin_sqrt(number(a)));
  return ordinary(result) && (flags & inexact);
}

/// The processor can multiply and add with one rounding.
#if defined(__x86_64__)
inline bool has_fused() { return __builtin_cpu_supports("fma"); }
#elif defined(__FP_FAST_FMA) && defined(__FP_FAST_FMAF)
inline bool has_fused() { return true; }
#else
inline bool has_fused() { return false; }
#endif

[[gnu::always_inline]] inline double fused(double a, double b, double c) {
#if defined(__x86_64__)
  __asm__("vfmadd213sd %2, %1, %0" : "+x"(a) : "x"(b), "x"(c));
  return a;
#else
  return __builtin_fma(a, b, c);
#endif
}
[[gnu::always_inline]] inline float fused(float a, float b, float c) {
#if defined(__x86_64__)
  __asm__("vfmadd213ss %2, %1, %0" : "+x"(a) : "x"(b), "x"(c));
  return a;
#else
  return __builtin_fmaf(a, b, c);
#endif
}

/// Only where has_fused().
template <typename Bits>
[[gnu::always_inline]] inline bool multiply_add(Bits a, Bits b, Bits c, unsigned flags, Bits& result) {
  result = bits<Bits>(fused(number(a), number(b), number(c)));
  return ordinary(result) && (flags & inexact);
}

/// No NaNs, which raise invalid or are no result, nor two zeros, of which the sign decides.
template <typename Bits>
[[gnu::always_inline]] inline bool extreme(Bits a, Bits b, bool least, Bits& result) {
  const Number<Bits> x = number(a), y = number(b);
  result = (x < y) == least ? a : b;
  return x < y || x > y;
}

/// No NaNs.
template <typename Bits>
[[gnu::always_inline]] inline bool ordered(Bits a, Bits b) {
  return !__builtin_isunordered(number(a), number(b));
}

/// To the other format.
template <typename To, typename From>
[[gnu::always_inline]] inline bool convert(From a, unsigned flags, To& result) {
  const auto converted = static_cast<Number<To>>(number(a));
  result = bits<To>(converted);
  if constexpr (sizeof(To) == 8)
    return !is_nan(a);
  else
    return ordinary(result) ? (flags & inexact) || static_cast<double>(converted) == number(a) : is_zero(a);
}

/// Towards zero, what fits. `exact`: nothing was cut off.
template <typename Integer, typename Bits>
[[gnu::always_inline]] inline bool truncate(Bits a, Integer& result, bool& exact) {
  using Signed = std::conditional_t<(sizeof(Integer) < 8 || std::is_signed_v<Integer>), std::int64_t, Integer>;
  using Value = Number<Bits>;
  const Value x = number(a);
  constexpr Value kAbove = static_cast<Value>(std::uint64_t{1} << (8 * sizeof(Integer) - 1)) *
                           (std::is_signed_v<Integer> ? 1 : 2);  // 2^width, or half of it
  const bool fits = x < kAbove && (std::is_signed_v<Integer> ? x >= -kAbove : x > -1);
  if (!fits) return false;
  if constexpr (std::is_same_v<Signed, std::uint64_t>)
    if (x < 0) return false;
  const auto whole = static_cast<Signed>(x);
  result = static_cast<Integer>(whole);
  exact = static_cast<Value>(whole) == x;
  return true;
}

template <typename Bits, typename Integer>
[[gnu::always_inline]] inline bool from_integer(Integer value, unsigned flags, Bits& result) {
  constexpr unsigned kPrecision = Format<Bits>::kFraction + 1;
  result = bits<Bits>(static_cast<Number<Bits>>(value));
  if constexpr (8 * sizeof(Integer) <= kPrecision) {
    return true;
  } else {
    constexpr Integer kLargest = Integer{1} << kPrecision;
    return (flags & inexact) || (value <= kLargest && (std::is_unsigned_v<Integer> || value >= 0 - kLargest));
  }
}

}  // namespace vp::ieee754::host
