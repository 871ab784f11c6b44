#include "models/memory/dram/dram_controller.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "models/memory/dram/presets.h"
#include "models/memory/dram/replay.h"

namespace vp::dram {
namespace {

constexpr std::uint64_t kRow = std::uint64_t{1} << 17;  // next row of the same bank

ChannelConfig ddr4() { return preset("ddr4-2400"); }
Picoseconds time_of(Cycle cycle) { return cycle * ddr4().clock_period; }

/// Advances as the controller's events say until nothing is under way.
std::vector<DramController::Answered> drain(DramController& controller) {
  std::vector<DramController::Answered> all, some;
  while (!controller.idle()) {
    controller.advance_to(controller.next_event());
    controller.take_answered(some);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/// GB/s of reads of `bytes` bytes at address(i), `window` of them under way.
template <typename Address>
double bandwidth(const ChannelConfig& config, unsigned window, unsigned bytes, unsigned count, Address address) {
  DramController controller(config);
  std::vector<DramController::Answered> answered;
  std::multiset<Picoseconds> known;  // completions
  unsigned next = 0;
  const auto push = [&](Picoseconds now) {
    if (next < count) controller.push(next, now, address(next), bytes, false);
    ++next;
  };
  while (next < window) push(0);
  while (!controller.idle() || !known.empty()) {
    const Picoseconds now = std::min(controller.next_event(), known.empty() ? kNever : *known.begin());
    controller.advance_to(now);
    controller.take_answered(answered);
    for (const auto& one : answered) known.insert(one.times.complete);
    for (; !known.empty() && *known.begin() <= now; known.erase(known.begin())) push(now);
  }
  EXPECT_EQ(controller.broken_conservation(), "");
  return controller.figures().bandwidth;
}

TEST(DramController, opens_one_row_after_the_other_no_faster_than_a_bank_can) {
  const auto next_row = [](unsigned i) { return std::uint64_t{i} << 14; };
  const double got = bandwidth(preset("lpddr4-3200"), 64, 64, 4000, next_row);
  EXPECT_LE(got, 64 / (97 * 0.625));  // 64 bytes each tRC
  EXPECT_GE(got, 0.95);
}

TEST(DramController, long_bursts_one_behind_the_other_get_what_the_queue_gives) {
  const auto sequential = [](unsigned i) { return std::uint64_t{i} * 1024; };
  EXPECT_NEAR(bandwidth(preset("ddr4-3200"), 16, 1024, 4000, sequential), 17.1, 0.171);
}

TEST(DramController, a_rank_gives_no_more_than_its_refreshes_leave) {
  ChannelConfig config = ddr4();
  config.address_mapping = "rochrabacobg";  // bank groups in turn: the data bus is the limit
  const auto sequential = [](unsigned i) { return std::uint64_t{i} * 64; };
  const double limit = config.peak_bytes_per_second() * 1e-9 * (1 - 420. / 9360);
  const double got = bandwidth(config, 32, 64, 60'000, sequential);  // 25 refresh intervals
  EXPECT_LE(got, limit);
  EXPECT_GE(got, 0.98 * limit);
}

TEST(DramController, answers_one_access_at_once) {
  DramController controller(ddr4());
  EXPECT_EQ(controller.access(time_of(10), 0, 64, false).complete, time_of(10 + 1 + 17 + 17 + 4));
  EXPECT_TRUE(controller.idle());
  EXPECT_EQ(controller.next_event(), kNever);
}

TEST(DramController, an_access_is_over_at_once_if_nobody_comes_before_its_column_command) {
  const Cycle column = 10 + 1 + 17;
  for (const Cycle next : {column, column + 1}) {
    DramController controller(ddr4());
    const auto pushed = controller.push(1, time_of(10), 0, 64, false, time_of(next));
    EXPECT_EQ(pushed.over, next > column);
    EXPECT_EQ(controller.idle(), next > column);
    EXPECT_EQ(pushed.over ? pushed.times.complete : pushed.look, time_of(column + 17 + 4));
  }
}

TEST(DramController, a_long_access_is_walked_burst_by_burst_as_the_bus_brings_them) {
  const ChannelConfig config = ddr4();
  std::vector<TraceRequest> trace;
  for (unsigned i = 0; i < 16; ++i) trace.push_back({64 * i, false, 10 + i * 3});
  const ReplayResult expected = replay_arrivals(config, trace);
  DramController at_once(config, {3 * config.clock_period / 4, 16}), later(config, {3 * config.clock_period / 4, 16});
  EXPECT_EQ(at_once.access(time_of(10), 0, 1024, false).complete, time_of(expected.end));
  later.push(7, time_of(10), 0, 1024, false);
  const auto answers = drain(later);
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].token, 7u);
  EXPECT_EQ(answers[0].times.complete, time_of(expected.end));
  EXPECT_EQ(answers[0].times.first, time_of(10 + expected.latency[0]));
}

TEST(DramController, a_bus_wider_than_a_burst_brings_several_in_one_cycle) {
  const ChannelConfig config = ddr4();
  const Picoseconds slow = 100 * config.clock_period;
  std::vector<TraceRequest> trace;
  for (unsigned i = 0; i < 8; ++i) trace.push_back({64 * i, false, 10 + i / 4 * 100});
  const ReplayResult expected = replay_arrivals(config, trace);
  DramController controller(config, {slow, 256});
  EXPECT_EQ(controller.access(time_of(10), 0, 512, false).complete, time_of(expected.end));
}

TEST(DramController, a_full_queue_holds_the_master) {
  ChannelConfig config = ddr4();
  config.controller.transaction_queue = 2;
  config.controller.bank_queue = 1;
  DramController controller(config);
  EXPECT_TRUE(controller.room());
  for (unsigned i = 0; i < 8; ++i) controller.push(i, time_of(10), i * kRow, 64, false);
  controller.advance_to(time_of(20));
  EXPECT_FALSE(controller.room());
  EXPECT_EQ(drain(controller).size(), 8u);
  EXPECT_TRUE(controller.room());
}

TEST(DramController, a_posted_write_is_acknowledged_when_the_queue_has_taken_it) {
  ChannelConfig config = ddr4();
  config.controller.posted_writes = true;
  config.controller.transaction_queue = 2;
  config.controller.bank_queue = 1;
  DramController controller(config);
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_EQ(controller.access(time_of(10 + 2 * i), i * kRow, 64, true).complete, time_of(11 + 2 * i));
  // Three wait; the next one does until the first has its column command.
  EXPECT_GT(controller.access(time_of(20), 3 * kRow, 64, true).complete, time_of(11 + 1 + 17));
  EXPECT_EQ(controller.broken_conservation(), "");
}

TEST(DramController, a_caller_earlier_than_the_channel_is_answered_at_its_present_time_and_counted) {
  DramController controller(ddr4());
  controller.access(time_of(100), 0, 64, false);  // column command in cycle 118
  EXPECT_EQ(controller.access(time_of(50), 64, 64, false).complete, time_of(119 + 1 + 17 + 4 + 4));
  EXPECT_EQ(controller.statistics().order_violations, 1u);
}

TEST(DramController, accesses_under_way_are_served_with_one_that_is_answered_at_once) {
  DramController controller(ddr4());
  controller.push(1, time_of(10), 0, 64, false);
  const Picoseconds complete = controller.access(time_of(10), 64, 64, false).complete;
  EXPECT_EQ(complete, time_of(10 + 1 + 17 + 6 + 17 + 4));  // tCCD_L behind the first
  EXPECT_FALSE(controller.idle());
  EXPECT_EQ(controller.next_event(), time_of(10 + 1 + 17 + 17 + 4));
  const auto answers = drain(controller);
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].times.complete, time_of(10 + 1 + 17 + 17 + 4));
}

TEST(DramController, a_reset_ends_the_accesses_under_way) {
  DramController controller(ddr4());
  controller.push(1, time_of(10), 0, 64, false);
  controller.push(2, time_of(10), kRow, 64, true);
  controller.reset(time_of(15));
  std::vector<DramController::Answered> answers;
  controller.take_answered(answers);
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[1].times.complete, time_of(15));
  EXPECT_TRUE(controller.idle());
  EXPECT_EQ(controller.access(time_of(15), 0, 64, false).complete, time_of(15 + 1 + 17 + 17 + 4));
}

TEST(DramController, says_where_the_latency_went) {
  DramController controller(ddr4());
  for (unsigned i = 0; i < 4; ++i) controller.push(i, time_of(10), i % 2 * kRow, 64, false);
  drain(controller);
  const ChannelStatistics s = controller.statistics();
  EXPECT_EQ(s.rows[0] + s.rows[1] + s.rows[2], 4u);
  EXPECT_EQ(s.rows[static_cast<unsigned>(RowOutcome::closed)], 1u);
  EXPECT_EQ(s.rows[static_cast<unsigned>(RowOutcome::conflict)], 1u);
  EXPECT_GT(s.parts.queue, 0u);
  EXPECT_EQ(s.direction[0].transactions, 4u);
  EXPECT_EQ(controller.broken_conservation(), "");
}

}  // namespace
}  // namespace vp::dram
