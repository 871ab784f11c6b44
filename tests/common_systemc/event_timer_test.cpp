#include "models/common/event_timer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "models/common/archive.h"
#include "models/common/tlm_time.h"
#include "tests/support/thread_module.h"

namespace vp {
namespace {

using testing::ElementsAre;
using testing::Pair;

struct TimerTest : testing::Test {
  Horizon horizon;
  std::vector<std::pair<Picoseconds, Picoseconds>> calls;  // (kernel time, due)
  EventTimer timer{"timer", horizon, [this](Picoseconds due) { calls.emplace_back(kernel_time(), due); }};
};

TEST_F(TimerTest, DeliversAtItsTimeAndHoldsTheHorizonUntilThen) {
  simulate([&] {
    timer.set(700);
    EXPECT_EQ(horizon.earliest(), 700u);
    synchronize(horizon, 699);
    EXPECT_TRUE(calls.empty());
    synchronize(horizon, 700);
    EXPECT_THAT(calls, ElementsAre(Pair(700, 700)));
    EXPECT_EQ(horizon.earliest(), kNever);
  });
}

TEST_F(TimerTest, MovesToAnEarlierAndToALaterTime) {
  simulate([&] {
    timer.set(700);
    timer.set(900);
    synchronize(horizon, 800);
    EXPECT_TRUE(calls.empty());
    timer.set(850);
    synchronize(horizon, 1000);
    EXPECT_THAT(calls, ElementsAre(Pair(850, 850)));
  });
}

/// Two of one instant, of which the first to be delivered moves the other.
TEST(EventTimers, an_event_that_is_moved_in_its_own_instant_comes_at_its_new_time) {
  Horizon horizon;
  std::vector<Picoseconds> calls;
  EventTimer* timers[2] = {};
  const auto deliver = [&](int other) {
    calls.push_back(kernel_time());
    if (kernel_time() == 700) timers[other]->set(900);
  };
  EventTimer first("first", horizon, [&](Picoseconds) { deliver(1); });
  EventTimer second("second", horizon, [&](Picoseconds) { deliver(0); });
  timers[0] = &first;
  timers[1] = &second;
  simulate([&] {
    first.set(700);
    second.set(700);
    synchronize(horizon, 1000);
    EXPECT_THAT(calls, ElementsAre(700, 900));
  });
}

TEST_F(TimerTest, CanBeWithdrawn) {
  simulate([&] {
    timer.set(700);
    timer.set(kNever);
    EXPECT_EQ(horizon.earliest(), kNever);
    synchronize(horizon, 2000);
    EXPECT_TRUE(calls.empty());
  });
}

TEST_F(TimerTest, DeliversAPastTimeAtOnceAndCountsIt) {
  simulate([&] {
    synchronize(horizon, 1000);
    timer.set(600);
    synchronize(horizon, 1000);
    EXPECT_THAT(calls, ElementsAre(Pair(1000, 600)));
    EXPECT_EQ(timer.late_events(), 1u);
    EXPECT_EQ(timer.latest(), 400u);
  });
}

TEST(EventTimerChain, EventsSetWhileDeliveringAtTheSameInstantArriveBeforeSynchronizeReturns) {
  Horizon horizon;
  int left = 5;
  std::unique_ptr<EventTimer> timer;
  timer = std::make_unique<EventTimer>("timer", horizon, [&](Picoseconds due) {
    if (--left > 0) timer->set(due);
  });
  simulate([&] {
    timer->set(50);
    synchronize(horizon, 60);
    EXPECT_EQ(left, 0);
    EXPECT_EQ(kernel_time(), 60u);
  });
}

TEST(Synchronize, ReportsAnEventThatIsNeverDelivered) {
  Horizon horizon;
  Horizon::Slot stuck(horizon);
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  simulate([&] {
    stuck.set(10);
    EXPECT_THROW(synchronize(horizon, 20), sc_core::sc_report);
  });
}

struct TimedLineTest : testing::Test {
  TimedLineTest() {
    line.bind([this](bool level) { edges.emplace_back(kernel_time(), level); });
  }
  Horizon horizon;
  TimedInterruptLine line{"line", horizon};
  std::vector<std::pair<Picoseconds, bool>> edges;
};

TEST_F(TimedLineTest, DeliversQueuedEdgesAtTheirTimes) {
  simulate([&] {
    line.push(300, true);
    line.push(310, false);
    line.push(500, true);
    synchronize(horizon, 1000);
    EXPECT_THAT(edges, ElementsAre(Pair(300, true), Pair(310, false), Pair(500, true)));
  });
}

TEST_F(TimedLineTest, KeepsTimeOrderAndTheOrderOfEqualTimes) {
  simulate([&] {
    line.push(500, true);
    line.push(300, true);
    line.push(300, false);
    synchronize(horizon, 1000);
    EXPECT_THAT(edges, ElementsAre(Pair(300, true), Pair(300, false), Pair(500, true)));
  });
}

TEST_F(TimedLineTest, ResetDropsTheQueueAndTheLevel) {
  simulate([&] {
    line.push(100, true);
    line.push(500, false);
    synchronize(horizon, 200);
    line.reset();
    synchronize(horizon, 1000);
    EXPECT_THAT(edges, ElementsAre(Pair(100, true), Pair(200, false)));
  });
}

TEST(InterruptLineTest, CallsForChangesOnlyAndTellsAHighLevelOnBinding) {
  InterruptLine line;
  line.set(true);
  std::vector<bool> seen;
  line.bind([&](bool level) { seen.push_back(level); });
  line.set(true);
  line.set(false);
  line.set(false);
  EXPECT_THAT(seen, ElementsAre(true, false));
}

TEST_F(TimerTest, a_loaded_timer_is_due_when_the_saved_one_is) {
  Horizon other_horizon;
  std::vector<std::pair<Picoseconds, Picoseconds>> other_calls;
  EventTimer other{"other", other_horizon, [&](Picoseconds due) { other_calls.emplace_back(kernel_time(), due); }};
  simulate([&] {
    timer.set(700);
    other.set(600);  // forgotten
    synchronize(horizon, 500);
    load_state(other, save_state(timer));
    EXPECT_EQ(other_horizon.earliest(), 700u);
    synchronize(horizon, 1000);
    EXPECT_THAT(other_calls, ElementsAre(Pair(700, 700)));
    timer.set(300);
    load_state(other, save_state(timer));
    EXPECT_EQ(other.late_events(), 1u) << "that of the saved one, and no other";
    synchronize(horizon, 1001);
    EXPECT_THAT(other_calls, ElementsAre(Pair(700, 700), Pair(1000, 300)));
  });
}

TEST_F(TimerTest, a_loaded_line_delivers_the_edges_to_come) {
  TimedInterruptLine line{"line", horizon}, other{"other_line", horizon};
  std::vector<std::pair<Picoseconds, bool>> edges;
  other.bind([&](bool level) { edges.emplace_back(kernel_time(), level); });
  simulate([&] {
    line.push(100, true);
    line.push(300, false);
    line.push(400, true);
    synchronize(horizon, 200);
    load_state(other, save_state(line));
    EXPECT_TRUE(other.level());
    EXPECT_TRUE(edges.empty()) << "its other end has its own state";
    synchronize(horizon, 1000);
    EXPECT_THAT(edges, ElementsAre(Pair(300, false), Pair(400, true)));
  });
}

}  // namespace
}  // namespace vp
