#include "models/traffic/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace vp {
namespace {

using testing::ElementsAre;

constexpr Picoseconds kCycle = 10;

/// The times of issue if each transaction is answered after `latency`.
std::vector<Picoseconds> times(const TrafficConfig& config, int count, Picoseconds latency) {
  TrafficSchedule schedule(config, kCycle);
  std::vector<Picoseconds> list;
  for (int i = 0; i < count; ++i) {
    const Picoseconds at = schedule.next();
    schedule.answered(schedule.issue(at), at + latency);
    list.push_back(at);
  }
  return list;
}

TrafficConfig window(unsigned outstanding) {
  TrafficConfig config;
  config.outstanding = outstanding;
  return config;
}

TEST(TrafficSchedule, WithoutARateTheOldestAnswerLetsTheNextOneGo) {
  EXPECT_THAT(times(window(1), 4, 100), ElementsAre(0, 100, 200, 300));
  EXPECT_THAT(times(window(3), 7, 100), ElementsAre(0, 10, 20, 100, 110, 120, 200));
}

TEST(TrafficSchedule, AtMostOneABusCycle) { EXPECT_THAT(times(window(1), 3, 0), ElementsAre(0, 10, 20)); }

TEST(TrafficSchedule, BeginsAtItsBegin) {
  TrafficConfig config = window(2);
  config.begin = 5'000;
  EXPECT_THAT(times(config, 3, 100), ElementsAre(5'000, 5'010, 5'100));
}

TEST(TrafficSchedule, ARateIsKeptExactlyInTheLongRun) {
  TrafficConfig config = window(1);
  config.rate = 3'000'000'000;  // 64 bytes take 21,333 1/3 ps
  EXPECT_THAT(times(config, 5, 100), ElementsAre(0, 21'333, 42'666, 64'000, 85'333));
  EXPECT_EQ(times(config, 30'001, 100).back(), 640'000'000u);
}

TEST(TrafficSchedule, WhatWasHeldUpIsMadeGoodFor) {
  TrafficConfig config = window(1);
  config.rate = 64'000'000'000;  // a transaction every 1000 ps
  TrafficSchedule schedule(config, kCycle);
  schedule.answered(schedule.issue(0), 3'500);
  std::vector<Picoseconds> list;
  for (int i = 0; i < 5; ++i) {
    list.push_back(schedule.next());
    schedule.answered(schedule.issue(list.back()), list.back() + 100);
  }
  EXPECT_THAT(list, ElementsAre(3'500, 3'600, 3'700, 4'000, 5'000));
}

TEST(TrafficSchedule, AnAnswerThatIsNotKnownYetIsWaitedFor) {
  TrafficSchedule schedule(window(2), kCycle);
  const std::size_t first = schedule.issue(0), second = schedule.issue(10);
  EXPECT_EQ(schedule.next(), kNever);
  schedule.answered(second, 50);
  EXPECT_EQ(schedule.next(), kNever) << "the older one holds it";
  schedule.answered(first, 80);
  EXPECT_EQ(schedule.next(), 80u);
}

}  // namespace
}  // namespace vp
