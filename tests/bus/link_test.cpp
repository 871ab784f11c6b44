#include "models/bus/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

namespace vp {
namespace {

using testing::ElementsAre;
using testing::FieldsAre;
using Span = std::tuple<unsigned, Picoseconds, Picoseconds>;

/// A link of three initiators; 0 has the highest priority.
struct Harness {
  explicit Harness(Arbitration policy, unsigned outstanding = 0)
      : arbiter(make_arbiter(policy, {0, 1, 2})),
        link(*arbiter, 3, outstanding, [this](const Link::Overtaking& what) { moved.push_back(what); }) {
    link.begin(0);
    link.set_observer(
        [this](unsigned initiator, Picoseconds start, Picoseconds end) { spans.emplace_back(initiator, start, end); });
  }
  Picoseconds start(unsigned initiator, Picoseconds arrival, Picoseconds duration, Picoseconds settled = 0) {
    return link.reserve({initiator, arrival}, duration, settled).start;
  }
  std::unique_ptr<Arbiter> arbiter;
  std::vector<Link::Overtaking> moved;
  std::vector<Span> spans;
  Link link;
};

TEST(Link, AnAccessWaitsForTheOneUnderWayAndKnowsForWhom) {
  Harness h(Arbitration::fixed_priority);
  EXPECT_EQ(h.start(2, 100, 50), 100u);
  EXPECT_EQ(h.start(0, 120, 50), 150u) << "what has begun is not interrupted";
  EXPECT_THAT(h.link.waited_for(), ElementsAre(0, 0, 30));
  EXPECT_EQ(h.start(1, 200, 50), 200u);
  EXPECT_THAT(h.link.waited_for(), ElementsAre(0, 0, 0));
  EXPECT_TRUE(h.moved.empty());
}

TEST(Link, IsSharedUntilOneHasBeenAloneForHundredMicroseconds) {
  constexpr Picoseconds kMicrosecond = 1'000'000;
  Harness h(Arbitration::first_come);
  EXPECT_TRUE(h.link.shared({0, 99 * kMicrosecond})) << "others may have come before";
  EXPECT_FALSE(h.link.shared({0, 100 * kMicrosecond}));
  h.start(0, 150 * kMicrosecond, 50);
  EXPECT_FALSE(h.link.shared({0, 160 * kMicrosecond})) << "its own accesses are not another's";
  h.start(1, 120 * kMicrosecond, 50);
  EXPECT_TRUE(h.link.shared({0, 160 * kMicrosecond}));
  EXPECT_TRUE(h.link.shared({1, 249 * kMicrosecond}));
  EXPECT_FALSE(h.link.shared({0, 220 * kMicrosecond}));
}

TEST(Link, OfOneInitiatorIsNeverShared) {
  const auto arbiter = make_arbiter(Arbitration::first_come, {0});
  Link link(*arbiter, 1, 0, [](const Link::Overtaking&) {});
  link.begin(0);
  EXPECT_FALSE(link.shared({0, 0}));
}

TEST(Link, ACallerThatComesLateFindsTheGapsBeforeReservations) {
  Harness h(Arbitration::first_come);
  EXPECT_EQ(h.start(0, 100, 50), 100u);
  EXPECT_EQ(h.start(0, 300, 50), 300u);
  EXPECT_EQ(h.start(1, 110, 50), 150u);
  EXPECT_TRUE(h.moved.empty());
}

TEST(Link, ACallerThatComesLateMovesThoseWhoArrivedAfterIt) {
  Harness h(Arbitration::first_come);
  h.start(0, 100, 50);
  h.start(0, 170, 50);
  h.start(0, 230, 50);
  EXPECT_EQ(h.start(1, 160, 50), 160u);
  ASSERT_EQ(h.moved.size(), 1u) << "0 pays once, and its further accesses come later by that";
  EXPECT_THAT(h.moved[0], FieldsAre(0u, 1u, 40u, true)) << "170 to 210";
  h.link.end(1000);
  EXPECT_THAT(h.spans, ElementsAre(Span{0, 100, 150}, Span{1, 160, 210}, Span{0, 210, 260}, Span{0, 260, 310}));
}

TEST(Link, PriorityGoesBeforeWhoWaits) {
  Harness h(Arbitration::fixed_priority);
  h.start(1, 0, 50);
  EXPECT_EQ(h.start(2, 10, 50), 50u);
  EXPECT_EQ(h.start(0, 20, 50), 50u);
  EXPECT_EQ(h.start(1, 30, 50), 100u) << "behind 0, before 2";
  h.link.end(1000);
  EXPECT_THAT(h.spans, ElementsAre(Span{1, 0, 50}, Span{0, 50, 100}, Span{1, 100, 150}, Span{2, 150, 200}));
}

TEST(Link, AnIdleLinkServesWhoIsThereWhateverThePriority) {
  Harness h(Arbitration::fixed_priority);
  EXPECT_EQ(h.start(0, 30, 50), 30u);
  EXPECT_EQ(h.start(2, 10, 50), 10u);
  ASSERT_EQ(h.moved.size(), 1u);
  EXPECT_EQ(h.moved[0].by, 30u);
}

TEST(Link, RoundRobinGoesOnFromWhoWasServed) {
  Harness h(Arbitration::round_robin);
  h.start(1, 0, 50);
  EXPECT_EQ(h.start(0, 10, 50), 50u);
  EXPECT_EQ(h.start(2, 20, 50), 50u) << "2 comes after 1";
  h.link.end(1000);
  EXPECT_THAT(h.spans, ElementsAre(Span{1, 0, 50}, Span{2, 50, 100}, Span{0, 100, 150}));
}

TEST(Link, InExactOrderTheOutstandingLimitHoldsWhatWasReservedBeforeTheAnswerWasKnown) {
  Harness h(Arbitration::first_come, 1);
  const Link::Grant first = h.link.reserve({0, 0}, 50, 0, false);
  const Link::Grant second = h.link.reserve({0, 10}, 50, 0, false);
  const Link::Grant third = h.link.reserve({1, 20}, 50, 0, false);
  EXPECT_EQ(h.link.hold(first.ticket), 0u);
  h.link.fix(first.ticket);
  h.link.complete(first.ticket, 200);
  EXPECT_EQ(h.link.start_of(second.ticket), 50u);
  EXPECT_EQ(h.link.hold(second.ticket), 150u);
  EXPECT_EQ(h.link.start_of(second.ticket), 200u);
  EXPECT_EQ(h.link.start_of(third.ticket), 250u);
  ASSERT_EQ(h.moved.size(), 1u);
  EXPECT_THAT(h.moved[0], FieldsAre(1u, 0u, 150u, false));
  EXPECT_EQ(h.link.hold(second.ticket), 0u);
  h.link.end(1000);
  EXPECT_TRUE(h.link.times(1000).conserved());
}

TEST(Link, WhatHasBeenSentOnIsNotMoved) {
  Harness h(Arbitration::fixed_priority);
  const Link::Grant grant = h.link.reserve({2, 100}, 50, 100, false);
  h.link.fix(grant.ticket);
  EXPECT_EQ(h.start(0, 100, 50, 100), 150u);
  EXPECT_EQ(h.link.start_of(grant.ticket), 100u);
}

TEST(Link, WhoWaitsForItsTurnIsMovedWithoutBeingTold) {
  Harness h(Arbitration::fixed_priority);
  h.start(1, 0, 50);
  const Link::Grant grant = h.link.reserve({2, 10}, 50, 10, false);
  EXPECT_EQ(h.start(0, 20, 70, 20), 50u);
  EXPECT_EQ(h.link.start_of(grant.ticket), 120u);
  ASSERT_EQ(h.moved.size(), 1u);
  EXPECT_FALSE(h.moved[0].told);
}

TEST(Link, TheOutstandingLimitHoldsAccessesUntilOneIsComplete) {
  Harness h(Arbitration::first_come, 2);
  for (unsigned i = 0; i < 2; ++i) h.link.complete(h.link.reserve({i, 0}, 10, 0).ticket, 500 + 100 * i);
  const Link::Grant third = h.link.reserve({2, 30}, 10, 0);
  EXPECT_EQ(third.start, 500u);
  EXPECT_EQ(third.held, 470u);
  h.link.end(1000);
  const Link::Times times = h.link.times(1000);
  EXPECT_TRUE(times.conserved());
  EXPECT_EQ(times.busy, 30u);
  EXPECT_EQ(times.waiting, 470u);
}

TEST(Link, CountsOnlyWhileItIsTold) {
  Harness h(Arbitration::first_come);
  h.start(0, 0, 10);
  h.link.end(100);
  h.link.begin(1000);
  h.start(0, 1010, 10);
  const Link::Times times = h.link.times(1100);
  EXPECT_EQ(times.total, 200u);
  EXPECT_EQ(times.busy, 20u);
  EXPECT_TRUE(times.conserved());
}

struct Wish {
  unsigned initiator;
  Picoseconds arrival, duration;
};

std::vector<Wish> random_wishes(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Wish> wishes;
  for (unsigned initiator = 0; initiator < 3; ++initiator) {
    Picoseconds now = initiator;  // three apart, so that no two arrive at once
    for (int i = 0; i < 200; ++i) {
      now += 3 * (1 + random() % 100);
      wishes.push_back({initiator, now, 1 + random() % 60});
    }
  }
  return wishes;
}

TEST(Link, MakesTheSameScheduleInWhateverOrderTheCallersCome) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::vector<Wish> wishes = random_wishes(seed);
    Harness apart(Arbitration::first_come), in_order(Arbitration::first_come);
    for (const Wish& wish : wishes) apart.start(wish.initiator, wish.arrival, wish.duration);
    std::sort(wishes.begin(), wishes.end(), [](const Wish& a, const Wish& b) { return a.arrival < b.arrival; });
    for (const Wish& wish : wishes) in_order.start(wish.initiator, wish.arrival, wish.duration, wish.arrival);
    apart.link.end(0);
    in_order.link.end(0);
    EXPECT_EQ(apart.spans, in_order.spans) << seed;
    EXPECT_TRUE(in_order.moved.empty());
  }
}

TEST(Link, NeverHoldsTwoNorLosesTime) {
  for (const Arbitration policy : {Arbitration::first_come, Arbitration::fixed_priority, Arbitration::round_robin})
    for (const unsigned outstanding : {0u, 1u, 3u})
      for (unsigned seed = 0; seed < 5; ++seed) {
        Harness h(policy, outstanding);
        std::vector<Wish> wishes = random_wishes(seed);
        std::shuffle(wishes.begin(), wishes.end(), std::mt19937(seed));
        for (const Wish& wish : wishes) {
          const Link::Grant grant = h.link.reserve({wish.initiator, wish.arrival}, wish.duration, 0);
          ASSERT_GE(grant.start, wish.arrival);
          h.link.complete(grant.ticket, grant.start + wish.duration + 40);
        }
        EXPECT_TRUE(h.link.times(5'000).conserved());
        h.link.end(5'000);  // throws if two overlap
        EXPECT_TRUE(h.link.times(5'000).conserved());
      }
}

}  // namespace
}  // namespace vp
