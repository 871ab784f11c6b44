// Transfers of millions of rows: periods that are passed over must leave what working them off leaves.
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

#include "models/tinytpu/asm.h"
#include "models/tinytpu/core.h"
#include "tests/support/slow_host.h"

namespace vp::tinytpu {
namespace {

struct Contents {
  std::vector<std::vector<std::uint32_t>> accumulators;
  std::vector<std::vector<std::uint8_t>> buffer;
  HazardReport::Counts hazards;
  std::uint64_t passed_over;
};

/// A program whose results go round through multiply and activate.
std::vector<Instruction> feeding_back(std::mt19937& random, unsigned width) {
  const char* const functions[] = {"none", "relu", "sigmoid"};
  std::string text = "read_weights.s 0, " + std::to_string(random() % 2 ? width : 1 + random() % width) + "\n";
  for (int i = 0; i < 4; ++i) {
    const std::string sign = random() % 2 ? ".s" : ".u", row = std::to_string(random() % 20);
    const std::string length = std::to_string(20000 + random() % 30000);
    text += random() % 2
                ? "activate" + sign + "." + functions[random() % 3] + " " + row + ", 0, " + length + "\n"
                : "matrix_multiply" + sign + (random() % 4 ? "" : ".acc") + " 0, " + row + ", " + length + "\n";
    if (random() % 4 == 0) text += "read_weights.s 0, " + std::to_string(random() % 3000) + "\n";
  }
  return assemble(text + "synchronize", "test");
}

/// Runs a program; with `step` the core is looked at so often that nothing can be passed over.
Contents run(const TinyTpuConfig& config, const std::vector<Instruction>& program, Edge step) {
  Core core(config);
  std::mt19937 random(9);
  std::vector<std::uint8_t> row(config.matrix_width);
  const auto next_row = [&] {
    for (auto& byte : row) byte = static_cast<std::uint8_t>(random());
    return row.data();
  };
  for (unsigned r = 0; r < config.weight_depth; ++r) core.write_weights(r, next_row());
  for (unsigned r = 0; r < config.unified_buffer_depth; ++r) core.write_unified_buffer(r, next_row());
  for (Edge edge = 0; edge < program.size(); ++edge) core.push(program[edge], edge);
  const Edge end = core.predict_finish();
  while (step != 0 && core.next_edge() + step < end) {
    core.advance_to(core.next_edge() + step);
    core.hazards();
  }
  core.advance_to(end);
  Contents contents;
  for (unsigned r = 0; r < kAccumulatorRows; ++r) contents.accumulators.push_back(core.accumulators(r));
  for (unsigned r = 0; r < config.unified_buffer_depth; ++r) {
    core.read_unified_buffer(r, row.data());
    contents.buffer.push_back(row);
  }
  contents.hazards = core.hazards().counts();
  contents.passed_over = core.passed_over();
  return contents;
}

TEST(TinyTpuLongTransfer, LeavesWhatWorkingItOffLeaves) {
  const std::vector<std::string> programs = {
      "read_weights.s 0, 20\nmatrix_multiply.s.acc 3, 1, 150001",
      "read_weights.u 0, 100003\nmatrix_multiply.u.acc 3, 1, 150001\nactivate.s.sigmoid 5, 2, 9",
      "read_weights.s 0, 20\nmatrix_multiply.u 3, 1, 150001\nread_weights.u 4, 90001\nsynchronize",
      "matrix_multiply.s.acc 3, 0xfff000, 100000\nread_weights.s 0xfffffff000, 150001\nsynchronize",
      "read_weights.s 0, 20\nmatrix_multiply.s 3, 1, 30\nactivate.u.relu 5, 2, 400001\nmatrix_multiply.s.acc 3, 1, "
      "60001",
  };
  std::mt19937 random(8);
  for (unsigned width : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 14U}) {
    for (const std::string& text : programs) {
      TinyTpuConfig config;
      config.matrix_width = width;
      config.weight_depth = 1 + random() % 40;
      config.unified_buffer_depth = 1 + random() % 40;
      SCOPED_TRACE("N " + std::to_string(width) + ", depths " + std::to_string(config.weight_depth) + " and " +
                   std::to_string(config.unified_buffer_depth) + "\n" + text);
      const std::vector<Instruction> program = assemble(text, "test");
      const Contents skipped = run(config, program, 0), worked = run(config, program, 5000);
      EXPECT_GT(skipped.passed_over, 10000U);
      EXPECT_EQ(worked.passed_over, 0U);
      ASSERT_EQ(skipped.accumulators, worked.accumulators);
      ASSERT_EQ(skipped.buffer, worked.buffer);
      ASSERT_EQ(skipped.hazards, worked.hazards);
    }
  }
}

TEST(TinyTpuLongTransfer, a_multiply_beside_an_activate_leaves_what_working_it_off_leaves) {
  std::mt19937 random(12);
  unsigned passed_over = 0, worked_off = 0;
  for (int round = 0; round < 150; ++round) {
    TinyTpuConfig config;
    config.matrix_width = 2 + random() % 9;
    config.weight_depth = 1 + random() % 8;
    const unsigned depths[] = {8, 16, 32, config.matrix_width, 5};
    config.unified_buffer_depth = depths[random() % 5];
    const std::vector<Instruction> program = feeding_back(random, config.matrix_width);
    const Contents skipped = run(config, program, 0), worked = run(config, program, 5000);
    (skipped.passed_over > 0 ? passed_over : worked_off) += 1;
    ASSERT_EQ(worked.passed_over, 0u);
    ASSERT_EQ(skipped.accumulators, worked.accumulators) << round;
    ASSERT_EQ(skipped.buffer, worked.buffer) << round;
    ASSERT_EQ(skipped.hazards, worked.hazards) << round;
  }
  EXPECT_GT(passed_over, 30u);
  EXPECT_GT(worked_off, 5u);
}

TEST(TinyTpuLongTransfer, a_full_fifo_of_the_longest_transfers_side_by_side_ends_in_no_time) {
  const std::vector<Instruction> program =
      assemble("read_weights.s 0, 14\nmatrix_multiply.s 0, 0, 0xffffffff\nactivate.s.sigmoid 0, 0, 0xffffffff", "test");
  Core core{TinyTpuConfig()};
  for (Edge edge = 0; edge < 30; ++edge) core.push(program[edge % 3], edge);
  const auto begin = std::chrono::steady_clock::now();
  core.advance_to(core.predict_finish());
  core.hazards();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_GT(core.next_edge(), 10 * 0xffffffffULL);
  EXPECT_LT(seconds.count(), 10 * slow_host());  // a fifth of a second; worked off row by row, half an hour
}

TEST(TinyTpuLongTransfer, TheLongestTransfersEndInNoTime) {
  TinyTpuConfig config;
  config.weight_depth = 1024;
  const std::vector<Instruction> program = assemble(
      "read_weights.s 0, 0xffffffff\nmatrix_multiply.s.acc 0, 0, 0xffffffff\nsynchronize\n"
      "activate.s.relu 0, 0, 0xffffffff\nsynchronize",
      "test");
  Core core(config);
  for (Edge edge = 0; edge < program.size(); ++edge) core.push(program[edge], edge);
  EXPECT_GT(core.take_synchronize(), 0xffffffffU);
  core.advance_to(core.predict_finish());
  EXPECT_EQ(core.hazards().count(HazardKind::weights_overrun), 0U);
  EXPECT_GT(core.next_edge(), 2 * 0xffffffffULL);
}

TEST(TinyTpuLongTransfer, a_stop_request_is_heard_in_the_middle_of_minutes_of_work) {
  TinyTpuConfig config;
  config.fifo_depth = 4;
  const std::vector<Instruction> program = assemble(
      "read_weights.s 0, 14\nactivate.u.none 0, 0, 0xffffffff\nmatrix_multiply.s.acc 0, 0, 0xffffffff\n"
      "activate.u.none 0, 0, 0xffffffff",
      "test");
  Core core(config);
  std::mt19937 random(2);
  std::vector<std::uint8_t> row(config.matrix_width);
  for (unsigned r = 0; r < 4096; ++r) {  // sums that grow and come back as inputs do not repeat
    for (auto& byte : row) byte = static_cast<std::uint8_t>(random());
    core.write_weights(r, row.data());
    core.write_unified_buffer(r, row.data());
  }
  StopRequest stop;
  core.heed(stop);
  for (Edge edge = 0; edge < program.size(); ++edge) core.push(program[edge], edge);
  std::thread asks([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.ask();
  });
  const auto begin = std::chrono::steady_clock::now();
  const Edge end = core.predict_finish();
  core.advance_to(end);
  core.hazards();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  asks.join();
  EXPECT_LT(seconds.count(), 5 * slow_host());  // 0.05 s; without heeding it, minutes
  EXPECT_LT(core.given_up_at(), end);
  EXPECT_EQ(core.next_edge(), end + 1) << "time goes on exactly";
  EXPECT_GT(core.next_edge(), 2 * 0xffffffffULL);
}

TEST(TinyTpuLongTransfer, work_that_is_done_before_a_stop_request_is_not_given_up) {
  Core core{TinyTpuConfig()};
  StopRequest stop;
  core.heed(stop);
  core.push(assemble("matrix_multiply.s 0, 0, 100", "test")[0], 0);
  core.advance_to(core.predict_finish());
  core.hazards();
  stop.ask();
  core.advance_to(core.next_edge() + 1000);
  EXPECT_EQ(core.given_up_at(), kNoEdge);
}

}  // namespace
}  // namespace vp::tinytpu
