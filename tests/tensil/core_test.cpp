#include "models/tensil/core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tensil/small_tcu.h"

namespace vp::tensil {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int32_t kOne = 256;

/// Local vectors 0 to 4: bias and four rows of weights; 10, 11: inputs.
constexpr const char* kLoaded = "data_move.dram0_to_local 0, 0, 12\n";
void load(SmallTcu& tcu) {
  tcu.fill(tcu.dram0, 0,
           {{1, 2, 3, 4},
            {kOne, 0, 0, 0},
            {0, kOne, 0, 0},
            {0, 0, kOne, 0},
            {0, 0, 0, kOne},
            {0, 0, 0, 0},
            {0, 0, 0, 0},
            {0, 0, 0, 0},
            {0, 0, 0, 0},
            {0, 0, 0, 0},
            {10, 20, 30, 40},
            {-10, -20, -30, -40}});
  tcu.run(kLoaded);
}

TEST(TensilCore, weights_stand_in_memory_with_the_bias_first) {
  SmallTcu tcu;
  load(tcu);
  tcu.run("load_weight 0, 5\nmat_mul 10, 0, 2");
  EXPECT_THAT(tcu.accumulator(0), ElementsAre(11, 22, 33, 44));
  EXPECT_THAT(tcu.accumulator(1), ElementsAre(-9, -18, -27, -36));
}

TEST(TensilCore, a_short_load_shifts_the_rows_down) {
  SmallTcu tcu;
  load(tcu);
  tcu.run("load_weight 0, 5\nload_weight.zeroes 0, 1\nmat_mul 10, 0, 1");
  // The old bias multiplies element 0 now, the old first row element 1 …; the last row fell off.
  EXPECT_THAT(tcu.accumulator(0), ElementsAre(20, 30, 40, 0));
}

TEST(TensilCore, a_mat_mul_of_zeroes_gives_the_bias_and_accumulates) {
  SmallTcu tcu;
  load(tcu);
  tcu.run("load_weight 0, 5\nmat_mul 10, 0, 1\nno_op\nmat_mul.accumulate.zeroes 63, 0, 1");
  EXPECT_THAT(tcu.accumulator(0), ElementsAre(12, 24, 36, 48));
}

TEST(TensilCore, strides_step_on_both_sides) {
  SmallTcu tcu;
  load(tcu);
  tcu.run("load_weight 0, 5\nmat_mul 2*8, 0*4, 2");
  EXPECT_THAT(tcu.accumulator(4), ElementsAre(11, 22, 33, 44));
  tcu.run("data_move.accumulator_to_local 20*2, 0*4, 2\ndata_move.local_to_dram1 20*2, 100*4, 2");
  EXPECT_THAT(tcu.in_dram(tcu.dram1, 104), ElementsAre(11, 22, 33, 44));
}

TEST(TensilCore, data_moves_accumulate_with_saturation) {
  SmallTcu tcu;
  tcu.fill(tcu.dram1, 7, {{32000, -32000, 1, 0}});
  tcu.run(
      "data_move.dram1_to_local 3, 7, 1\ndata_move.local_to_accumulator 3, 9, 1\n"
      "simd.read move 0, 9, input, input, r1\ndata_move.local_to_accumulator.accumulate 3, 9, 1");
  EXPECT_THAT(tcu.accumulator(9), ElementsAre(32767, -32768, 2, 0));
}

TEST(TensilCore, simd_reads_before_it_writes_the_same_row) {
  SmallTcu tcu;
  tcu.fill(tcu.dram0, 0, {{1, 2, 3, 4}});
  tcu.run(
      "data_move.dram0_to_local 0, 0, 1\ndata_move.local_to_accumulator 0, 0, 1\n"
      "simd.read.write.accumulate increment 0, 0, input, input, output");
  EXPECT_THAT(tcu.accumulator(0), ElementsAre(258, 260, 262, 264));
}

TEST(TensilCore, dram_offsets_count_64_kib) {
  SmallTcu tcu;
  const std::uint8_t bytes[] = {5, 0, 6, 0, 7, 0, 8, 0};
  tcu.dram0.memory().write(3 * 65536 + 8, bytes, sizeof bytes);
  tcu.run("configure 0, 3\ndata_move.dram0_to_local 0, 1, 1");
  EXPECT_THAT(tcu.local(0), ElementsAre(5, 6, 7, 8));
}

TEST(TensilCore, configure_sets_the_program_counter_without_advancing_it) {
  SmallTcu tcu;
  tcu.run("no_op\nconfigure 9, 43\nconfigure 10, 42\nno_op\nno_op");
  EXPECT_EQ(tcu.core.program_counter(), 44u);
  EXPECT_EQ(tcu.core.figures().tracepoint_hits, 1u);
  EXPECT_EQ(tcu.core.figures().instructions, 5u);
}

TEST(TensilCore, instructions_may_come_in_pieces) {
  SmallTcu tcu;
  load(tcu);
  const auto bytes = assemble(tcu.core.layout(), "load_weight 0, 5\nmat_mul 10, 0, 2", "test");
  for (const std::uint8_t byte : bytes) tcu.core.push(&byte, 1);
  EXPECT_EQ(tcu.core.pending_bytes(), 0u);
  EXPECT_THAT(tcu.accumulator(0), ElementsAre(11, 22, 33, 44));
  tcu.core.push(bytes.data(), 3);
  EXPECT_EQ(tcu.core.pending_bytes(), 3u);
}

TEST(TensilCore, samples_tell_which_kind_of_instruction_takes_the_time) {
  SmallTcu tcu;
  tcu.run("configure 11, 10\nmat_mul.zeroes 0, 0, 29\nload_weight.zeroes 0, 1");
  // 29 cycles from cycle 1 on, then 7 of draining and 1: samples at 10, 20, 30.
  EXPECT_EQ(tcu.core.timing().counts()[static_cast<unsigned>(Activity::mat_mul)].samples, 3u);
  EXPECT_EQ(tcu.cycles(), 38u);
}

TEST(TensilCore, on_error_stop_ends_at_the_instruction_with_its_reason) {
  SmallTcu tcu;
  tcu.run("no_op\nmat_mul 60, 0, 5\nno_op");
  ASSERT_TRUE(tcu.core.stopped());
  EXPECT_EQ(tcu.core.stopped()->program_counter, 1u);
  EXPECT_EQ(tcu.core.stopped()->reason, "vectors 60 to 64 of local memory, which has 64");
  EXPECT_EQ(tcu.core.figures().instructions, 2u);
}

TEST(TensilCore, on_hardware_an_illegal_instruction_is_skipped_in_one_cycle) {
  SmallTcu tcu(small_architecture(), OnError::hardware);
  tcu.run("simd.read zero 0, 0, input, input, output\ndata_move.dram0_to_local 0, 0, 1");
  const std::uint8_t reserved[] = {0, 0, 0, 0, 0, 0x60};
  const std::uint8_t flow[] = {0, 0, 0, 0, 0, 0x25};
  ASSERT_EQ(tcu.core.layout().instruction_bytes(), 6u);
  const std::uint64_t before = tcu.cycles();
  tcu.core.push(reserved, 6);
  tcu.core.push(flow, 6);
  EXPECT_EQ(tcu.cycles(), before + 2);
  EXPECT_EQ(tcu.core.program_counter(), 4u);
  EXPECT_EQ(tcu.count(FindingKind::illegal_instruction), 3u);
  EXPECT_THAT(tcu.core.findings().kept()[2].text, HasSubstr("data flow 5 does not exist"));
}

TEST(TensilCore, on_hardware_addresses_wrap_at_a_power_of_two) {
  SmallTcu tcu(small_architecture(), OnError::hardware);
  tcu.fill(tcu.dram0, 0, {{1, 1, 1, 1}, {2, 2, 2, 2}});
  tcu.fill(tcu.dram0, 255, {{9, 9, 9, 9}});
  tcu.run("data_move.dram0_to_local 63, 255, 3");
  EXPECT_THAT(tcu.local(63), ElementsAre(9, 9, 9, 9));
  EXPECT_THAT(tcu.local(0), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(tcu.local(1), ElementsAre(2, 2, 2, 2));
  EXPECT_EQ(tcu.count(FindingKind::address_beyond), 1u);
}

TEST(TensilCore, on_hardware_nothing_stands_between_a_depth_and_the_next_power_of_two) {
  Architecture odd = small_architecture();
  odd.local_depth = 48;
  SmallTcu tcu(odd, OnError::hardware);
  tcu.fill(tcu.dram0, 0, {{1, 1, 1, 1}, {2, 2, 2, 2}});
  tcu.run("data_move.dram0_to_local 47, 0, 2\ndata_move.local_to_dram1 47, 0, 2");
  EXPECT_THAT(tcu.in_dram(tcu.dram1, 0), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(tcu.in_dram(tcu.dram1, 1), ElementsAre(0, 0, 0, 0));
}

TEST(TensilFindings, adjacent_accumulations_into_one_row_are_found_and_others_are_not) {
  SmallTcu tcu;
  load(tcu);
  tcu.run("data_move.local_to_accumulator 0, 0, 8\nload_weight 0, 5");
  tcu.run("mat_mul.accumulate 10, 1, 2\nmat_mul.accumulate 10, 3, 1");
  EXPECT_EQ(tcu.count(FindingKind::lost_accumulation), 0u);
  tcu.run("mat_mul.accumulate 10, 2, 2\nmat_mul.accumulate 10, 3, 1");
  EXPECT_EQ(tcu.count(FindingKind::lost_accumulation), 1u);
  tcu.run("load_weight 0, 5\nmat_mul.accumulate 10, 3, 1");  // the array has drained in between
  tcu.run("simd.read move 0, 5, input, input, r1\nmat_mul.accumulate 10, 3, 1");
  EXPECT_EQ(tcu.count(FindingKind::lost_accumulation), 1u);
}

TEST(TensilFindings, a_row_that_nothing_was_written_to_is_found_when_it_is_read) {
  SmallTcu tcu;
  load(tcu);
  tcu.run("data_move.local_to_dram0 0, 0, 12");
  EXPECT_EQ(tcu.count(FindingKind::unwritten_read), 0u);
  tcu.run("data_move.local_to_dram0 12, 0, 1\nsimd.read move 0, 31, input, input, r1");
  EXPECT_EQ(tcu.count(FindingKind::unwritten_read), 2u);
  EXPECT_EQ(tcu.core.findings().kept()[1].text, "accumulators, vector 31");
}

Architecture two_threads() {
  Architecture made = small_architecture();
  made.number_of_threads = 2;
  return made;
}

TEST(TensilFindings, threads_that_share_a_row_without_a_wait_are_found) {
  const char* const kProduce = "[0] data_move.dram0_to_local 0, 0, 4\n";
  const char* const kConsume = "[1] data_move.local_to_dram1 3, 0, 1\n";
  for (const auto& [between, found] :
       {std::pair("", 1u), {"[1] wait 0\n", 0u}, {"[0] wait 1\n", 1u}, {"[1] wait 1\n", 1u}}) {
    SmallTcu tcu(two_threads(), OnError::stop, Encoding::v2);
    tcu.run(std::string(kProduce) + between + kConsume);
    EXPECT_EQ(tcu.count(FindingKind::unordered_threads), found) << between;
  }
}

TEST(TensilFindings, threads_that_only_read_a_row_may_do_so_in_any_order) {
  SmallTcu tcu(two_threads(), OnError::stop, Encoding::v2);
  tcu.run(
      "[0] data_move.dram0_to_local 0, 0, 4\n[1] wait 0\n[1] data_move.local_to_dram1 3, 0, 1\n"
      "[0] data_move.local_to_dram0 3, 0, 1");
  EXPECT_EQ(tcu.count(FindingKind::unordered_threads), 0u);
  tcu.run("[0] data_move.dram0_to_local 3, 0, 1");  // while thread 1 may still read it
  EXPECT_EQ(tcu.count(FindingKind::unordered_threads), 1u);
}

TEST(TensilCore, a_thread_that_does_not_exist_is_illegal) {
  Architecture three = small_architecture();
  three.number_of_threads = 3;
  SmallTcu tcu(three, OnError::hardware, Encoding::v2);
  tcu.run("[3] load_weight.zeroes 0, 1");
  EXPECT_EQ(tcu.count(FindingKind::illegal_instruction), 1u);
}

}  // namespace
}  // namespace vp::tensil
