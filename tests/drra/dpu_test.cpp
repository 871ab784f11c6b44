#include "models/drra/dpu.h"

#include <gtest/gtest.h>

namespace vp::drra {
namespace {

constexpr std::uint8_t kSaturatingInteger = 2;

struct DpuTest : testing::Test {
  Dpu dpu;

  void mode(DpuMode mode, std::uint8_t control = kSaturatingInteger) { dpu.set_mode(mode, control); }
  /// Outputs in the cycle after these inputs.
  std::array<int, 2> after(std::int16_t a, std::int16_t b, std::int16_t c = 0, std::int16_t d = 0) {
    dpu.clock({a, b, c, d}, true, false);
    return {dpu.output(0), dpu.output(1)};
  }
};
using Outputs = std::array<int, 2>;

TEST_F(DpuTest, sums_saturate_or_wrap_as_control_says) {
  mode(DpuMode::add, 2);
  EXPECT_EQ(after(30000, 30000, -30000, -30000), (Outputs{32767, -32768}));
  mode(DpuMode::add, 0);
  EXPECT_EQ(after(30000, 30000, -30000, -30000), (Outputs{-5536, 5536}));
}

TEST_F(DpuTest, fixed_point_shifts_every_product_by_eleven_bits) {
  mode(DpuMode::mult, 3);
  EXPECT_EQ(after(2048, 2048, 1000, -3000), (Outputs{2048, -1465}));
  mode(DpuMode::mult_add, 3);
  EXPECT_EQ(after(4096, 2048, 5), (Outputs{4101, 0}));
}

TEST_F(DpuTest, a_cleared_accumulator_shows_zero) {
  mode(DpuMode::mac);
  EXPECT_EQ(after(3, 4), (Outputs{12, 0}));
  EXPECT_EQ(after(3, 4), (Outputs{24, 0}));
  dpu.clock({3, 4, 0, 0}, true, true);
  EXPECT_EQ(dpu.output(0), 0);
  EXPECT_EQ(after(3, 4), (Outputs{12, 0}));
}

TEST_F(DpuTest, the_accumulator_holds_more_than_a_word) {
  mode(DpuMode::mac);
  after(30000, 30000);
  EXPECT_EQ(after(1, -1), (Outputs{32767, 0}));
  EXPECT_EQ(after(-30000, 30000), (Outputs{-1, 0}));
}

TEST_F(DpuTest, a_quotient_takes_four_cycles) {
  mode(DpuMode::div);
  after(3, 2);
  after(100, 0);
  after(-100, 0);
  EXPECT_EQ(after(1, -3), (Outputs{3072, 0}));
  EXPECT_EQ(after(0, 1)[0], 32767);
  EXPECT_EQ(after(0, 1)[0], -32768);
  EXPECT_EQ(after(0, 1)[0], -682);
}

TEST_F(DpuTest, lanes_of_eight_and_four_bits_saturate_one_by_one) {
  dpu.set_width(BitWidth::int8);
  mode(DpuMode::add);
  EXPECT_EQ(after(0x7F01, 0x0101)[0], 0x7F02);
  mode(DpuMode::mult);
  EXPECT_EQ(after(0x0203, static_cast<std::int16_t>(0xFE04))[0], static_cast<std::int16_t>(0xFC0C));
  dpu.set_width(BitWidth::int4);
  mode(DpuMode::subt);
  EXPECT_EQ(after(0x1234, 0x4321)[0], static_cast<std::int16_t>(0xDF13));
}

TEST_F(DpuTest, lanes_accumulate_one_by_one) {
  dpu.set_width(BitWidth::int8);
  mode(DpuMode::sum_acc);
  after(0x7001, 0);
  EXPECT_EQ(after(0x7001, 0)[0], 0x7F02);
  dpu.clock({0, 0, 0, 0}, false, true);
  mode(DpuMode::mac);
  after(0x0203, 0x0304);
  EXPECT_EQ(after(0x0203, 0x0304)[0], 0x0C18);
}

TEST_F(DpuTest, accumulators_start_anew_only_with_autoclear) {
  for (const bool autoclear : {false, true}) {
    dpu = Dpu(autoclear);
    dpu.set_modifiers(2, 0);
    mode(DpuMode::sum_acc);
    EXPECT_EQ(after(1, 0)[0], 1);
    EXPECT_EQ(after(1, 0)[0], 2);
    EXPECT_EQ(after(1, 0)[0], autoclear ? 1 : 3);
    EXPECT_EQ(after(1, 0)[0], autoclear ? 2 : 4);
    EXPECT_EQ(after(1, 0)[0], autoclear ? 1 : 5);
  }
}

TEST_F(DpuTest, the_softmax_sum_survives_the_change_of_mode) {
  mode(DpuMode::acc_softmax);
  after(1000, 0);
  EXPECT_EQ(after(3000, 0), (Outputs{0, 4000}));
  dpu.clock({0, 0, 0, 0}, false, true);
  mode(DpuMode::div_softmax);
  after(1000, 0);
  after(3000, 0);
  after(0, 0);
  EXPECT_EQ(after(0, 0)[0], 512);
  EXPECT_EQ(after(0, 0)[0], 1536);
}

TEST_F(DpuTest, a_negative_shift_amount_is_noted) {
  mode(DpuMode::shift_l);
  after(1, 3);
  EXPECT_FALSE(dpu.take_bad_shift());
  after(1, -1);
  EXPECT_TRUE(dpu.take_bad_shift());
  EXPECT_FALSE(dpu.take_bad_shift());
}

TEST_F(DpuTest, the_outputs_of_ld_ir_and_ld_acc_are_zero) {
  mode(DpuMode::ld_acc);
  EXPECT_EQ(after(5, 6, 7, 8), (Outputs{0, 0}));
  mode(DpuMode::ld_ir);
  EXPECT_EQ(after(5, 6, 7, 8), (Outputs{0, 0}));
  EXPECT_EQ(dpu.internal_register(0), 5);
  EXPECT_EQ(dpu.internal_register(1), 7);
}

TEST_F(DpuTest, a_comparison_holds_until_the_next_one) {
  mode(DpuMode::max_min);
  after(5, 5);
  EXPECT_EQ(dpu.condition(), 2u);
  mode(DpuMode::add);
  after(7, 5);
  EXPECT_EQ(dpu.condition(), 2u);
  mode(DpuMode::relu);
  after(7, 0);
  EXPECT_EQ(dpu.condition(), 1u);
}

}  // namespace
}  // namespace vp::drra
