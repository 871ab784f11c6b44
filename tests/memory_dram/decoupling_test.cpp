// Two callers on local times of their own, each with one request outstanding and pauses between requests, on one
// channel: their mean latency when each runs a quantum ahead in turn, against the exact order of time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "models/memory/dram/channel.h"
#include "models/memory/dram/dram_timing.h"
#include "models/memory/dram/presets.h"
#include "models/memory/dram/queued_channel.h"

namespace vp::dram {
namespace {

constexpr Picoseconds kEnd = 2'000'000'000;  // 2 ms
constexpr std::uint64_t kRegion = 128u << 20;

enum class Walk { random, one_row, short_runs };

struct Scenario {
  const char* name;
  Walk walks[2];
  std::uint64_t second_base;  // of the second caller; the first starts at 0
  Picoseconds pause;          // mean; uniform from half to one and a half
  unsigned bytes;
  unsigned writes;     // percent
  bool narrow = true;  // also on a 16-bit channel, which the other scenarios load too much
};

std::ostream& operator<<(std::ostream& out, const Scenario& scenario) { return out << scenario.name; }

class Walker {
 public:
  Walker(const Scenario& scenario, unsigned id)
      : scenario_(scenario), id_(id), base_(id == 0 ? 0 : scenario.second_base), random_(id + 1) {}

  Picoseconds now() const { return now_; }
  double latency_sum() const { return latency_sum_; }
  double requests() const { return requests_; }

  void step(Channel& channel, Picoseconds settled) {
    const std::uint64_t address = next_address();
    const bool write = next_is_write();
    const Picoseconds beat = scenario_.bytes > 64 ? 5000 : 0;
    finish(channel.access(now_, address, scenario_.bytes, write, beat, {id_, settled}).complete);
  }

  void present(QueuedChannel& channel, Cycle cycle) {
    const std::uint64_t address = next_address();
    channel.present(id_, address, next_is_write(), cycle);
    waiting_ = true;
  }
  bool waiting() const { return waiting_; }

  void finish(Picoseconds end) {
    latency_sum_ += double(end - now_);
    ++requests_;
    now_ = end + scenario_.pause / 2 + random_() % (scenario_.pause + 1);
    waiting_ = false;
  }

 private:
  bool next_is_write() { return random_() % 100 < scenario_.writes; }
  std::uint64_t next_address() {
    const std::uint64_t bytes = scenario_.bytes;
    switch (scenario_.walks[id_]) {
      case Walk::one_row:
        return base_ + bytes * position_++ % 8192;
      case Walk::short_runs:
        if (position_ % 4 == 0) position_ = random_() % (kRegion / 64);
        return base_ + 64 * position_++;
      case Walk::random:
        break;
    }
    return base_ + random_() % kRegion / 64 * 64;
  }

