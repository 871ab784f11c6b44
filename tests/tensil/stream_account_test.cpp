#include "models/tensil/stream_account.h"

#include <gtest/gtest.h>

#include "models/tensil/core_report.h"
#include "tests/tensil/small_tcu.h"

namespace vp::tensil {
namespace {

using Half = StreamAccount::Half;

Half held(const StreamAccount::Sums& sums, HeldUp cause) { return sums.held[static_cast<unsigned>(cause)]; }

TEST(TensilStreamAccount, time_before_the_first_packet_is_idle_and_then_the_streams) {
  StreamAccount account;
  account.comes(10, false);
  account.began(Activity::no_op, 14);
  account.ended(Activity::no_op, 14, 14, 16, 0, 0);
  const StreamAccount::Sums sums = account.until(16);
  EXPECT_EQ(sums.idle, 10u);
  EXPECT_EQ(held(sums, HeldUp::stream), 4u);
  EXPECT_EQ(held(sums, HeldUp::instructions), 2u);
  EXPECT_EQ(sums.total(), 16u);
}

TEST(TensilStreamAccount, between_packets_of_one_program_the_host_is_waited_for_behind_what_drains) {
  StreamAccount account;
  account.ended(Activity::mat_mul, 0, 0, 20, 50, 0);
  account.comes(80, true);
  account.ended(Activity::dram1_write, 90, 90, 100, 50, 0);
  const StreamAccount::Sums sums = account.until(100);
  EXPECT_EQ(held(sums, HeldUp::array), 50u) << "20 of the MatMul, 30 of draining";
  EXPECT_EQ(held(sums, HeldUp::host_feed), 30u);
  EXPECT_EQ(held(sums, HeldUp::stream), 10u);
  EXPECT_EQ(held(sums, HeldUp::port_dram1), 10u);
  EXPECT_EQ(sums.idle, 0u);
  EXPECT_EQ(account.taken(), 30u);
}

TEST(TensilStreamAccount, what_an_instruction_waits_for_is_what_held_it_up) {
  StreamAccount account;
  account.ended(Activity::simd, 0, 0, 2, 0, 30);
  account.ended(Activity::accumulator_move, 2, 44, 50, 44, 30);
  const StreamAccount::Sums sums = account.until(0);
  EXPECT_EQ(held(sums, HeldUp::simd), 30u);
  EXPECT_EQ(held(sums, HeldUp::array), 14u);
  EXPECT_EQ(held(sums, HeldUp::accumulator_moves), 6u);
  EXPECT_EQ(sums.total(), 50u);
}

TEST(TensilStreamAccount, a_transfer_under_way_counts_up_to_now) {
  StreamAccount account;
  account.began(Activity::dram0_read, 10);
  const StreamAccount::Sums sums = account.until(60);
  EXPECT_EQ(held(sums, HeldUp::stream), 10u);
  EXPECT_EQ(held(sums, HeldUp::port_dram0), 50u);
  EXPECT_EQ(sums.under_way, 50u);
  EXPECT_EQ(sums.total(), 60u);
}

TEST(TensilStreamAccount, behind_the_last_instruction_what_drains_is_work_and_the_rest_is_idle) {
  StreamAccount account;
  account.ended(Activity::mat_mul, 0, 0, 20, 50, 0);
  const StreamAccount::Sums sums = account.until(100);
  EXPECT_EQ(held(sums, HeldUp::array), 50u);
  EXPECT_EQ(sums.idle, 50u);
  account.reset(100);
  EXPECT_EQ(account.until(120).idle, 70u);
  EXPECT_EQ(account.until(120).total(), 120u);
}

TEST(TensilStreamAccount, a_programs_account_adds_up_and_is_rounded_to_its_sum) {
  Architecture made;
  made.dram0_depth = made.dram1_depth = 4096;
  SmallTcu tcu(made, OnError::stop, Encoding::v1, {16, 7, 3});
  tcu.run(
      "load_weight 0, 9\nmat_mul 0, 0, 32\nsimd.write zero 0, 0, input, r1, output\n"
      "simd.read.write max 0, 0, input, r1, output\ndata_move.accumulator_to_local 0, 0, 32\n"
      "data_move.local_to_dram0 0, 0, 32\ndata_move.dram1_to_local 0, 0, 32\nno_op");
  EXPECT_EQ(tcu.core.timing().broken_conservation(), "");
  const std::uint64_t end = tcu.cycles();
  const StreamAccount::Sums sums = tcu.core.timing().account(end);
  EXPECT_EQ((sums.total() + 1) / 2, end);
  EXPECT_LE(sums.idle, 1u) << "the rest of the last cycle";
  for (const HeldUp cause : {HeldUp::array, HeldUp::simd, HeldUp::accumulator_moves, HeldUp::port_dram0,
                             HeldUp::port_dram1, HeldUp::instructions})
    EXPECT_GT(held(sums, cause), 0u) << name_of(cause);
  const ComputeUse use = use_of(tcu.core, "tensil0", 10'000, end);
  std::uint64_t sum = 0;
  for (const HeldUpBy& one : use.held_up_by) sum += one.cycles;
  EXPECT_EQ(sum, use.cycles);
  EXPECT_EQ(use.cycles, end);
}

}  // namespace
}  // namespace vp::tensil
