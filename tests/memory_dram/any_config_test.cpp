// The channel in configurations drawn at random from all that are possible, not only those of real devices.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "models/common/error.h"
#include "models/memory/dram/dram_controller.h"
#include "models/memory/dram/queued_channel.h"
#include "models/memory/dram/replay.h"
#include "tests/memory_dram/reference_controller.h"
#include "tests/support/dice.h"

namespace vp::dram {
namespace {

Timing random_timing(Dice& dice) {
  const unsigned scale = dice.one_in(4) ? dice.from_to(1, 1000) : 1;
  const auto cycles = [&](unsigned low, unsigned high) { return dice.from_to(low, high) * scale; };
  Timing t;
  t.cl = cycles(1, 40), t.cwl = cycles(1, 40), t.rcd = cycles(1, 40), t.rp = cycles(1, 40);
  t.al = dice.one_in(4) ? dice.from_to(0, t.rcd) : 0;
  t.ras = t.rcd + cycles(0, 60);
  t.rrd_s = cycles(1, 10), t.rrd_l = t.rrd_s + cycles(0, 6), t.faw = cycles(0, 60);
  t.ccd_s = cycles(1, 8), t.ccd_l = t.ccd_s + cycles(0, 5);
  t.wtr_s = cycles(0, 8), t.wtr_l = t.wtr_s + cycles(0, 12), t.wr = cycles(0, 40);
  t.rtp = cycles(0, 20), t.rtrs = cycles(0, 4), t.ppd = dice.one_in(3) ? cycles(0, 6) : 0;
  t.rfc = cycles(1, 900);
  return t;
}

/// May be an impossible one.
ChannelConfig random_config(Dice& dice) {
  ChannelConfig config;
  config.clock_period = dice.from_to(250, 2500);
  config.bus_width = dice.power_of_two(8, 7);
  config.timing = random_timing(dice);
  Structure& s = config.structure;
  s.bank_groups = dice.power_of_two(1, 3), s.banks_per_group = dice.power_of_two(1, 3);
  s.rows = dice.power_of_two(1024, 6), s.columns = dice.power_of_two(256, 3);
  s.burst_length = dice.power_of_two(2, 5);
  Controller& c = config.controller;
  c.page = dice.one_in(4) ? PagePolicy::closed : PagePolicy::open;
  c.refresh = dice.one_in(2) ? RefreshPolicy::staggered : RefreshPolicy::all_ranks;
  c.scheduling = dice.one_in(4) ? SchedulingPolicy::in_order : SchedulingPolicy::first_ready;
  c.front_end = dice.from_to(0, 3);
  c.transaction_queue = dice.power_of_two(1, 8);
  c.bank_queue = dice.from_to(1, 64);
  const unsigned ranks = dice.power_of_two(1, 2);
  config.size_mib = std::max<std::uint64_t>(config.rank_mib(), 1) * ranks;
  const Timing& t = config.timing;
  const unsigned row_cycle = std::max(t.ras, t.rcd + t.cl + t.cwl + t.wtr_l + t.wr + s.burst_length) + t.rp + t.faw;
  config.timing.refi = std::min((t.rfc + row_cycle) * ranks + dice.from_to(0, 8000), 1u << 20);
  std::vector<std::string> fields = {"ro", "ch", "ra", "ba", "bg", "co"};
  std::shuffle(fields.begin(), fields.end(), dice.source());
  config.address_mapping.clear();
  for (const std::string& field : fields) config.address_mapping += field;
  return config;
}

ChannelConfig random_possible_config(Dice& dice) {
  for (;;) {
    const ChannelConfig config = random_config(dice);
    try {
      config.validate();
      return config;
    } catch (const UserError&) {
    }
  }
}

std::vector<TraceRequest> random_trace(Dice& dice, const ChannelConfig& config) {
  const std::uint64_t bursts = (config.size_mib << 20) / config.burst_bytes();
  const unsigned run = dice.from_to(1, 6), writes = dice.from_to(0, 2);
  std::vector<TraceRequest> trace(400);
  std::uint64_t burst = 0;
  for (TraceRequest& request : trace) {
    burst = dice.one_in(run) ? dice.source()() % bursts : (burst + 1) % bursts;
    request = {burst * config.burst_bytes(), dice.from_to(0, 3) < writes, 0};
  }
  return trace;
}

class AnyConfig : public testing::TestWithParam<unsigned> {
 protected:
  Dice dice_{GetParam()};
  const ChannelConfig config_ = random_possible_config(dice_);
  const std::vector<TraceRequest> trace_ = random_trace(dice_, config_);
};

TEST_P(AnyConfig, queued_channel_serves_every_request_as_the_plain_controller_does) {
  ChannelConfig config = config_;
  for (const auto policy :
       {SchedulingPolicy::first_ready, SchedulingPolicy::oldest_ready, SchedulingPolicy::in_order}) {
    config.controller.scheduling = policy;
    config.controller.precharge_all = dice_.one_in(3);
    config.controller.row_hit_limit = dice_.from_to(1, 5);
    for (const unsigned window : {1, 5, 200}) {
      const auto expected = reference::replay_window(config, trace_, window, 400'000);
      if (!expected) continue;  // refreshes leave no time
      const ReplayResult got = replay_window(config, trace_, window);
      ASSERT_EQ(got.accepted, expected->accepted) << "window " << window;
      ASSERT_EQ(got.latency, expected->latency) << "window " << window;
    }
  }
}

TEST_P(AnyConfig, queued_channel_keeps_the_physical_limits) {
  for (const unsigned window : {1, 8, 200}) try {
      EXPECT_EQ(replay_window(config_, trace_, window).broken_limit, "");
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("each refresh closes the rows"));
    }
}

/// Serves each request alone where that is possible, else by the queues; presents it a while after the one before.
TEST_P(AnyConfig, a_request_served_alone_gets_what_the_queues_give_it) {
  QueuedChannel alone(config_), queued(config_);
  Cycle now = 1;
  unsigned served_alone = 0;
  try {
    for (std::uint64_t id = 0; id < trace_.size(); ++id) {
      const TraceRequest& request = trace_[id];
      queued.step(now);
      queued.present(id, request.address, request.write, now);
      const Completion expected = *queued.step(kNoCycle);
      alone.step(now);
      Cycle end = 0;
      if (const auto at_once = alone.serve_alone(request.address, request.write, now)) {
        ++served_alone;
        end = at_once->at;
        EXPECT_EQ(at_once->parts.total(), end - now);
        EXPECT_EQ(at_once->found, expected.found);
      } else {
        alone.present(id, request.address, request.write, now);
        end = alone.step(kNoCycle)->at;
      }
      ASSERT_EQ(end, expected.at) << "request " << id;
      now = end + (dice_.one_in(10) ? dice_.from_to(0, 3 * config_.timing.refi) : dice_.from_to(0, 20));
    }
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("each refresh closes the rows"));
  }
  EXPECT_GT(served_alone, 0u);
  EXPECT_EQ(alone.refreshes(), queued.refreshes());
  EXPECT_EQ(alone.activates(), queued.activates());
  EXPECT_EQ(alone.broken_limit(), "");
}

/// A master with `window` accesses of one burst under way, driven by the controller's events. Returns their
/// completions.
std::vector<Picoseconds> completions(DramController& controller, const std::vector<TraceRequest>& trace,
                                     unsigned window) {
  std::vector<Picoseconds> ends(trace.size());
  std::multiset<Picoseconds> known;
  std::vector<DramController::Answered> answered;
  const unsigned bytes = controller.config().burst_bytes();
  std::size_t next = 0;
  const auto push = [&](Picoseconds now) {
    controller.push(next, now, trace[next].address, bytes, trace[next].write);
    ++next;
  };
  while (next < window && next < trace.size()) push(controller.config().clock_period);
  while (!controller.idle() || !known.empty()) {
    const Picoseconds now = std::min(controller.next_event(), known.empty() ? kNever : *known.begin());
    controller.advance_to(now);
    controller.take_answered(answered);
    for (const auto& one : answered) {
      EXPECT_GE(one.times.complete, now);
      ends[one.token] = one.times.complete;
      known.insert(one.times.complete);
    }
    for (; !known.empty() && *known.begin() <= now; known.erase(known.begin()))
      if (next < trace.size()) push(now);
  }
  return ends;
}

TEST_P(AnyConfig, accesses_under_way_complete_as_in_a_replay) {
  for (const unsigned window : {1, 5, 40, 200}) try {
      const ReplayResult expected = replay_window(config_, trace_, window);
      DramController controller(config_);
      const auto got = completions(controller, trace_, window);
      for (std::size_t i = 0; i < trace_.size(); ++i)
        ASSERT_EQ(got[i], (expected.accepted[i] + expected.latency[i]) * config_.clock_period)
            << "request " << i << " of window " << window;
      EXPECT_EQ(controller.broken_conservation(), "");
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("each refresh closes the rows"));
    }
}

