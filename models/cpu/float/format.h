#pragma once

#include <cstdint>

/// IEEE 754-2019 binary32 and binary64 in integers, with RISC-V's choices where the standard leaves one: NaNs that are
/// results are canonical, tininess is detected after rounding, conversions saturate (unprivileged manual 20191213,
/// chapters 11 and 12). A number is its encoding: std::uint32_t is binary32, std::uint64_t is binary64.
namespace vp::ieee754 {

/// By their numbers in the rm field and in frm.
enum class Rounding : std::uint8_t {
  nearest_even = 0,
  to_zero = 1,
  down = 2,
  up = 3,
  nearest_away = 4,  ///< "max magnitude"
};
inline constexpr unsigned kRoundings = 5;

/// Exceptions by their bits in fflags.
enum Flag : std::uint8_t {
  inexact = 1,
  underflow = 2,
  overflow = 4,
  divide_by_zero = 8,
  invalid = 16,
};

/// What an operation is told beside its operands, and what it says beside its result.
struct Environment {
  Rounding rounding = Rounding::nearest_even;
  std::uint8_t flags = 0;  ///< accrued: an operation only sets them

  void raise(unsigned raised) { flags = static_cast<std::uint8_t>(flags | raised); }
};

template <typename Bits>
struct Widths;
template <>
struct Widths<std::uint32_t> {
  static constexpr unsigned kFraction = 23;
  static constexpr int kBias = 127;
};
template <>
struct Widths<std::uint64_t> {
  static constexpr unsigned kFraction = 52;
  static constexpr int kBias = 1023;
};

/// Parts and special values of an encoding.
template <typename Bits>
struct Format : Widths<Bits> {
  static constexpr unsigned kFraction = Widths<Bits>::kFraction;  ///< bits behind the point
  static constexpr unsigned kMostBiased = 2 * Widths<Bits>::kBias + 1;
  static constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  static constexpr Bits kUnit = Bits{1} << kFraction;
  static constexpr Bits kInfinity = Bits{kMostBiased} << kFraction;
  static constexpr Bits kGreatest = kInfinity - 1;
  static constexpr Bits kQuiet = kUnit >> 1;
  static constexpr Bits kCanonicalNan = kInfinity | kQuiet;
};

template <typename Bits>
constexpr Bits magnitude(Bits a) {
  return a & ~Format<Bits>::kSign;
}
template <typename Bits>
constexpr bool negative(Bits a) {
  return a & Format<Bits>::kSign;
}
template <typename Bits>
constexpr unsigned biased_exponent(Bits a) {
  return static_cast<unsigned>(magnitude(a) >> Format<Bits>::kFraction);
}
template <typename Bits>
constexpr bool is_nan(Bits a) {
  return magnitude(a) > Format<Bits>::kInfinity;
}
template <typename Bits>
constexpr bool is_signalling(Bits a) {
  return is_nan(a) && !(a & Format<Bits>::kQuiet);
}
template <typename Bits>
constexpr bool is_infinite(Bits a) {
  return magnitude(a) == Format<Bits>::kInfinity;
}
template <typename Bits>
constexpr bool is_zero(Bits a) {
  return magnitude(a) == 0;
}
template <typename Bits>
constexpr bool is_finite(Bits a) {
  return magnitude(a) < Format<Bits>::kInfinity;
}

}  // namespace vp::ieee754
