#include "platform/report/run_bound.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vp {
namespace {

using ::testing::HasSubstr;

/// A run of a microsecond with a CPU that executed for so much of it, waited for bus and memory, and slept.
Bounds a_microsecond(Picoseconds executing, Picoseconds bus, Picoseconds memory) {
  Bounds bounds;
  bounds.timed_time = 1'000'000;
  bounds.hosts.push_back({"cpu", 1'000'000, executing, bus, memory, 1'000'000 - executing - bus - memory, 100});
  return bounds;
}

ComputeUse an_array(std::uint64_t multiply, std::uint64_t host_feed) {
  ComputeUse array;
  array.name = "tpu";
  array.clock = 1000;
  array.cycles = multiply + host_feed;
  array.held_up_by = {{"multiply", multiply, false}, {"host_feed", host_feed, true}};
  return array;
}

TEST(RunBound, a_run_without_an_array_is_bounded_by_what_its_cpu_did_most) {
  EXPECT_EQ(bound_figures(a_microsecond(800'000, 100'000, 100'000))->by, "cpu");
  EXPECT_EQ(bound_figures(a_microsecond(300'000, 600'000, 100'000))->by, "bus");
  EXPECT_EQ(bound_figures(a_microsecond(300'000, 100'000, 600'000))->by, "dram");
  EXPECT_EQ(bound_figures(a_microsecond(100'000, 0, 0))->by, "sleep");
}

TEST(RunBound, a_busy_cpu_beside_an_array_that_waits_for_it_is_the_feed) {
  Bounds bounds = a_microsecond(940'000, 40'000, 20'000);
  bounds.computes.push_back(an_array(10, 40));
  const BoundFigures figures = *bound_figures(bounds);
  EXPECT_EQ(figures.by, "host_feed");
  EXPECT_DOUBLE_EQ(figures.share, 94);
  EXPECT_EQ(figures.sentence,
            "cpu executing instructions, 94.0 % of the time; tpu had a program under way 5.0 % and waited for the host "
            "in 80.0 % of that");
}

TEST(RunBound, an_array_at_work_while_the_cpu_sleeps_or_polls_bounds_the_run) {
  Bounds asleep = a_microsecond(100'000, 0, 0);
  asleep.computes.push_back(an_array(850, 50));
  EXPECT_EQ(bound_figures(asleep)->by, "multiply");
  Bounds polling = a_microsecond(700'000, 300'000, 0);
  polling.computes.push_back(an_array(850, 50));
  EXPECT_EQ(bound_figures(polling)->by, "multiply");
  EXPECT_THAT(bound_figures(polling)->sentence, HasSubstr("tpu multiplying, 85.0 % of the time"));
}

TEST(RunBound, a_fabric_can_bound_a_run) {
  Bounds bounds = a_microsecond(100'000, 0, 0);
  bounds.engines.push_back({"drra", 800'000});
  bounds.movers.push_back({"drra", 1e9, 100, 200'000});
  EXPECT_EQ(bound_figures(bounds)->by, "drra");
  EXPECT_THAT(bound_figures(bounds)->sentence, HasSubstr("drra running its programs, 80.0 % of the time"));
}

TEST(RunBound, of_a_fabric_whose_work_is_known_it_is_what_it_did_most) {
  Bounds bounds = a_microsecond(100'000, 0, 0);
  bounds.engines.push_back({"drra", 800'000, {{"compute", "computing", 300'000}, {"wait", "waiting", 500'000}}});
  EXPECT_EQ(bound_figures(bounds)->by, "wait");
  EXPECT_THAT(bound_figures(bounds)->sentence, HasSubstr("drra waiting, 50.0 % of the time"));
}

TEST(RunBound, a_mover_can_bound_a_run) {
  Bounds bounds = a_microsecond(100'000, 0, 0);
  bounds.movers.push_back({"cdma0", 1e9, 1000, 700'000});
  EXPECT_EQ(bound_figures(bounds)->by, "cdma0");
}

TEST(RunBound, a_cpu_beside_devices_that_have_not_worked_feeds_none) {
  Bounds bounds = a_microsecond(900'000, 0, 0);
  bounds.computes.push_back(an_array(0, 0));
  bounds.movers.push_back({"drra", 1e9, 0, 0});
  EXPECT_EQ(bound_figures(bounds)->by, "cpu");
  bounds.movers.front().busy = 1;
  EXPECT_EQ(bound_figures(bounds)->by, "host_feed");
}

TEST(RunBound, without_a_cpu_the_feed_is_a_cause_of_its_own) {
  Bounds bounds;
  bounds.functional_time = 1'000'000;
  bounds.computes.push_back(an_array(300, 700));
  EXPECT_EQ(bound_figures(bounds)->by, "host_feed");
  EXPECT_THAT(bound_figures(bounds)->sentence, HasSubstr("tpu waiting for instructions, 70.0 % of the time"));
}

TEST(RunBound, no_share_is_more_than_all_of_the_time) {
  Bounds bounds = a_microsecond(1000, 999'000, 0);
  bounds.computes.push_back(an_array(1333, 0));  // beyond the end of the run
  const BoundFigures figures = *bound_figures(bounds);
  EXPECT_EQ(figures.by, "multiply");
  EXPECT_DOUBLE_EQ(figures.share, 100);
  EXPECT_EQ(figures.sentence, "tpu multiplying, 100.0 % of the time; tpu had a program under way 100.0 %");
}

TEST(RunBound, of_nothing_there_is_none) {
  EXPECT_FALSE(bound_figures(Bounds{}));
  Bounds bounds;
  bounds.timed_time = 1'000'000;
  EXPECT_FALSE(bound_figures(bounds));
}

}  // namespace
}  // namespace vp
