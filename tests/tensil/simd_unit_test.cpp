#include "models/tensil/simd_unit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tensil/small_tcu.h"

namespace vp::tensil {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Vector = std::vector<std::int32_t>;

Architecture with_registers(unsigned registers, unsigned tables = 0) {
  Architecture made = small_architecture();
  made.simd_registers_depth = registers;
  made.number_of_luts = tables;
  made.lut_depth = tables ? 6 : 0;
  return made;
}

Instruction instruction(SimdOperation operation, unsigned left, unsigned right, unsigned destination, unsigned flags) {
  Instruction in;
  in.operation = Operation::simd;
  in.simd_operation = static_cast<std::uint32_t>(operation);
  in.left = left;
  in.right = right;
  in.destination = destination;
  in.flags = flags;
  return in;
}

struct SimdUnitTest : testing::Test {
  Vector execute(SimdOperation operation, const Vector& left, const Vector& right = {0, 0, 0, 0}) {
    Vector output(4);
    unit.execute(instruction(SimdOperation::move, 0, 0, 1, kSimdRead), right.data(), output.data());
    unit.execute(instruction(operation, 0, 1, 0, kSimdRead), left.data(), output.data());
    return output;
  }
  SimdUnit unit{with_registers(3)};
};

constexpr std::int32_t kTrue = 256, kLeast = -32768, kMost = 32767;

TEST_F(SimdUnitTest, each_operation_is_as_the_table_of_the_readme) {
  const Vector l = {kLeast, 0, 384, kMost}, r = {kMost, 0, -256, 1};
  EXPECT_THAT(execute(SimdOperation::zero, l, r), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(execute(SimdOperation::move, l, r), ElementsAre(kLeast, 0, 384, kMost));
  EXPECT_THAT(execute(SimdOperation::logical_not, l, r), ElementsAre(0, kTrue, 0, 0));
  EXPECT_THAT(execute(SimdOperation::logical_and, l, r), ElementsAre(kTrue, 0, kTrue, kTrue));
  EXPECT_THAT(execute(SimdOperation::logical_or, {0, 0, 3, 0}, {0, 7, 0, kLeast}), ElementsAre(0, kTrue, kTrue, kTrue));
  EXPECT_THAT(execute(SimdOperation::increment, l, r), ElementsAre(kLeast + kTrue, kTrue, 640, kMost));
  EXPECT_THAT(execute(SimdOperation::decrement, l, r), ElementsAre(kLeast, -kTrue, 128, kMost - kTrue));
  EXPECT_THAT(execute(SimdOperation::add, l, r), ElementsAre(-1, 0, 128, kMost));
  EXPECT_THAT(execute(SimdOperation::subtract, l, r), ElementsAre(kLeast, 0, 640, kMost - 1));
  EXPECT_THAT(execute(SimdOperation::multiply, l, r), ElementsAre(kLeast, 0, -384, 128));
  EXPECT_THAT(execute(SimdOperation::absolute, {kLeast, -1, 0, 5}), ElementsAre(kLeast, 1, 0, 5));
  EXPECT_THAT(execute(SimdOperation::greater_than, l, r), ElementsAre(0, 0, kTrue, kTrue));
  EXPECT_THAT(execute(SimdOperation::greater_than_equal, l, r), ElementsAre(0, kTrue, kTrue, kTrue));
  EXPECT_THAT(execute(SimdOperation::minimum, l, r), ElementsAre(kLeast, 0, -256, 1));
  EXPECT_THAT(execute(SimdOperation::maximum, l, r), ElementsAre(kMost, 0, 384, kMost));
}

TEST_F(SimdUnitTest, the_result_goes_to_the_output_and_to_the_destination) {
  Vector output(4);
  const Vector input = {1, 2, 3, 4};
  unit.execute(instruction(SimdOperation::increment, 0, 0, 3, kSimdRead), input.data(), output.data());
  EXPECT_THAT(output, ElementsAre(257, 258, 259, 260));
  EXPECT_THAT(Vector(unit.reg(3), unit.reg(3) + 4), ElementsAre(257, 258, 259, 260));
}

TEST_F(SimdUnitTest, sources_and_the_read_flag_must_agree) {
  using S = SimdOperation;
  const auto legal = [&](S operation, unsigned left, unsigned right, unsigned flags) {
    return unit.illegal(instruction(operation, left, right, 0, flags)).empty();
  };
  EXPECT_TRUE(legal(S::add, 0, 1, kSimdRead));
  EXPECT_TRUE(legal(S::add, 1, 0, kSimdRead));
  EXPECT_TRUE(legal(S::add, 1, 2, 0));
  EXPECT_FALSE(legal(S::add, 0, 1, 0));
  EXPECT_FALSE(legal(S::add, 1, 1, kSimdRead));
  EXPECT_TRUE(legal(S::zero, 0, 0, kSimdWrite));
  EXPECT_FALSE(legal(S::zero, 0, 0, kSimdRead));
  EXPECT_TRUE(legal(S::move, 0, 0, kSimdRead));
  EXPECT_FALSE(legal(S::move, 0, 0, 0));
  EXPECT_TRUE(legal(S::move, 1, 1, 0));
  EXPECT_TRUE(legal(S::move, 1, 0, kSimdRead));
  EXPECT_FALSE(legal(S::move, 1, 0, 0));
  EXPECT_FALSE(legal(S::move, 1, 1, kSimdRead));
  EXPECT_TRUE(legal(S::no_op, 0, 0, 0));
  EXPECT_FALSE(legal(S::no_op, 0, 0, kSimdWrite));
  EXPECT_FALSE(legal(S::lookup, 0, 0, kSimdRead));
  EXPECT_FALSE(legal(S::add, 4, 1, 0));
}

TEST(SimdLookup, gives_the_difference_to_the_closest_key_and_the_values_of_all_tables) {
  SimdUnit unit(with_registers(3, 2));
  const std::int32_t keys[] = {100, 200, 100, -50, 0, 0};
  for (unsigned entry = 0; entry < 6; ++entry) {
    unit.set_table(0, entry, static_cast<std::int32_t>(10 + entry));
    unit.set_table(1, entry, static_cast<std::int32_t>(20 + entry));
    unit.set_table(2, entry, keys[entry]);
  }
  Vector output(4);
  const Vector input = {150, 99, 1000, -26};  // 150 is as near to 100 as to 200: the lower entry
  unit.execute(instruction(SimdOperation::lookup, 0, 0, 1, kSimdRead), input.data(), output.data());
  EXPECT_THAT(output, ElementsAre(50, -1, 800, 24));
  EXPECT_THAT(Vector(unit.reg(1), unit.reg(1) + 4), ElementsAre(50, -1, 800, 24));
  EXPECT_THAT(Vector(unit.reg(2), unit.reg(2) + 4), ElementsAre(10, 10, 11, 13));
  EXPECT_THAT(Vector(unit.reg(3), unit.reg(3) + 4), ElementsAre(20, 20, 21, 23));
}

TEST(SimdLookup, without_a_destination_the_tables_go_to_the_first_registers) {
  SimdUnit unit(with_registers(2, 2));
  unit.set_table(0, 0, 7);
  unit.set_table(1, 0, 8);
  Vector output(4);
  const Vector input = {3, 3, 3, 3};
  unit.execute(instruction(SimdOperation::lookup, 0, 0, 0, kSimdRead), input.data(), output.data());
  EXPECT_EQ(unit.reg(1)[0], 7);
  EXPECT_EQ(unit.reg(2)[0], 8);
  EXPECT_THAT(unit.illegal(instruction(SimdOperation::lookup, 0, 0, 1, kSimdRead)), HasSubstr("too few registers"));
}

}  // namespace
}  // namespace vp::tensil