TEST_P(AnyConfig, accesses_one_after_the_other_complete_as_in_a_replay) {
  try {
    const ReplayResult expected = replay_window(config_, trace_, 1);
    DramController controller(config_);
    Picoseconds now = config_.clock_period;
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      now = controller.access(now, trace_[i].address, 1, trace_[i].write).complete;
      ASSERT_EQ(now, (expected.accepted[i] + expected.latency[i]) * config_.clock_period) << "request " << i;
    }
    EXPECT_EQ(controller.broken_conservation(), "");
    EXPECT_EQ(controller.statistics().order_violations, 0u);
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("each refresh closes the rows"));
  }
}

/// Of two controllers one is told until when an access is alone, so that it may answer at once.
TEST_P(AnyConfig, an_access_known_to_be_alone_gets_what_it_gets_later) {
  const Picoseconds cycle = dice_.from_to(1000, 20000);
  const unsigned bus = dice_.power_of_two(4, 5);
  DramController told(config_, {cycle, bus}), later(config_, {cycle, bus});
  std::vector<Picoseconds> expected(trace_.size()), got(trace_.size());
  std::vector<DramController::Answered> answered;
  const Timing& t = config_.timing;
  const Picoseconds row_cycle = (t.rp + t.ras + t.rcd + t.cl + t.cwl + t.wr) * config_.clock_period;
  const auto advance = [&](DramController& controller, Picoseconds now, std::vector<Picoseconds>& ends) {
    controller.advance_to(now);
    controller.take_answered(answered);
    for (const auto& one : answered) ends[one.token] = one.times.complete;
  };
  try {
    Picoseconds now = 0;
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      const std::uint64_t bytes = dice_.from_to(1, 4 * config_.burst_bytes());
      const Picoseconds next = now + (dice_.one_in(20) ? 100 * row_cycle : dice_.from_to(0, 20) * row_cycle / 10);
      advance(told, now, got);
      const auto pushed = told.push(i, now, trace_[i].address, bytes, trace_[i].write, next);
      if (pushed.over) got[i] = pushed.times.complete;
      advance(later, now, expected);
      later.push(i, now, trace_[i].address, bytes, trace_[i].write);
      now = next;
    }
    while (!later.idle()) advance(later, later.next_event(), expected);
    while (!told.idle()) advance(told, told.next_event(), got);
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("each refresh closes the rows"));
    return;
  }
  EXPECT_EQ(got, expected);
  EXPECT_EQ(told.statistics().order_violations, 0u);
}

