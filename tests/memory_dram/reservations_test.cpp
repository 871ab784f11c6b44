#include "models/memory/dram/reservations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "models/memory/dram/presets.h"

namespace vp::dram {
namespace {

Cycle reserve(ColumnReservations& columns, Cycle earliest, unsigned group, bool write) {
  const Cycle at = columns.find(earliest, group, write);
  columns.add(at, group, write, earliest);
  return at;
}

Cycle reserve(ActivateReservations& activates, Cycle earliest, unsigned group) {
  const Cycle at = activates.find(earliest, group);
  activates.add(at, group);
  return at;
}

TEST(ColumnReservations, FillAGapThatIsLongEnough) {
  const ChannelConfig config = preset("ddr4-2400");
  const Gaps gaps(config);
  ColumnReservations columns(config, gaps);
  EXPECT_EQ(reserve(columns, 100, 0, false), 100u);
  EXPECT_EQ(reserve(columns, 200, 0, false), 200u);
  EXPECT_EQ(reserve(columns, 98, 1, false), 104u);  // 98 is too near to 100
  EXPECT_EQ(reserve(columns, 150, 0, true), 150u);  // read - write - read has room
  EXPECT_EQ(reserve(columns, 190, 0, true), 210u);  // a write cannot be 10 before a read: behind it, turnaround of 10
}

TEST(ColumnReservations, KnowTheLastOneOfEarlierArrivals) {
  const ChannelConfig config = preset("ddr4-2400");
  const Gaps gaps(config);
  ColumnReservations columns(config, gaps);
  columns.add(100, 0, false, 60);
  columns.add(200, 0, false, 160);
  EXPECT_EQ(columns.latest(59), 0u);
  EXPECT_EQ(columns.latest(159), 100u);
  EXPECT_EQ(columns.latest(160), 200u);
}

struct Column {
  Cycle at;
  unsigned group;
  bool write;
};

// Independent check: every pair of commands keeps its distance, whatever the order of the calls.
TEST(ColumnReservations, NeverBreakADistanceWhateverTheOrderOfCalls) {
  ChannelConfig config = preset("ddr4-2400");
  config.size_mib *= 2;  // two ranks, eight groups
  const Gaps gaps(config);
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    ColumnReservations columns(config, gaps);
    std::vector<Column> all;
    for (int i = 0; i < 300; ++i) {
      const unsigned group = random() % 8;
      const bool write = random() % 3 == 0;
      const Cycle earliest = 1000 + i * 5 - random() % 900 * (random() % 4 == 0);
      const Cycle at = reserve(columns, earliest, group, write);
      EXPECT_GE(at, earliest);
      all.push_back({at, group, write});
    }
    std::sort(all.begin(), all.end(), [](const Column& a, const Column& b) { return a.at < b.at; });
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = i + 1; j < all.size() && all[j].at < all[i].at + gaps.longest_column; ++j) {
        const unsigned relation = all[i].group == all[j].group ? 0 : all[i].group / 4 == all[j].group / 4 ? 1 : 2;
        ASSERT_GE(all[j].at - all[i].at, gaps.column[all[i].write][all[j].write][relation]);
      }
  }
}

TEST(ActivateReservations, KeepTheFourActivateWindowWhateverTheOrderOfCalls) {
  const Timing timing = preset("ddr4-2400").timing;
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    ActivateReservations activates(timing);
    std::vector<std::pair<Cycle, unsigned>> all;
    for (int i = 0; i < 200; ++i) {
      const unsigned group = random() % 4;
      const Cycle earliest = 1000 + i * 6 - random() % 700 * (random() % 4 == 0);
      all.emplace_back(reserve(activates, earliest, group), group);
      EXPECT_GE(all.back().first, earliest);
    }
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      for (std::size_t j = i + 1; j < std::min(i + 5, all.size()); ++j)
        ASSERT_GE(all[j].first - all[i].first, all[i].second == all[j].second ? timing.rrd_l : timing.rrd_s);
      if (i + 4 < all.size()) {
        ASSERT_GE(all[i + 4].first - all[i].first, timing.faw);
      }
    }
  }
}

TEST(RecentSchedule, ForgetsItsOldestEntries) {
  struct Entry {
    Cycle at;
  };
  RecentSchedule<Entry> schedule(4);
  for (Cycle at : {10, 20, 30, 40}) schedule.append({at});
  schedule.insert(schedule.after(25), {25});
  std::vector<Cycle> kept;
  for (std::size_t i = schedule.begin(); i < schedule.end(); ++i) kept.push_back(schedule[i].at);
  EXPECT_EQ(kept, (std::vector<Cycle>{20, 25, 30, 40}));
  schedule.insert(schedule.after(5), {5});  // older than all: not kept
  EXPECT_EQ(schedule[schedule.begin()].at, 20u);
  EXPECT_EQ(schedule.back().at, 40u);
}

}  // namespace
}  // namespace vp::dram
