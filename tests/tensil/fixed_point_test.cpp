#include "models/tensil/fixed_point.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/support/dice.h"

namespace vp::tensil {
namespace {

const FixedPoint& kFp8 = kFixedPoints[0];
const FixedPoint& kFp16 = kFixedPoints[1];
const FixedPoint& kFp18 = kFixedPoints[2];
const FixedPoint& kFp32 = kFixedPoints[3];

/// The definition: the exact value, to the nearest number of the format, ties to the even one.
std::int32_t defined(const FixedPoint& format, std::int64_t x, std::int64_t y, std::int64_t z) {
  const std::int64_t unit = std::int64_t{1} << format.point;
  const std::int64_t exact = x * y + z * unit;
  const std::int64_t floor = exact >= 0 ? exact / unit : -((-exact + unit - 1) / unit);
  const std::int64_t rest = exact - floor * unit;
  const bool up = 2 * rest > unit || (2 * rest == unit && floor % 2 != 0);
  return saturate(format, floor + (up ? 1 : 0));
}

TEST(FixedPoint, multiply_add_is_the_definition_for_all_bytes) {
  for (int x = -128; x < 128; ++x)
    for (int y = -128; y < 128; ++y)
      for (const int z : {-128, -127, -17, -1, 0, 1, 5, 100, 127})
        ASSERT_EQ(multiply_add(kFp8, x, y, z), defined(kFp8, x, y, z)) << x << " " << y << " " << z;
}

TEST(FixedPoint, multiply_add_is_the_definition_at_the_edges_of_each_format) {
  for (const FixedPoint& format : kFixedPoints) {
    const std::array<std::int32_t, 9> values = {format.minimum(), format.minimum() + 1, -format.one(),   -1, 0, 1,
                                                format.one() / 2, format.one() + 1,     format.maximum()};
    for (const std::int32_t x : values)
      for (const std::int32_t y : values)
        for (const std::int32_t z : values)
          ASSERT_EQ(multiply_add(format, x, y, z), defined(format, x, y, z))
              << format.name << " " << x << " " << y << " " << z;
  }
}

TEST(FixedPoint, ties_round_to_even) {
  EXPECT_EQ(multiply(kFp16, 1, 128), 0);   // 0.5
  EXPECT_EQ(multiply(kFp16, 3, 128), 2);   // 1.5
  EXPECT_EQ(multiply(kFp16, 5, 128), 2);   // 2.5
  EXPECT_EQ(multiply(kFp16, -1, 128), 0);  // -0.5
  EXPECT_EQ(multiply(kFp16, -3, 128), -2);
}

TEST(FixedPoint, sums_saturate_and_the_minimum_can_be_subtracted) {
  EXPECT_EQ(add(kFp16, 32767, 1), 32767);
  EXPECT_EQ(add(kFp16, -32768, -1), -32768);
  EXPECT_EQ(subtract(kFp16, 0, -32768), 32767);
  EXPECT_EQ(subtract(kFp16, -1, -32768), 32767);
  EXPECT_EQ(subtract(kFp32, -1, INT32_MIN), INT32_MAX);
}

TEST(FixedPoint, sums_of_many_are_those_of_one_by_one) {
  Dice dice(5);
  for (const FixedPoint& format : kFixedPoints) {
    std::vector<std::int32_t> x(67), y(67), sums(67);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = saturate(format, static_cast<std::int32_t>(dice.source()()) >> dice.from_to(0, 31));
      y[i] = saturate(format, static_cast<std::int32_t>(dice.source()()) >> dice.from_to(0, 31));
      sums[i] = add(format, x[i], y[i]);
    }
    add_all(format, x.data(), y.data(), static_cast<unsigned>(x.size()));
    EXPECT_EQ(x, sums) << format.name;
  }
}

TEST(FixedPoint, the_absolute_value_of_the_minimum_wraps) {
  EXPECT_EQ(absolute(kFp16, -32768), -32768);
  EXPECT_EQ(absolute(kFp16, -32767), 32767);
  EXPECT_EQ(absolute(kFp32, INT32_MIN), INT32_MIN);
}

TEST(FixedPoint, eighteen_bits_take_four_bytes_of_which_the_upper_bits_are_zero_and_ignored) {
  const std::int32_t written[] = {-1, 0x1FFFF, -0x20000};
  std::array<std::uint8_t, 12> bytes{};
  write_scalars(kFp18, written, bytes.data(), 3);
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 12>{0xFF, 0xFF, 3, 0, 0xFF, 0xFF, 1, 0, 0, 0, 2, 0}));
  bytes[3] = bytes[7] = 0xAB;
  std::int32_t read[3];
  read_scalars(kFp18, bytes.data(), read, 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(read[i], written[i]);
}

TEST(FixedPoint, scalars_are_little_endian) {
  const std::int32_t written[] = {-2, 0x1234};
  std::array<std::uint8_t, 4> bytes{};
  write_scalars(kFp16, written, bytes.data(), 2);
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 4>{0xFE, 0xFF, 0x34, 0x12}));
}

TEST(FixedPoint, quantising_rounds_ties_away_from_zero_and_saturates) {
  EXPECT_EQ(quantise(kFp16, 1.0), 256);
  EXPECT_EQ(quantise(kFp16, 0.5 / 256), 1);
  EXPECT_EQ(quantise(kFp16, -0.5 / 256), -1);
  EXPECT_EQ(quantise(kFp16, 1e30), 32767);
  EXPECT_EQ(quantise(kFp16, -128.5), -32768);
  EXPECT_EQ(quantise(kFp32, 1e300), INT32_MAX);
  EXPECT_EQ(quantise(kFp16, std::nan("")), 0);
}

}  // namespace
}  // namespace vp::tensil