  const Scenario& scenario_;
  unsigned id_;
  std::uint64_t base_;
  std::mt19937_64 random_;
  std::uint64_t position_ = 0;
  Picoseconds now_ = 0;
  bool waiting_ = false;
  double latency_sum_ = 0;
  double requests_ = 0;
};

/// Mean latency of both callers in picoseconds; quantum 0: in the order of time.
double mean_latency(const ChannelConfig& config, const Scenario& scenario, Picoseconds quantum) {
  Channel channel(config);
  std::vector<Walker> walkers = {{scenario, 0}, {scenario, 1}};
  if (quantum == 0) {
    while (std::min(walkers[0].now(), walkers[1].now()) < kEnd) {
      Walker& walker = walkers[walkers[1].now() < walkers[0].now()];
      walker.step(channel, walker.now());
    }
  } else {
    for (Picoseconds start = 0; start < kEnd; start += quantum)
      for (Walker& walker : walkers)
        while (walker.now() < start + quantum) walker.step(channel, start);
  }
  return (walkers[0].latency_sum() + walkers[1].latency_sum()) / (walkers[0].requests() + walkers[1].requests());
}

/// The same on a channel with queues, where a later request may still delay an earlier one.
double queued_mean_latency(const ChannelConfig& config, const Scenario& scenario) {
  QueuedChannel channel(config);
  const Clock clock(config.clock_period);
  std::vector<Walker> walkers = {{scenario, 0}, {scenario, 1}};
  const auto free_first = [](const Walker& a, const Walker& b) {
    return a.waiting() != b.waiting() ? b.waiting() : a.now() < b.now();
  };
  for (;;) {
    Walker& walker = *std::min_element(walkers.begin(), walkers.end(), free_first);
    if (!walker.waiting() && walker.now() >= kEnd) break;
    const Cycle limit = walker.waiting() ? kNoCycle : clock.edge_at_or_after(walker.now());
    if (const auto done = channel.step(limit))
      walkers[done->id].finish(clock.time_of(done->at));
    else
      walker.present(channel, std::max(limit, channel.now()));
  }
  return (walkers[0].latency_sum() + walkers[1].latency_sum()) / (walkers[0].requests() + walkers[1].requests());
}

class Decoupling : public testing::TestWithParam<Scenario> {};

TEST_P(Decoupling, StaysWithinFivePercentAtOneMicrosecond) {
  for (const std::string& name : preset_names()) {
    if (name == "lpddr4-3200" && !GetParam().narrow) continue;
    const ChannelConfig config = preset(name);
    const double exact = mean_latency(config, GetParam(), 0);
    const double decoupled = mean_latency(config, GetParam(), 1'000'000);
    RecordProperty(name, std::to_string(100 * (decoupled / exact - 1)));
    EXPECT_NEAR(decoupled / exact, 1, 0.05) << name << ": " << exact << " ps";
  }
}

std::string name_of(const testing::TestParamInfo<Scenario>& scenario) { return scenario.param.name; }

// What answering at once costs even in the exact order of time.
class ExactOrder : public testing::TestWithParam<Scenario> {};

TEST_P(ExactOrder, StaysWithinThreePercentOfQueues) {
  for (const char* name : {"ddr3-1600", "ddr4-2400", "ddr4-3200"}) {
    const ChannelConfig config = preset(name);
    EXPECT_NEAR(mean_latency(config, GetParam(), 0) / queued_mean_latency(config, GetParam()), 1, 0.03) << name;
  }
}

std::vector<Scenario> scenarios() {
  return {Scenario{"random", {Walk::random, Walk::random}, kRegion, 50'000, 64, 0},
          Scenario{"random_without_pause", {Walk::random, Walk::random}, kRegion, 2'000, 64, 0},
          Scenario{"random_30_percent_writes", {Walk::random, Walk::random}, kRegion, 50'000, 64, 30},
          Scenario{"streams_in_two_banks", {Walk::one_row, Walk::one_row}, kRegion + (1 << 15), 2'000, 64, 0},
          Scenario{"streams_in_one_bank", {Walk::one_row, Walk::one_row}, kRegion, 100'000, 64, 0, false},
          Scenario{"stream_and_random", {Walk::one_row, Walk::random}, kRegion, 50'000, 64, 0},
          Scenario{"short_runs", {Walk::short_runs, Walk::short_runs}, kRegion, 50'000, 64, 0},
          Scenario{"short_runs_30_percent_writes", {Walk::short_runs, Walk::short_runs}, kRegion, 20'000, 64, 30},
          Scenario{"blocks_of_512_bytes", {Walk::one_row, Walk::one_row}, kRegion + (1 << 15), 200'000, 512, 0, false},
          Scenario{"blocks_and_random", {Walk::one_row, Walk::random}, kRegion, 200'000, 512, 0, false}};
}

std::vector<Scenario> scenarios_of_single_bursts() {
  std::vector<Scenario> chosen = scenarios();
  const auto blocks = [](const Scenario& scenario) { return scenario.bytes > 64; };
  chosen.erase(std::remove_if(chosen.begin(), chosen.end(), blocks), chosen.end());
  return chosen;
}

INSTANTIATE_TEST_SUITE_P(Patterns, Decoupling, testing::ValuesIn(scenarios()), name_of);
INSTANTIATE_TEST_SUITE_P(Patterns, ExactOrder, testing::ValuesIn(scenarios_of_single_bursts()), name_of);

TEST(Decoupling, ChangesNothingForASingleCaller) {
  const ChannelConfig config = preset("ddr4-2400");
  const Scenario scenario{"", {Walk::short_runs, Walk::random}, 0, 50'000, 64, 30};
  Channel exact(config), ahead(config);
  Walker first(scenario, 0), second(scenario, 0);
  while (first.now() < kEnd) {
    first.step(exact, first.now());
    second.step(ahead, first.now() / 1'000'000 * 1'000'000);
  }
  EXPECT_EQ(first.latency_sum(), second.latency_sum());
  EXPECT_EQ(ahead.statistics().order_violations, 0u);
}

// Kernel time = arrival: the reference is the same whether callers are named or not.
TEST(Decoupling, ForeseesNothingInTheExactOrderOfTime) {
  const ChannelConfig config = preset("ddr4-2400");
  Channel named(config), unnamed(config);
  std::mt19937_64 random(9);
  Picoseconds now = 0;
  for (int i = 0; i < 20000; ++i) {
    now += random() % 60'000;
    const unsigned id = random() % 2;
    const std::uint64_t address = id * kRegion + random() % 4096;
    const bool write = random() % 4 == 0;
    ASSERT_EQ(named.access(now, address, 512, write, 5000, {id, now}).complete,
              unnamed.access(now, address, 512, write, 5000).complete);
  }
}

TEST(DramTiming, AnswersForAMemory) {
  DramTiming timing(preset("ddr4-2400"), 5000);
  EXPECT_FALSE(timing.fixed().has_value());
  const auto one = timing.access(false, 0, 64, 0, {});
  EXPECT_EQ(one.completion, (1 + 17 + 17 + 4) * 830u);
  EXPECT_EQ(one.streamed, 0u);
  const auto many = timing.access(false, 64, 640, 1'000'000, {});
  EXPECT_GE(many.streamed, 9 * 5000u - 830);
  timing.reset();
  EXPECT_EQ(timing.access(false, 0, 64, 0, {}).completion, one.completion);
}

}  // namespace
}  // namespace vp::dram
