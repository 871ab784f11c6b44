#include "models/bus/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

#include "models/bus/reservations.h"

namespace vp {
namespace {

using testing::ElementsAre;
using Span = std::tuple<unsigned, Picoseconds, Picoseconds>;

/// A link of three initiators; 0 has the highest priority.
struct Harness {
  explicit Harness(Arbitration policy, unsigned outstanding = 0)
      : arbiter(make_arbiter(policy, {0, 1, 2})), link(*arbiter, 3, outstanding) {
    link.begin(0);
    link.set_observer(
        [this](unsigned initiator, Picoseconds start, Picoseconds end) { spans.emplace_back(initiator, start, end); });
  }
  Picoseconds take(unsigned initiator, Picoseconds arrival, Picoseconds duration) {
    return link.take({initiator, arrival}, duration, 0).start;
  }
  /// Remembers how it got its turn.
  struct Turn : LinkTurn {
    void granted(const LinkGrant& what) override { grant = what; }
    LinkGrant grant;
  };
  Turn& enter(unsigned initiator, Picoseconds arrival, Picoseconds duration) {
    Turn& turn = turns.emplace_back();
    link.enter({initiator, arrival}, duration, turn);
    return turn;
  }
  /// Serves all who wait. `latency`: from a turn to its completion.
  void serve_all(Picoseconds latency = 0) {
    while (!link.empty()) {
      ASSERT_NE(link.next_turn(), kNever);
      link.serve(0);
      for (const Turn& turn : turns) link.complete(turn.grant.ticket, turn.grant.start + latency);
    }
  }
  std::unique_ptr<Arbiter> arbiter;
  std::vector<Span> spans;
  std::deque<Turn> turns;
  Link link;
};

TEST(Link, one_that_takes_its_turn_waits_for_the_one_under_way_and_knows_for_whom) {
  Harness h(Arbitration::fixed_priority);
  EXPECT_EQ(h.take(2, 100, 50), 100u);
  EXPECT_EQ(h.take(0, 120, 50), 150u);
  EXPECT_THAT(h.link.waiting(0).behind, ElementsAre(0, 0, 30));
  EXPECT_EQ(h.take(1, 250, 50), 250u);
  EXPECT_THAT(h.link.waiting(1).behind, ElementsAre(0, 0, 0));
}

TEST(Link, first_come_serves_by_arrival_and_of_equals_the_lower_number) {
  Harness h(Arbitration::first_come);
  h.enter(2, 10, 20);
  h.enter(1, 30, 20);
  h.enter(0, 30, 20);
  h.enter(2, 25, 20);
  h.serve_all();
  EXPECT_THAT(h.spans, ElementsAre(Span{2, 10, 30}, Span{2, 30, 50}, Span{0, 50, 70}, Span{1, 70, 90}));
  EXPECT_THAT(h.link.waiting(1).behind, ElementsAre(20, 0, 20));
}

TEST(Link, fixed_priority_serves_the_highest_that_is_there) {
  Harness h(Arbitration::fixed_priority);
  h.enter(2, 10, 20);
  h.enter(1, 15, 20);
  h.enter(0, 30, 20);
  h.enter(2, 12, 20);
  h.serve_all();
  EXPECT_THAT(h.spans, ElementsAre(Span{2, 10, 30}, Span{0, 30, 50}, Span{1, 50, 70}, Span{2, 70, 90}));
}

TEST(Link, round_robin_serves_in_a_circle) {
  Harness h(Arbitration::round_robin);
  for (const unsigned initiator : {0, 0, 2, 2, 1}) h.enter(initiator, 10, 10);
  h.serve_all();
  EXPECT_THAT(h.spans,
              ElementsAre(Span{0, 10, 20}, Span{1, 20, 30}, Span{2, 30, 40}, Span{0, 40, 50}, Span{2, 50, 60}));
}

TEST(Link, accesses_of_one_initiator_keep_the_order_of_their_arrival_not_of_the_calls) {
  Harness h(Arbitration::first_come);
  h.enter(0, 100, 10);
  h.enter(0, 50, 10);
  h.serve_all();
  EXPECT_THAT(h.spans, ElementsAre(Span{0, 50, 60}, Span{0, 100, 110}));
}

TEST(Link, the_outstanding_limit_holds_an_access_until_one_before_has_completed) {
  Harness h(Arbitration::first_come, 2);
  for (int i = 0; i < 3; ++i) h.enter(0, 0, 10);
  h.link.serve(0);
  h.link.serve(0);
  EXPECT_EQ(h.link.next_turn(), kNever) << "nobody knows when";
  h.link.complete(h.turns[0].grant.ticket, 70);
  EXPECT_EQ(h.link.next_turn(), 70u);
  h.link.complete(h.turns[1].grant.ticket, 60);
  EXPECT_EQ(h.link.next_turn(), 60u);
  h.link.serve(0);
  EXPECT_EQ(h.turns[2].grant.held, 40u);
  EXPECT_EQ(h.link.waiting(0).held, 40u);
  h.link.end(100);
  EXPECT_EQ(h.link.times(100).waiting, 40u);
  EXPECT_TRUE(h.link.times(100).conserved());
}

TEST(Link, when_the_limit_lets_an_access_start_is_certain_only_when_no_completion_can_come_before) {
  Harness h(Arbitration::first_come, 2);
  for (int i = 0; i < 3; ++i) h.enter(0, 0, 10);
  EXPECT_TRUE(h.link.is_certain(0, 0));
  h.link.serve(0);
  h.link.serve(0);
  h.link.complete(h.turns[0].grant.ticket, 70);
  EXPECT_EQ(h.link.next_turn(), 70u);
  EXPECT_FALSE(h.link.is_certain(0, 69)) << "the second may complete at 69";
  EXPECT_TRUE(h.link.is_certain(0, 70));
  EXPECT_TRUE(h.link.is_certain(75, 20)) << "the first is over by then";
  h.link.complete(h.turns[1].grant.ticket, 60);
  EXPECT_TRUE(h.link.is_certain(0, 20));
  EXPECT_EQ(h.link.next_turn(), 60u);
}

TEST(Link, one_who_arrives_before_another_that_ran_ahead_is_shifted_to_it) {
  Harness h(Arbitration::first_come);
  EXPECT_EQ(h.take(0, 500, 10), 500u);
  const LinkGrant late = h.link.take({1, 100}, 10, 0);
  EXPECT_EQ(late.start, 510u);
  EXPECT_EQ(late.late, 400u);
  Harness::Turn& waits = h.enter(2, 450, 10);
  h.serve_all();
  EXPECT_EQ(waits.grant.start, 520u);
  EXPECT_EQ(waits.grant.late, 50u);
  EXPECT_EQ(h.link.late_arrivals().number, 2u);
  EXPECT_EQ(h.link.late_arrivals().worst, 400u);
  EXPECT_EQ(h.link.late_arrivals().sum, 450u);
  EXPECT_EQ(h.take(0, 505, 10), 530u) << "it waits, but is not late";
  EXPECT_EQ(h.link.late_arrivals().number, 2u);
}

TEST(Link, whoever_waits_when_timed_mode_ends_goes_on_at_once) {
  Harness h(Arbitration::first_come);
  h.take(0, 0, 100);
  Harness::Turn &early = h.enter(1, 20, 10), &late = h.enter(1, 300, 10);
  h.link.release(50);
  EXPECT_EQ(early.grant.start, 50u);
  EXPECT_EQ(late.grant.start, 300u);
  EXPECT_TRUE(h.link.empty());
}

/// Whoever knows that nobody comes before it may take its turn; the schedule is the same as if it had waited.
TEST(Link, taking_turns_in_order_and_waiting_for_them_give_the_same) {
  std::mt19937 random(1);
  for (const unsigned outstanding : {0u, 1u, 3u}) {
    Harness taking(Arbitration::first_come, outstanding), waiting(Arbitration::first_come, outstanding);
    Picoseconds arrival = 0;
    std::vector<LinkGrant> grants;
    for (int i = 0; i < 500; ++i) {
      arrival += 1 + random() % 30;
      const unsigned initiator = random() % 3;
      const Picoseconds duration = 1 + random() % 25;
      grants.push_back(taking.link.take({initiator, arrival}, duration, 0));
      taking.link.complete(grants.back().ticket, grants.back().start + 40);
      waiting.enter(initiator, arrival, duration);
    }
    waiting.serve_all(40);
    EXPECT_EQ(taking.spans, waiting.spans);
    for (unsigned initiator = 0; initiator < 3; ++initiator) {
      EXPECT_EQ(taking.link.waiting(initiator).behind, waiting.link.waiting(initiator).behind);
      EXPECT_EQ(taking.link.waiting(initiator).held, waiting.link.waiting(initiator).held);
    }
    for (Harness* const h : {&taking, &waiting}) {
      h->link.end(arrival);
      EXPECT_TRUE(h->link.times(arrival).conserved());
    }
  }
}

TEST(Reservations, end_with_a_write_of_another_to_the_block_whatever_it_writes) {
  Reservations reservations(2);
  reservations.reserve(0, 0x1008, 4);
  reservations.written(0, 0x1008, 4);
  reservations.written(1, 0x1040, 8);
  EXPECT_TRUE(reservations.others(1, 0x1000, 0x1003));
  EXPECT_TRUE(reservations.claim(0, 0x1008, 4)) << "its own write, and one to another block";
  EXPECT_FALSE(reservations.claim(0, 0x1008, 4)) << "a claim ends it";
  reservations.reserve(0, 0x1008, 4);
  reservations.written(1, 0x103C, 16);
  EXPECT_FALSE(reservations.claim(0, 0x1008, 4));
  reservations.reserve(0, 0x1008, 4);
  EXPECT_FALSE(reservations.claim(0, 0x1008, 8)) << "other bytes";
}

}  // namespace
}  // namespace vp
