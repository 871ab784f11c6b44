#pragma once

#include <cstdint>

namespace vp::tensil {

/// A signed fixed-point number format: `width` bits, of which `point` are behind the binary point. In DRAM a scalar
/// takes `bytes` little-endian bytes; its value stands in the low `width` bits, bits above are written as zero and
/// ignored when read.
struct FixedPoint {
  const char* name;
  unsigned width;
  unsigned point;
  unsigned bytes;

  std::int32_t maximum() const { return static_cast<std::int32_t>((std::int64_t{1} << (width - 1)) - 1); }
  std::int32_t minimum() const { return -maximum() - 1; }
  /// 1.0, which also stands for "true".
  std::int32_t one() const { return std::int32_t{1} << point; }
};

inline constexpr FixedPoint kFixedPoints[] = {
    {"FP8BP4", 8, 4, 1}, {"FP16BP8", 16, 8, 2}, {"FP18BP10", 18, 10, 4}, {"FP32BP16", 32, 16, 4}};

inline std::int32_t saturate(const FixedPoint& format, std::int64_t value) {
  if (value > format.maximum()) return format.maximum();
  if (value < format.minimum()) return format.minimum();
  return static_cast<std::int32_t>(value);
}

inline std::int32_t add(const FixedPoint& format, std::int32_t x, std::int32_t y) {
  return saturate(format, std::int64_t{x} + y);
}
inline std::int32_t subtract(const FixedPoint& format, std::int32_t x, std::int32_t y) {
  return saturate(format, std::int64_t{x} - y);
}

/// x·y + z with one rounding to nearest even, then saturation: what each multiplier of the array does in each step.
inline std::int32_t multiply_add(const FixedPoint& format, std::int32_t x, std::int32_t y, std::int32_t z) {
  const std::int64_t exact = std::int64_t{x} * y + std::int64_t{z} * format.one();
  // Half of the last place less one, plus one where the place is odd: ties go to even.
  const std::int64_t bias = (std::int64_t{1} << (format.point - 1)) - 1 + (exact >> format.point & 1);
  return saturate(format, (exact + bias) >> format.point);
}

inline std::int32_t multiply(const FixedPoint& format, std::int32_t x, std::int32_t y) {
  return multiply_add(format, x, y, 0);
}

/// The absolute value. That of the minimum is the minimum itself: it wraps, as the hardware's does.
inline std::int32_t absolute(const FixedPoint& format, std::int32_t x) {
  return x == format.minimum() || x >= 0 ? x : -x;
}

/// to[i] = to[i] + from[i], saturated, of `count` scalars.
void add_all(const FixedPoint& format, std::int32_t* to, const std::int32_t* from, unsigned count);

/// Scalars from their bytes in DRAM, and back.
void read_scalars(const FixedPoint& format, const std::uint8_t* bytes, std::int32_t* scalars, unsigned count);
void write_scalars(const FixedPoint& format, const std::int32_t* scalars, std::uint8_t* bytes, unsigned count);

/// The nearest number of the format to a real one, ties away from zero, saturated; a NaN is 0. As Tensil's tools
/// quantise.
std::int32_t quantise(const FixedPoint& format, double value);
inline double real_value(const FixedPoint& format, std::int32_t scalar) {
  return static_cast<double>(scalar) / format.one();
}

}  // namespace vp::tensil
