// Requests a second on one core. Sequential and random 64-byte reads one after the other, as blocking transport asks
// for them (at least 5 and 3 million are wanted); bursts of 4 KiB; and several outstanding.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/memory/dram/dram_controller.h"
#include "models/memory/dram/presets.h"
#include "models/memory/dram/replay.h"

namespace {

using namespace vp::dram;

const char* const kPresets[] = {"ddr3-1600", "ddr4-2400", "ddr4-3200", "lpddr4-3200"};

std::vector<std::uint64_t> random_addresses(std::uint64_t size) {
  std::vector<std::uint64_t> addresses(1 << 16);
  std::uint64_t state = 1;
  for (std::uint64_t& address : addresses) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    address = (state >> 20) % (size / 64) * 64;
  }
  return addresses;
}

void sequential(benchmark::State& state) {
  DramController channel(preset(kPresets[state.range(0)]));
  vp::Picoseconds now = 0;
  std::uint64_t address = 0;
  for (auto _ : state) {
    now = channel.access(now, address, 64, false).complete;
    address += 64;
  }
  benchmark::DoNotOptimize(now);
  state.SetItemsProcessed(state.iterations());
  state.SetLabel(kPresets[state.range(0)]);
}
BENCHMARK(sequential)->DenseRange(0, 3);

void random_reads(benchmark::State& state) {
  const ChannelConfig config = preset(kPresets[state.range(0)]);
  DramController channel(config);
  const auto addresses = random_addresses(config.size_mib << 20);
  vp::Picoseconds now = 0;
  std::size_t i = 0;
  for (auto _ : state) now = channel.access(now, addresses[i++ & 0xffff], 64, false).complete;
  benchmark::DoNotOptimize(now);
  state.SetItemsProcessed(state.iterations());
  state.SetLabel(kPresets[state.range(0)]);
}
BENCHMARK(random_reads)->DenseRange(0, 3);

/// Calls of 4 KiB, 64 bursts each.
void bursts_of_4_kib(benchmark::State& state) {
  DramController controller(preset("ddr4-2400"), {5000, 64});
  vp::Picoseconds now = 0;
  std::uint64_t address = 0;
  for (auto _ : state) {
    now = controller.access(now, address, 4096, false).complete;
    address += 4096;
  }
  benchmark::DoNotOptimize(now);
  state.SetItemsProcessed(state.iterations() * 64);
}
BENCHMARK(bursts_of_4_kib);

/// A master with accesses of 64 bytes under way that is told of each completion, sequential (0) or random.
void under_way(benchmark::State& state) {
  const ChannelConfig config = preset("ddr4-2400");
  DramController controller(config);
  const auto addresses = random_addresses(config.size_mib << 20);
  std::vector<DramController::Answered> answered;
  std::size_t next = 0, over = 0;
  const auto push = [&](vp::Picoseconds now) {
    controller.push(next, now, state.range(1) ? addresses[next & 0xffff] : next * 64, 64, false);
    ++next;
  };
  for (std::int64_t i = 0; i < state.range(0); ++i) push(0);
  for (auto _ : state) {
    controller.advance_to(controller.next_event());
    controller.take_answered(answered);
    for (const auto& one : answered) push(one.times.complete);
    over += answered.size();
  }
  state.SetItemsProcessed(std::int64_t(over));
  state.SetLabel(state.range(1) ? "random" : "sequential");
}
BENCHMARK(under_way)->ArgNames({"outstanding", "random"})->ArgsProduct({{8, 32}, {0, 1}});

/// Replays of sequential (random: 0) or random reads with some outstanding.
template <typename Replay>
void window(benchmark::State& state, Replay replay) {
  const ChannelConfig config = preset("ddr4-2400");
  std::vector<TraceRequest> trace(1 << 16);
  const auto addresses = random_addresses(config.size_mib << 20);
  for (std::size_t i = 0; i < trace.size(); ++i) trace[i].address = state.range(1) ? addresses[i] : i * 64;
  const auto outstanding = static_cast<unsigned>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(replay(config, trace, outstanding).end);
  state.SetItemsProcessed(state.iterations() * std::int64_t(trace.size()));
  state.SetLabel(state.range(1) ? "random" : "sequential");
}
BENCHMARK_CAPTURE(window, queued,
                  [](const ChannelConfig& config, const std::vector<TraceRequest>& trace, unsigned outstanding) {
                    return replay_window(config, trace, outstanding);
                  })
    ->ArgNames({"outstanding", "random"})
    ->ArgsProduct({{8, 32, 64}, {0, 1}});

}  // namespace
