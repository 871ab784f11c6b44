#include "models/memory/dram/queued_channel.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <vector>

#include "models/memory/dram/presets.h"

namespace vp::dram {
namespace {

constexpr std::uint64_t kNextRow = std::uint64_t{1} << 17;  // next row of the same bank
constexpr std::uint64_t kGroup = std::uint64_t{1} << 13;    // next bank group

ChannelConfig ddr4(SchedulingPolicy policy) {
  ChannelConfig config = preset("ddr4-2400");
  config.controller.scheduling = policy;
  return config;
}

/// Presents reads at once, one a cycle from cycle 1 on; returns the ends of their data.
std::vector<Cycle> ends_of(const ChannelConfig& config, const std::vector<std::uint64_t>& addresses) {
  QueuedChannel channel(config);
  std::vector<Cycle> ends(addresses.size());
  const auto take = [&ends](const std::optional<Completion>& done) {
    if (done) ends[done->id] = done->at;
    return done.has_value();
  };
  for (std::uint64_t id = 0; id < addresses.size(); ++id) {
    while (take(channel.step(1 + id))) continue;
    channel.present(id, addresses[id], false, 1 + id);
  }
  while (channel.unfinished() > 0) take(channel.step(kNoCycle));
  return ends;
}

TEST(QueuedChannel, FirstReadyServesARowHitBeforeAnOlderConflict) {
  const auto ends = ends_of(ddr4(SchedulingPolicy::first_ready), {0, kNextRow, 64});
  EXPECT_EQ(ends[0], 1 + 1 + 17 + 17 + 4u);
  EXPECT_LT(ends[2], ends[1]);
}

TEST(QueuedChannel, FirstReadyMayCloseTheRowAfterFourHits) {
  ChannelConfig config = ddr4(SchedulingPolicy::first_ready);
  config.timing.rtp = 4;  // shorter than tCCD_L, so that the precharge is ready before the fifth hit
  const auto ends = ends_of(config, {0, kNextRow, 64, 128, 192, 256, 320, 384});
  EXPECT_LT(ends[4], ends[1]);
  EXPECT_LT(ends[1], ends[5]);
}

TEST(QueuedChannel, OldestReadyServesAllRowHitsBeforeAConflict) {
  ChannelConfig config = ddr4(SchedulingPolicy::oldest_ready);
  config.timing.rtp = 4;
  const auto ends = ends_of(config, {0, kNextRow, 64, 128, 192, 256, 320, 384});
  EXPECT_LT(ends[7], ends[1]);
}

TEST(QueuedChannel, OldestReadyPrefersTheOldestOfTwoBanks) {
  const auto ends = ends_of(ddr4(SchedulingPolicy::oldest_ready), {kGroup, 0, kGroup + 64, 64});
  EXPECT_LT(ends[0], ends[1]);
  EXPECT_LT(ends[2], ends[3]);
}

TEST(QueuedChannel, InOrderServesColumnsInOrderButOpensRowsAhead) {
  const auto ends = ends_of(ddr4(SchedulingPolicy::in_order), {0, kGroup, 64});
  EXPECT_EQ(ends[1], ends[0] + 4);  // the second bank was opened meanwhile
  EXPECT_EQ(ends[2], ends[1] + 4);
  const auto conflict = ends_of(ddr4(SchedulingPolicy::in_order), {0, kNextRow, 64});
  EXPECT_LT(conflict[1], conflict[2]);
}

TEST(QueuedChannel, KeepsFourActivatesApartFromTheFifth) {
  std::vector<std::uint64_t> addresses;
  for (unsigned bank = 0; bank < 5; ++bank) addresses.push_back(bank * kGroup);
  const ChannelConfig config = ddr4(SchedulingPolicy::first_ready);
  const auto ends = ends_of(config, addresses);
  EXPECT_EQ(ends[3] - ends[0], 3 * config.timing.rrd_s);
  EXPECT_EQ(ends[4] - ends[0], config.timing.faw);
}

/// Cycles of the refresh commands before `limit`.
std::vector<Cycle> refreshes_until(const ChannelConfig& config, Cycle limit) {
  QueuedChannel channel(config);
  std::vector<Cycle> refreshes;
  channel.on_command([&refreshes](Command command, unsigned, Cycle at) {
    if (command == Command::refresh) refreshes.push_back(at);
  });
  channel.step(limit);
  return refreshes;
}

TEST(QueuedChannel, RefreshesEveryRefi) {
  const ChannelConfig config = ddr4(SchedulingPolicy::first_ready);
  const auto refreshes = refreshes_until(config, 10 * config.timing.refi + 1);
  ASSERT_EQ(refreshes.size(), 10u);
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(refreshes[i], (i + 1) * config.timing.refi);
}

TEST(QueuedChannel, StaggersTheRefreshesOfTwoRanks) {
  ChannelConfig config = ddr4(SchedulingPolicy::first_ready);
  config.size_mib *= 2;
  EXPECT_EQ(refreshes_until(config, 2 * config.timing.refi + 1), (std::vector<Cycle>{4680, 9360, 14040, 18720}));
}

TEST(QueuedChannel, counts_the_refreshes_of_an_idle_second_without_doing_each) {
  ChannelConfig config = ddr4(SchedulingPolicy::first_ready);
  config.size_mib *= 2;
  QueuedChannel channel(config);
  const Cycle day = Cycle{86'400'000'000'000} * 1000 / config.clock_period * 1000;
  channel.step(day);
  EXPECT_EQ(channel.refreshes(), (day - 1) / 4680);
  EXPECT_EQ(channel.broken_limit(), "");
}

TEST(QueuedChannel, refresh_is_switched_off_by_a_huge_interval) {
  ChannelConfig config = ddr4(SchedulingPolicy::first_ready);
  config.timing.refi = 1'000'000'000;
  config.validate();
  EXPECT_TRUE(refreshes_until(config, 900'000'000).empty());
}

TEST(QueuedChannel, a_request_alone_is_left_to_the_queues_where_a_refresh_comes_first) {
  const ChannelConfig config = ddr4(SchedulingPolicy::first_ready);
  QueuedChannel channel(config);
  channel.step(config.timing.refi - 10);
  EXPECT_FALSE(channel.serve_alone(0, false, channel.now()));
  EXPECT_EQ(channel.activates(), 0u);
}

TEST(QueuedChannel, a_request_alone_is_left_to_the_queues_where_another_comes_before_its_column_command) {
  QueuedChannel channel(ddr4(SchedulingPolicy::first_ready));
  EXPECT_FALSE(channel.serve_alone(0, false, 1, 19));
  EXPECT_TRUE(channel.serve_alone(0, false, 1, 20));  // activate in 2, tRCD
}

TEST(QueuedChannel, after_a_reset_rows_are_closed_and_requests_forgotten) {
  QueuedChannel channel(ddr4(SchedulingPolicy::first_ready));
  const Cycle first = channel.serve_alone(0, false, 100)->at - 100;
  channel.present(0, kNextRow, false, 200);
  channel.reset(150);
  EXPECT_EQ(channel.unfinished(), 0u);
  EXPECT_EQ(channel.now(), 150u);
  const auto again = channel.serve_alone(0, false, 150);
  EXPECT_EQ(again->at - 150, first);
  EXPECT_EQ(again->found, RowOutcome::closed);
  EXPECT_EQ(channel.broken_limit(), "");
}

TEST(QueuedChannel, a_reset_keeps_refreshes_when_they_were_due) {
  const ChannelConfig config = ddr4(SchedulingPolicy::first_ready);
  QueuedChannel channel(config);
  channel.step(config.timing.refi + 1000);
  channel.reset(config.timing.refi - 500);
  channel.step(2 * config.timing.refi);
  EXPECT_EQ(channel.refreshes(), 1u);
  channel.reset(10 * config.timing.refi + 1);
  EXPECT_EQ(channel.refreshes(), 10u);
}

TEST(QueuedChannel, a_write_of_a_burst_waits_for_an_earlier_read_of_it) {
  // Four row hits before it keep the bus on writes, which could go first.
  QueuedChannel channel(ddr4(SchedulingPolicy::first_ready));
  std::vector<Cycle> ends(3);
  channel.present(0, 0, true, 1);
  channel.present(1, 64, false, 1);
  channel.present(2, 64, true, 1);
  while (channel.unfinished() > 0)
    if (const auto done = channel.step(kNoCycle)) ends[done->id] = done->at;
  EXPECT_LT(ends[0], ends[1]);
  EXPECT_LT(ends[1], ends[2]);
}

TEST(QueuedChannel, RefusesRequestsFromThePastAndBeyondItsQueue) {
  ChannelConfig config = ddr4(SchedulingPolicy::first_ready);
  config.controller.transaction_queue = 2;
  QueuedChannel channel(config);
  channel.step(100);
  EXPECT_THROW(channel.present(0, 0, false, 99), std::logic_error);
  channel.present(0, 0, false, 100);
  channel.present(1, 0, false, 100);
  EXPECT_FALSE(channel.can_accept());
  EXPECT_THROW(channel.present(2, 0, false, 100), std::logic_error);
}

}  // namespace
}  // namespace vp::dram
