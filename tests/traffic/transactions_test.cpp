#include "models/traffic/transactions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace vp {
namespace {

using testing::ElementsAre;

TrafficConfig window_of(std::uint64_t size, unsigned burst) {
  TrafficConfig config;
  config.base = 0x1000;
  config.size = size;
  config.burst = burst;
  return config;
}

std::vector<std::uint64_t> addresses(const TrafficConfig& config, int count) {
  TrafficTransactions transactions(config);
  std::vector<std::uint64_t> list;
  for (int i = 0; i < count; ++i) list.push_back(transactions.next().address);
  return list;
}

TEST(TrafficTransactions, SequentialOnesFollowEachOtherAndWrapAtTheLastWholeBurst) {
  EXPECT_THAT(addresses(window_of(100, 32), 5), ElementsAre(0x1000, 0x1020, 0x1040, 0x1000, 0x1020));
}

TEST(TrafficTransactions, StridedOnesKeepTheirDistanceAndStayInside) {
  TrafficConfig config = window_of(0x100, 32);
  config.pattern = TrafficPattern::strided;
  config.stride = 0x70;
  EXPECT_THAT(addresses(config, 4), ElementsAre(0x1000, 0x1070, 0x10e0, 0x1000));
  config.stride = 0x71;
  EXPECT_THAT(addresses(config, 3), ElementsAre(0x1000, 0x1071, 0x1000)) << "the third would cross the end";
  config.stride = 0x1'0000;
  EXPECT_THAT(addresses(config, 2), ElementsAre(0x1000, 0x1000));
}

TEST(TrafficTransactions, RandomOnesReachEveryBurstOfTheWindowEquallyOften) {
  TrafficConfig config = window_of(8 * 64 + 1, 64);
  config.pattern = TrafficPattern::random;
  std::map<std::uint64_t, int> count;
  for (const std::uint64_t address : addresses(config, 8'000)) ++count[address];
  EXPECT_EQ(count.size(), 8u);
  for (const auto& [address, times] : count) {
    EXPECT_EQ((address - 0x1000) % 64, 0u);
    EXPECT_NEAR(times, 1'000, 150);
  }
}

TEST(TrafficTransactions, TheSeedDecides) {
  TrafficConfig config = window_of(1 << 20, 64);
  config.pattern = TrafficPattern::random;
  const auto first = addresses(config, 100);
  EXPECT_EQ(addresses(config, 100), first);
  config.seed = 2;
  EXPECT_NE(addresses(config, 100), first);
}

TEST(TrafficTransactions, WritesAreTheirShare) {
  TrafficConfig config = window_of(1 << 20, 64);
  const auto writes = [&](unsigned percent) {
    config.writes = percent;
    TrafficTransactions transactions(config);
    int count = 0;
    for (int i = 0; i < 10'000; ++i) count += transactions.next().write;
    return count;
  };
  EXPECT_EQ(writes(0), 0);
  EXPECT_NEAR(writes(30), 3'000, 200);
  EXPECT_EQ(writes(100), 10'000);
}

}  // namespace
}  // namespace vp
