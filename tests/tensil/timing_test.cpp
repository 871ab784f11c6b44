#include "models/tensil/timing.h"

#include <gtest/gtest.h>

#include "tests/tensil/small_tcu.h"

namespace vp::tensil {
namespace {

Architecture eight() {
  Architecture made;  // as the hardware description that was measured
  made.dram0_depth = made.dram1_depth = 131'072;
  return made;
}

std::string repeated(const std::string& text, unsigned times) {
  std::string all;
  for (unsigned i = 0; i < times; ++i) all += text;
  return all;
}

std::uint64_t cycles_of(const std::string& text, const PortTiming& timing = {16, 0, 0}) {
  SmallTcu tcu(eight(), OnError::stop, Encoding::v1, timing);
  tcu.run(text);
  return tcu.cycles();
}

TEST(TensilTiming, a_tile_takes_as_long_as_on_the_hardware_description) {
  EXPECT_EQ(
      cycles_of("load_weight 0, 9\nmat_mul 0, 0, 32\n" + repeated("simd.read.write max 0, 0, input, r1, output\n", 32) +
                "data_move.accumulator_to_local 0, 0, 32"),
      218u);
}

TEST(TensilTiming, reads_stream_and_wait_for_the_latency_once) {
  EXPECT_EQ(cycles_of("data_move.dram0_to_local 0, 0, 100"), 105u);
  EXPECT_EQ(cycles_of("data_move.dram0_to_local 0, 0, 100", {16, 30, 15}), 135u);
  EXPECT_EQ(cycles_of("data_move.dram0_to_local 0, 0, 100", {8, 0, 0}), 205u);
}

TEST(TensilTiming, strided_reads_are_a_request_a_vector_three_at_a_time) {
  EXPECT_EQ(cycles_of("data_move.dram1_to_local 0, 0*2, 100", {16, 0, 0}), 139u);     // 400 / 3 up + 5
  EXPECT_EQ(cycles_of("data_move.dram1_to_local 0, 0*2, 100", {16, 30, 15}), 1169u);  // 3400 / 3 up + 5 + 30
}

TEST(TensilTiming, writes_are_posted_until_three_requests_wait) {
  EXPECT_EQ(cycles_of("data_move.local_to_dram0 0, 0, 100"), 100u);
  EXPECT_EQ(cycles_of("data_move.local_to_dram0 0, 0, 100", {16, 30, 15}), 100u);
  EXPECT_EQ(cycles_of("data_move.local_to_dram0 0, 0*4, 100", {16, 30, 15}), 567u);  // 1700 / 3 up
}

TEST(TensilTiming, the_array_drains_once_before_its_results_or_new_weights) {
  const std::uint64_t drain = 15;  // 2N - 1
  EXPECT_EQ(cycles_of("mat_mul.zeroes 0, 0, 20\nload_weight.zeroes 0, 9"), 20 + drain + 9);
  EXPECT_EQ(cycles_of("mat_mul.zeroes 0, 0, 20\nmat_mul.zeroes 0, 40, 20\nload_weight.zeroes 0, 9"), 40 + drain + 9);
  EXPECT_EQ(cycles_of("mat_mul.accumulate.zeroes 0, 0, 20\nload_weight.zeroes 0, 9"), 20 + drain + 1 + 9);
}

TEST(TensilTiming, simd_instructions_are_queued_so_that_other_work_goes_on) {
  const std::string simd = repeated("simd.read.write max 0, 0, input, r1, output\n", 8);
  EXPECT_EQ(cycles_of(simd), 32u);
  EXPECT_EQ(cycles_of(simd + "data_move.local_to_dram0 0, 0, 100"), 108u);
  EXPECT_EQ(cycles_of(simd + "data_move.accumulator_to_local 0, 0, 10"), 44u);
}

std::uint64_t threaded_cycles(const std::string& text) {
  Architecture threads = eight();
  threads.number_of_threads = 2;
  SmallTcu tcu(threads, OnError::stop, Encoding::v2, {16, 0, 0});
  tcu.run(text);
  return tcu.cycles();
}

TEST(TensilTiming, two_threads_overlap_transfers_and_compute_unless_one_waits) {
  const std::string compute = "[0] mat_mul.zeroes 0, 0, 200\n", load = "[1] data_move.dram0_to_local 4096, 0, 195\n";
  EXPECT_EQ(threaded_cycles(compute + load), 215u);  // with the draining
  EXPECT_EQ(threaded_cycles(compute + "[1] wait 0\n" + load), 401u);
  EXPECT_EQ(threaded_cycles("[0] data_move.dram0_to_local 0, 0, 195\n" + load), 400u);  // one port
}

TEST(TensilTiming, a_thread_looks_no_further_ahead_than_its_queue) {
  Architecture threads = eight();
  threads.number_of_threads = 2;
  threads.thread_queue_depth = 2;
  SmallTcu tcu(threads, OnError::stop, Encoding::v2, {16, 0, 0});
  // The third of thread 0 enters its queue when the first has begun, the fourth when the second has, at 100: the
  // decoder reaches thread 1 then.
  tcu.run(repeated("[0] load_weight.zeroes 0, 100\n", 4) + "[1] data_move.dram0_to_local 4096, 0, 395");
  EXPECT_EQ(tcu.cycles(), 500u);
}

}  // namespace
}  // namespace vp::tensil
