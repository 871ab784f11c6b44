// Which instructions of a program make a layer, and what each took.
#include "models/tensil/layer_account.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tensil/small_tcu.h"

namespace vp::tensil {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Two products; the second reads from DRAM0 what the first wrote there, in two pieces.
constexpr const char* kTwoLayers =
    "data_move.dram1_to_local 0, 0, 5\nload_weight 0, 5\ndata_move.dram0_to_local 5, 0, 8\nmat_mul 5, 0, 8\n"
    "data_move.accumulator_to_local 20, 0, 8\ndata_move.local_to_dram0 20, 8, 8\n"
    "data_move.dram0_to_local 30, 0, 1\n"
    "data_move.dram0_to_local 5, 15, 1\nmat_mul 5, 0, 1\ndata_move.accumulator_to_local 20, 0, 1\n"
    "data_move.local_to_dram0 20, 40, 1\ndata_move.dram0_to_local 6, 8, 7\n";

TEST(TensilLayers, begin_where_the_output_of_the_one_before_is_read) {
  SmallTcu tcu;
  LayerAccount account(tcu.core);
  account.begin_frame();
  tcu.run(kTwoLayers);
  ASSERT_THAT(account.layers(), SizeIs(2));
  EXPECT_EQ(account.layers()[0].instructions, 7u);
  EXPECT_EQ(account.layers()[1].program_counter, 7u);
  EXPECT_EQ(account.layers()[1].instructions, 5u);
}

TEST(TensilLayers, take_all_cycles_multiply_accumulates_and_bytes_between_them) {
  SmallTcu tcu;
  tcu.fill(tcu.dram1, 0, {{1, 2, 3, 4}, {256, 0, 0, 0}, {0, 256, 0, 0}, {0, 0, 256, 0}, {0, 0, 0, 256}});
  LayerAccount account(tcu.core);
  account.begin_frame();
  tcu.run(kTwoLayers);
  double cycles = 0;
  std::uint64_t macs = 0, read = 0, written = 0;
  for (const Layer& layer : account.layers()) {
    cycles += layer.cycles();
    macs += layer.useful_multiply_accumulates;
    read += layer.bytes_read[0];
    written += layer.bytes_written[0];
  }
  EXPECT_EQ(cycles, static_cast<double>(tcu.cycles()));
  EXPECT_EQ(macs, tcu.core.figures().useful_multiply_accumulates);
  EXPECT_EQ(account.layers()[0].useful_multiply_accumulates, 8u * 16);
  EXPECT_EQ(read, tcu.core.figures().dram_bytes_read[0]);
  EXPECT_EQ(written, tcu.core.figures().dram_bytes_written[0]);
  EXPECT_EQ(account.layers()[0].bytes_read[1], 5u * 8);
  EXPECT_EQ(bound_of(account.layers()[0]), Bound::dram0);
}

TEST(TensilLayers, of_several_frames_are_summed_and_what_comes_before_is_left_out) {
  SmallTcu tcu;
  LayerAccount account(tcu.core);
  tcu.run("data_move.local_to_dram0 0, 0, 1\ndata_move.dram0_to_local 0, 0, 1");
  EXPECT_THAT(account.layers(), IsEmpty());
  for (unsigned frame = 0; frame < 3; ++frame) {
    account.begin_frame();
    tcu.run(kTwoLayers);
  }
  ASSERT_THAT(account.layers(), SizeIs(2));
  EXPECT_EQ(account.layers()[1].instructions, 15u);
}

TEST(TensilLayers, of_several_threads_are_not_told) {
  Architecture two = small_architecture();
  two.number_of_threads = 2;
  SmallTcu tcu(two, OnError::stop, Encoding::v2);
  LayerAccount account(tcu.core);
  account.begin_frame();
  tcu.run(kTwoLayers);
  EXPECT_THAT(account.layers(), IsEmpty());
}

}  // namespace
}  // namespace vp::tensil
