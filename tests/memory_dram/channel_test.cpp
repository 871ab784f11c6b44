#include "models/memory/dram/channel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <vector>

#include "models/memory/dram/presets.h"
#include "models/memory/dram/replay.h"

namespace vp::dram {
namespace {

constexpr std::uint64_t kRow = std::uint64_t{1} << 17;

TEST(Channel, GivesTheUnloadedLatencies) {
  const ChannelConfig config = preset("ddr4-2400");
  const Timing& t = config.timing;
  Channel channel(config);
  EXPECT_EQ(channel.burst(100, 0, false), 100 + 1 + t.rcd + t.cl + 4);            // closed
  EXPECT_EQ(channel.burst(300, 64, false), 300 + 1 + t.cl + 4);                   // hit
  EXPECT_EQ(channel.burst(500, kRow, false), 500 + 1 + t.rp + t.rcd + t.cl + 4);  // conflict
  EXPECT_EQ(channel.burst(700, kRow, true), 700 + 1 + t.cwl + 4);                 // write
  EXPECT_EQ(channel.statistics().rows[0], 2u);
  EXPECT_EQ(channel.statistics().rows[1], 1u);
  EXPECT_EQ(channel.statistics().rows[2], 1u);
}

TEST(Channel, ClosesRowsWhenToldSo) {
  ChannelConfig config = preset("ddr3-1600");
  config.controller.page = PagePolicy::closed;
  Channel channel(config);
  const Cycle first = channel.burst(100, 0, false);
  EXPECT_EQ(channel.burst(1000, 64, false) - 1000, first - 100);
  EXPECT_EQ(channel.statistics().rows[1], 2u);
}

TEST(Channel, MakesARequestWaitForTheRefresh) {
  const ChannelConfig config = preset("ddr3-1600");
  const Timing& t = config.timing;
  Channel channel(config);
  EXPECT_EQ(channel.burst(t.refi, 0, false), t.refi + t.rfc + t.rcd + t.cl + 4);
  EXPECT_EQ(channel.statistics().refreshes, 1u);
  EXPECT_EQ(channel.statistics().refresh_stalls, 1u);
}

TEST(Channel, CatchesUpWithRefreshesAfterAnHour) {
  const ChannelConfig config = preset("ddr3-1600");
  Channel channel(config);
  const Picoseconds hour = 3600'000'000'000'000;
  channel.access(hour, 0, 64, false);
  EXPECT_NEAR(double(channel.statistics().refreshes), 3600 / 7.8e-6, 2);
}

TEST(Channel, TellsWhenDataMoved) {
  const ChannelConfig config = preset("ddr4-2400");
  Channel channel(config);
  std::vector<std::pair<Picoseconds, Picoseconds>> spans;
  channel.on_data([&](Picoseconds start, Picoseconds end) { spans.emplace_back(start, end); });
  const Channel::Times times = channel.access(0, 0, 128, false);
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[0], std::make_pair(times.first - 4 * config.clock_period, times.first));
  EXPECT_EQ(spans[1].second, times.complete);
  EXPECT_GE(spans[1].first, spans[0].second);
}

TEST(Channel, LatencyPartsAddUpWhateverTheOrderOfCalls) {
  for (const std::string& name : preset_names())
    for (const PagePolicy page : {PagePolicy::open, PagePolicy::closed})
      for (const bool posted : {false, true}) {
        ChannelConfig config = preset(name);
        config.controller.page = page;
        config.controller.posted_writes = posted;
        Channel channel(config);
        std::mt19937_64 random(3);
        Picoseconds now = 0;
        for (int i = 0; i < 20'000; ++i) {
          now += random() % 100'000;
          const Picoseconds behind = random() % 3 == 0 ? random() % 1'000'000 : 0;
          channel.access(now - std::min(now, behind), random() % (1u << 22), 1 + random() % 300, random() % 3 == 0, 0,
                         {static_cast<unsigned>(random() % 3), now - std::min<Picoseconds>(now, 1'000'000)});
        }
        EXPECT_EQ(channel.broken_conservation(), "") << name;
      }
}

TEST(Channel, WalksAnAccessBurstByBurst) {
  const ChannelConfig config = preset("ddr4-2400");
  Channel one(config), many(config);
  Picoseconds last = 0;
  for (unsigned beat = 0; beat < 4; ++beat) last = many.access(beat * 8300, beat * 64, 64, false).complete;
  EXPECT_EQ(one.access(0, 0, 256, false, 8300).complete, last);
  EXPECT_EQ(one.statistics().direction[0].bursts, 4u);
  EXPECT_EQ(one.statistics().direction[0].transactions, 1u);
}

TEST(Channel, CountsAWholeBurstForAnUnalignedByte) {
  Channel channel(preset("ddr4-2400"));
  channel.access(0, 63, 2, false);
  EXPECT_EQ(channel.statistics().direction[0].bursts, 2u);
  EXPECT_EQ(channel.statistics().direction[0].bytes, 2u);
}

TEST(Channel, AcknowledgesPostedWritesUntilTheQueueIsFull) {
  ChannelConfig config = preset("ddr4-2400");
  config.controller.posted_writes = true;
  config.controller.transaction_queue = 4;
  Channel channel(config);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(channel.access(0, i * 2 * kRow, 64, true).complete, 830u);
  EXPECT_GT(channel.access(0, 8 * kRow, 64, true).complete, 10 * 830u);
  EXPECT_GT(channel.access(0, 0, 64, false).complete, 830u);  // reads are never posted
}

TEST(Channel, ForgetsItsRowsAtResetButKeepsItsFigures) {
  Channel channel(preset("ddr4-2400"));
  const Cycle closed = channel.burst(100, 0, false);
  channel.reset();
  EXPECT_EQ(channel.burst(100, 64, false), closed);
  EXPECT_EQ(channel.statistics().rows[1], 2u);
}

TEST(Channel, KeepsColumnCommandsInOrderIfTold) {
  ChannelConfig config = preset("ddr4-2400");
  for (const bool in_order : {false, true}) {
    config.controller.scheduling = in_order ? SchedulingPolicy::in_order : SchedulingPolicy::first_ready;
    Channel channel(config);
    channel.burst(0, 0, false);
    const Cycle conflict = channel.burst(1, kRow, false);
    const Cycle other_bank = channel.burst(2, 1 << 13, false);
    EXPECT_EQ(other_bank > conflict, in_order);
  }
}

TEST(Channel, LetsLookAheadUseTheRowThatIsAboutToClose) {
  Channel channel(preset("ddr4-2400"));
  channel.burst(0, 0, false);
  const Cycle conflict = channel.burst(1, kRow, false);
  EXPECT_LT(channel.burst(2, 64, false), conflict);
  EXPECT_EQ(channel.statistics().rows[0], 1u);
}

TEST(Channel, ServesALateCallerBeforeAnEarlyOnesReservations) {
  const ChannelConfig config = preset("ddr4-2400");
  Channel channel(config);
  channel.burst(1000, 0, false);  // a caller that is ahead
  EXPECT_EQ(channel.burst(100, 1 << 13, false), 100 + 1 + 17 + 17 + 4u);
  EXPECT_EQ(channel.statistics().order_violations, 1u);
}

/// Random runs of reads and writes with some locality.
std::vector<TraceRequest> random_trace(unsigned seed, const ChannelConfig& config, unsigned length) {
  std::mt19937_64 random(seed);
  std::vector<TraceRequest> trace(length);
  const std::uint64_t size = config.size_mib << 20;
  std::uint64_t address = 0;
  for (TraceRequest& request : trace) {
    address = random() % 3 == 0 ? random() % size / 64 * 64 : random() % 4 == 0 ? address ^ kRow : address + 64;
    request = {address % size, random() % 3 == 0, 0};
  }
  return trace;
}

/// A window's requests on a channel: what is wrong with it afterwards.
std::string broken_by_window(const ChannelConfig& config, const std::vector<TraceRequest>& trace, unsigned window) {
  Channel channel(config);
  std::vector<Picoseconds> ends(window);
  Picoseconds now = 0;
  for (const TraceRequest& request : trace) {
    const auto first = std::min_element(ends.begin(), ends.end());
    now = std::max(now + config.clock_period, *first);
    *first = channel.access(now, request.address, 64, request.write).complete;
  }
  return channel.broken_conservation();
}

TEST(Channel, KeepsItsConservationUnderABacklog) {
  for (const std::string& name : preset_names())
    for (const PagePolicy page : {PagePolicy::open, PagePolicy::closed})
      for (const unsigned window : {2, 3, 8, 32, 200}) {
        ChannelConfig config = preset(name);
        config.controller.page = page;
        EXPECT_EQ(broken_by_window(config, random_trace(window, config, 10'000), window), "") << name;
      }
}

// Far more waits than the plan of the backlog keeps.
TEST(Channel, SurvivesABacklogOfAnyLength) {
  const ChannelConfig config = preset("ddr4-2400");
  const unsigned length = 50'000;
  for (const bool mixed : {false, true}) {
    Channel channel(config);
    Picoseconds end = 0;
    for (unsigned i = 0; i < length; ++i) end = std::max(end, channel.access(0, i * 64, 64, mixed && i % 2).complete);
    EXPECT_EQ(channel.broken_conservation(), "");
    EXPECT_GT(end, length * config.burst_cycles() * config.clock_period);
    // A caller that comes late then finds the time before it.
    EXPECT_LT(channel.access(0, 1 << 30, 64, false).complete, 2 * end);
  }
}

/// Error of the time that a trace takes in percent of the queued controller's.
double window_error(const ChannelConfig& config, const std::vector<TraceRequest>& trace, unsigned window) {
  const auto queued = replay_window(config, trace, window), at_once = replay_window_at_once(config, trace, window);
  return 100 * (double(at_once.end) / double(queued.end) - 1);
}

// A queue pays for a turnaround once a batch; burst by burst alternate reads and writes would take three times as long.
TEST(Channel, CollectsReadsAndWritesAsAQueueDoes) {
  std::vector<TraceRequest> trace(4000);
  for (std::size_t i = 0; i < trace.size(); ++i) trace[i] = {i * 64, i % 2 == 1, 0};
  for (const std::string& name : preset_names()) EXPECT_NEAR(window_error(preset(name), trace, 32), 0, 10) << name;
}

// Short runs in random rows, a third of them writes: a row stays open for the writes of it, which wait for their turn,
// and what wants another row of the bank waits for them.
TEST(Channel, KeepsABankBusyWithItsWritesAsAQueueDoes) {
  std::mt19937_64 random(2);
  std::vector<TraceRequest> trace(4000);
  std::uint64_t run = 0;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (i % 4 == 0) run = random() % (1 << 22) * 256;
    trace[i] = {run + i % 4 * 64, random() % 3 == 0, 0};
  }
  for (const char* name : {"ddr3-1600", "ddr4-2400", "ddr4-3200"})
    EXPECT_NEAR(window_error(preset(name), trace, 32), 0, 10) << name;
}

// Two rows of one bank in turn. With two outstanding, DDR4 could close the row in the very cycle in which the next hit
// comes: the hit wins.
TEST(Channel, CollectsRowHitsAsAQueueDoes) {
  std::vector<TraceRequest> trace(4000);
  for (std::size_t i = 0; i < trace.size(); ++i) trace[i] = {(i % 2 << 24) + i / 2 * 64, false, 0};
  for (const char* name : {"ddr3-1600", "ddr4-2400", "ddr4-3200"})
    for (const unsigned window : {2, 8, 32})
      EXPECT_NEAR(window_error(preset(name), trace, window), 0, 10) << name << ", window " << window;
}

// Reads of one row and writes of another in turn: each row serves a batch.
TEST(Channel, CollectsReadsAndWritesOfTwoRowsAsAQueueDoes) {
  std::vector<TraceRequest> trace(4000);
  for (std::size_t i = 0; i < trace.size(); ++i) trace[i] = {(i % 2 << 28) + i / 2 * 64, i % 2 == 1, 0};
  for (const char* name : {"ddr3-1600", "ddr4-2400", "ddr4-3200"})
    for (const unsigned window : {8, 32})
      EXPECT_NEAR(window_error(preset(name), trace, window), 0, 12) << name << ", window " << window;
}

// Each change of rank costs the bus tRTRS; without, random reads of two ranks would be 7 % too fast.
TEST(Channel, CountsTheGapBetweenRanks) {
  ChannelConfig config = preset("ddr4-2400");
  config.size_mib *= 2;
  std::mt19937_64 random(5);
  std::vector<TraceRequest> trace(4000);
  for (TraceRequest& request : trace) request = {random() % (config.size_mib << 14) * 64, false, 0};
  EXPECT_NEAR(window_error(config, trace, 32), 0, 5);
}

// With one request outstanding, answering at once loses nothing.
TEST(Channel, AgreesWithTheQueuedControllerRequestByRequest) {
  for (const std::string& name : preset_names())
    for (const PagePolicy page : {PagePolicy::open, PagePolicy::closed})
      for (const SchedulingPolicy policy : {SchedulingPolicy::first_ready, SchedulingPolicy::in_order}) {
        ChannelConfig config = preset(name);
        config.controller.page = page;
        config.controller.scheduling = policy;
        const auto trace = random_trace(11, config, 4000);
        const auto queued = replay_window(config, trace, 1), at_once = replay_window_at_once(config, trace, 1);
        EXPECT_EQ(queued.latency, at_once.latency) << name;
        EXPECT_EQ(queued.end, at_once.end) << name;
      }
}

// The commands that prepare the refresh of one rank take cycles of the command bus from the other; that is not
// modelled.
TEST(Channel, AgreesWithTheQueuedControllerOnTwoRanksExceptAtRefreshes) {
  ChannelConfig config = preset("ddr4-2400");
  config.size_mib *= 2;
  const auto trace = random_trace(12, config, 20000);
  const auto queued = replay_window(config, trace, 1), at_once = replay_window_at_once(config, trace, 1);
  unsigned different = 0;
  for (std::size_t i = 0; i < trace.size(); ++i) different += queued.latency[i] != at_once.latency[i];
  EXPECT_LT(different, trace.size() / 100);
  EXPECT_NEAR(double(at_once.end), double(queued.end), 0.001 * double(queued.end));
}

TEST(ChannelStatistics, LatencyPartsAddUpToTheLatency) {
  for (const PagePolicy page : {PagePolicy::open, PagePolicy::closed}) {
    ChannelConfig config = preset("ddr4-2400");
    config.controller.page = page;
    Channel channel(config);
    std::mt19937_64 random(4);
    Cycle now = 0, total = 0;
    for (const TraceRequest& request : random_trace(13, config, 20000)) {
      now += random() % 30;
      const Cycle arrival = now - std::min<Cycle>(now, random() % 5 == 0 ? random() % 300 : 0);
      total += channel.burst(arrival, request.address, request.write) - arrival;
    }
    EXPECT_EQ(channel.statistics().parts.total(), total);
    EXPECT_GT(channel.statistics().parts.refresh, 0u);
    EXPECT_GT(channel.statistics().parts.bus, 0u);
    EXPECT_GT(channel.statistics().parts.activate, 0u);
  }
}

TEST(ChannelStatistics, ReportBandwidthAndItsShareOfThePeak) {
  const ChannelConfig config = preset("ddr3-1600");
  Channel channel(config);
  for (unsigned i = 0; i < 1000; ++i) channel.access(i * 10000, i * 64, 64, i < 500).complete;  // 6.4 GB/s asked for
  const ChannelFigures figures = channel.figures();
  EXPECT_NEAR(figures.bandwidth, 6.2, 0.2);
  EXPECT_NEAR(figures.bandwidth_of_peak, 100 * 6.2 / 12.8, 2);
  EXPECT_EQ(figures.read.bytes, 32000u);
  EXPECT_EQ(figures.write.transactions, 500u);
  std::uint64_t counted = 0;
  for (const std::uint64_t accesses : figures.read.latency.histogram.by_bucket) counted += accesses;
  EXPECT_EQ(counted, 500u);
}

}  // namespace
}  // namespace vp::dram
