#include "models/memory/dram/backlog.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "models/memory/dram/presets.h"

namespace vp::dram {
namespace {

TEST(Lane, GivesWorkFreeCyclesInPieces) {
  Lane lane(1024);
  lane.take(100, 4);  // 100 to 103
  EXPECT_EQ(lane.fit(90, 4), 90u);
  EXPECT_EQ(lane.fit(98, 4), 102u);  // 98, 99, 104, 105: ends as if it began at 102
  lane.take(98, 4);
  EXPECT_EQ(lane.first_free(98), 106u);
}

TEST(Lane, BlocksCyclesAcrossWords) {
  Lane lane(1024);
  lane.block(60, 80);
  EXPECT_EQ(lane.first_free(60), 140u);
  EXPECT_EQ(lane.first_free(59), 59u);
  lane.block(100, 40);  // again: nothing new
  EXPECT_EQ(lane.first_free(60), 140u);
}

TEST(Lane, TakesEveryCycleOnce) {
  Lane lane(4096);
  std::set<Cycle> free;
  for (Cycle cycle = 0; cycle < 4096; ++cycle) free.insert(cycle);
  std::mt19937 random(1);
  for (int i = 0; i < 400; ++i) {
    const Cycle from = random() % 1500;
    const unsigned amount = 1 + random() % 6;
    auto next = free.lower_bound(from);
    for (unsigned left = amount; left > 1; --left) ++next;
    ASSERT_EQ(lane.fit(from, amount), *next + 1 - amount);
    lane.take(from, amount);
    free.erase(free.lower_bound(from), ++next);
    ASSERT_EQ(lane.first_free(from), *free.lower_bound(from));
  }
}

TEST(Lane, CountsCyclesFurtherBackThanItKeepsAsTaken) {
  Lane lane(256);
  lane.take(10, 4);
  lane.take(100'000, 4);
  const Cycle oldest = (100'000 / 64 + 1) * 64 - 256;
  EXPECT_EQ(lane.first_free(0), oldest);
  EXPECT_EQ(lane.first_free(100'000), 100'004u);
  lane.take(0, 4);  // at the oldest
  EXPECT_EQ(lane.first_free(0), oldest + 4);
  lane.clear();
  EXPECT_EQ(lane.first_free(0), 0u);
}

/// A backlog of DDR4 at cycle 95 with one read on group 0 at cycle 100 and one at 106.
class BacklogTest : public testing::Test {
 protected:
  BacklogTest() {
    ColumnReservations reserved(config_, gaps_);
    for (const Cycle command : {90, 100, 106}) reserved.add(command, 0, false, 80);
    backlog_.advance(95, reserved);
  }
  /// A burst that arrives at 95 and could go at once.
  Cycle add(unsigned group, bool write, Cycle visible = 100) {
    const Backlog::Waiting burst{100, visible, group, write};
    const Cycle at = backlog_.find_column(burst);
    backlog_.add_column(burst, at);
    return at;
  }

  const ChannelConfig config_ = preset("ddr4-2400");
  const Gaps gaps_{config_};
  Backlog backlog_{config_, gaps_};
};

TEST_F(BacklogTest, SpacesAGroupByItsOwnGapAndOthersByTheBus) {
  EXPECT_EQ(add(0, false), 112u);  // tCCD_L
  EXPECT_EQ(add(1, false), 108u);  // the bus was free from 104 to 105 and from 110 to 111
  const Cycle last = add(2, false);
  EXPECT_EQ(last, 116u);  // from now on the bus is full
  EXPECT_EQ(add(3, false), last + 4);
}

TEST_F(BacklogTest, CollectsReadsAndWritesInPhases) {
  const Cycle write = add(1, true);
  EXPECT_GE(write, 106 + gaps_.column[0][1][1]);
  EXPECT_LE(add(2, true), write + 4);  // joins the writes
  // Joins the reads, and as the writes are answered it gets the cycles behind them, with no turnaround.
  const Cycle read = add(3, false);
  EXPECT_LT(read, write + gaps_.column[1][0][1]);
  // The bank's queue lets it in when the reads are over: new reads behind the writes.
  EXPECT_GE(add(0, false, write + 20), write + gaps_.column[1][0][1]);
}

TEST_F(BacklogTest, PutsOffThePhasesBehindOneThatGrows) {
  const Backlog::Waiting write{100, 100, 1, true}, read{100, 100, 2, false};
  const Backlog::Place place = backlog_.add_column(write, backlog_.find_column(write));
  EXPECT_EQ(backlog_.put_off_since(place), 0u);
  backlog_.add_column(read, backlog_.find_column(read));
  EXPECT_EQ(backlog_.put_off_since(place), 4u);  // by a burst of another bank group
  backlog_.add_column(read, backlog_.find_column(read));
  EXPECT_EQ(backlog_.put_off_since(place), 4u + 6u);  // and one of the same
  const Backlog::Place later = backlog_.add_column(write, backlog_.find_column(write));
  EXPECT_EQ(backlog_.put_off_since(later), 0u);
  EXPECT_EQ(backlog_.put_off_since({}), 0u);
}

TEST_F(BacklogTest, NeverGivesMoreThanTheBusCanMove) {
  std::mt19937 random(7);
  Cycle latest = 0;
  const unsigned bursts = 2000;
  for (unsigned i = 0; i < bursts; ++i) latest = std::max(latest, add(random() % 4, random() % 4 == 0, 100 + 3 * i));
  // But for the time that a burst takes from those before it.
  EXPECT_GE(latest, 100 + 4 * (bursts - 2));
}

TEST_F(BacklogTest, SpreadsActivatesOverTheirWindow) {
  for (unsigned i = 0; i < 100; ++i) backlog_.add_activate(backlog_.find_activate(100, 0), 0);
  const Cycle next = backlog_.find_activate(100, 0);
  EXPECT_NEAR(double(next), 100 + 100 / 4. * config_.timing.faw, config_.timing.faw);
}

TEST(BankRuns, LetARequestJoinARowNotClosedYet) {
  BankRuns runs(4);
  runs.open(7);
  runs.add(100);
  runs.close(120);
  runs.open(8);
  runs.add(150);
  EXPECT_TRUE(runs.can_join(7, 110));
  EXPECT_TRUE(runs.can_join(7, 120));
  EXPECT_FALSE(runs.can_join(7, 121));
  EXPECT_FALSE(runs.can_join(9, 110));
  runs.join(7, 110, 160, 6);
  EXPECT_TRUE(runs.can_join(7, 126));  // closed then
  EXPECT_FALSE(runs.can_join(7, 127));
}

TEST(BankRuns, ReachBackAsFarAsTheQueue) {
  BankRuns runs(4);
  runs.open(7);
  runs.add(100);
  runs.close(1000);
  runs.open(8);
  for (Cycle column : {150, 156, 162}) runs.add(column);
  EXPECT_TRUE(runs.can_join(7, 110));
  EXPECT_EQ(runs.room(), 100u);
  runs.add(168);
  EXPECT_FALSE(runs.can_join(7, 110));
  EXPECT_EQ(runs.room(), 150u);
  runs.clear();
  EXPECT_EQ(runs.room(), 0u);
}

}  // namespace
}  // namespace vp::dram
