#include "models/memory/dram/queued_channel.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <vector>

#include "models/memory/dram/presets.h"

namespace vp::dram {
namespace {

constexpr std::uint64_t kRow = std::uint64_t{1} << 17;    // next row of the same bank
constexpr std::uint64_t kGroup = std::uint64_t{1} << 13;  // next bank group

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
  const auto ends = ends_of(ddr4(SchedulingPolicy::first_ready), {0, kRow, 64});
  EXPECT_EQ(ends[0], 1 + 1 + 17 + 17 + 4u);
  EXPECT_LT(ends[2], ends[1]);
}

TEST(QueuedChannel, FirstReadyMayCloseTheRowAfterFourHits) {
  ChannelConfig config = ddr4(SchedulingPolicy::first_ready);
  config.timing.rtp = 4;  // shorter than tCCD_L, so that the precharge is ready before the fifth hit
  const auto ends = ends_of(config, {0, kRow, 64, 128, 192, 256, 320, 384});
  EXPECT_LT(ends[4], ends[1]);
  EXPECT_LT(ends[1], ends[5]);
}

TEST(QueuedChannel, OldestReadyServesAllRowHitsBeforeAConflict) {
  ChannelConfig config = ddr4(SchedulingPolicy::oldest_ready);
  config.timing.rtp = 4;
  const auto ends = ends_of(config, {0, kRow, 64, 128, 192, 256, 320, 384});
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
  const auto conflict = ends_of(ddr4(SchedulingPolicy::in_order), {0, kRow, 64});
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

TEST(QueuedChannel, RefreshesEveryRefi) {
  const ChannelConfig config = ddr4(SchedulingPolicy::first_ready);
  QueuedChannel channel(config);
  channel.step(10 * config.timing.refi + 1);
  ASSERT_EQ(channel.refreshes().size(), 10u);
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(channel.refreshes()[i], (i + 1) * config.timing.refi);
}

TEST(QueuedChannel, StaggersTheRefreshesOfTwoRanks) {
  ChannelConfig config = ddr4(SchedulingPolicy::first_ready);
  config.size_mib *= 2;
  QueuedChannel channel(config);
  channel.step(2 * config.timing.refi + 1);
  EXPECT_EQ(channel.refreshes(), (std::vector<Cycle>{4680, 9360, 14040, 18720}));
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