TEST_P(AnyConfig, a_long_access_completes_as_its_bursts_in_a_replay) {
  const unsigned bytes = config_.burst_bytes(), bus = dice_.power_of_two(4, 8);
  const Picoseconds cycle = config_.clock_period * dice_.from_to(1, 4);
  DramController at_once(config_, {cycle, bus}), later(config_, {cycle, bus});
  std::vector<TraceRequest> bursts;
  std::vector<Picoseconds> ends;
  std::vector<DramController::Answered> answered;
  Picoseconds now = config_.clock_period;
  try {
    for (std::size_t i = 0; i < 100; ++i) {
      const std::uint64_t first = trace_[i].address, count = dice_.from_to(1, 12);
      for (std::uint64_t k = 0; k < count; ++k)
        bursts.push_back({first + k * bytes, trace_[i].write, (now + k * bytes / bus * cycle) / config_.clock_period});
      later.push(i, now, first, count * bytes, trace_[i].write);
      now = at_once.access(now, first, count * bytes, trace_[i].write).complete;
      later.advance_to(later.next_event());
      while (!later.idle()) {
        later.take_answered(answered);
        if (!answered.empty()) {
          ASSERT_EQ(answered[0].times.complete, now) << "access " << i;
        }
        later.advance_to(std::min(later.next_event(), now));
      }
      ends.push_back(now);
    }
    const ReplayResult expected = replay_arrivals(config_, bursts);
    EXPECT_EQ(ends.back(), expected.end * config_.clock_period);
    EXPECT_EQ(at_once.broken_conservation(), "");
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("each refresh closes the rows"));
  }
}

TEST_P(AnyConfig, a_controller_serves_callers_of_both_kinds_long_accesses_resets_and_posted_writes) {
  ChannelConfig config = config_;
  config.controller.posted_writes = dice_.one_in(2);
  DramController controller(config, {dice_.from_to(1000, 20000), dice_.power_of_two(4, 5)});
  std::vector<DramController::Answered> answered;
  Picoseconds now = 0;
  std::size_t pushed = 0, over = 0;
  const auto take = [&] {
    controller.take_answered(answered);
    over += answered.size();
  };
  try {
    for (const TraceRequest& request : trace_) {
      now += dice_.from_to(0, 100'000);
      controller.advance_to(now);
      const std::uint64_t bytes = dice_.from_to(1, 4 * config.burst_bytes());
      if (dice_.one_in(3)) {
        const auto times = controller.access(now, request.address, bytes, request.write);
        EXPECT_GE(times.first, now);
        EXPECT_GE(times.complete, times.first);
      } else {
        controller.push(pushed++, now, request.address, bytes, request.write);
      }
      if (dice_.one_in(50)) {
        controller.reset(now);
        take();
        EXPECT_EQ(over, pushed);
        EXPECT_TRUE(controller.idle());
      }
      take();
    }
    while (!controller.idle()) {
      controller.advance_to(now = std::max(now, controller.next_event()));
      take();
    }
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("each refresh closes the rows"));
    return;
  }
  EXPECT_EQ(over, pushed);
  EXPECT_EQ(controller.broken_conservation(), "");
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyConfig, testing::Range(1u, 41u));

}  // namespace
}  // namespace vp::dram
