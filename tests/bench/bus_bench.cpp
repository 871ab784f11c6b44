// Accesses a second of two initiators on one memory in timed mode, by the order they come in (`bus.sync`).
#include <benchmark/benchmark.h>

#include <systemc>

#include "tests/support/two_generators.h"

namespace vp {
namespace {

const BusOrder kOrders[] = {BusOrder::decoupled, BusOrder::shared, BusOrder::exact};
const char* const kNames[] = {"false", "auto", "true"};
const char* const kPresets[] = {"fixed", "ddr4-2400"};
constexpr Picoseconds kStretch = 20'000'000'000;

/// SystemC elaborates once a process: all systems are made before the first runs, each in a stretch of time of its own.
std::vector<std::unique_ptr<TwoGenerators>> systems;

void two_initiators(benchmark::State& state) {
  const auto index = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) sc_core::sc_start(to_sc_time(kStretch));
  state.SetItemsProcessed(static_cast<std::int64_t>(systems[index]->accesses()));
  state.SetLabel(std::string(kPresets[index / 3]) + ", bus.sync=" + kNames[index % 3]);
}
BENCHMARK(two_initiators)->DenseRange(0, 5)->Iterations(1)->Unit(benchmark::kMillisecond);

void make_systems() {
  for (Picoseconds i = 0; i < 6; ++i) {
    Traffic first, second;
    first.pause = second.pause = 20'000;
    second.base = TwoGenerators::kSize / 2;
    first.start = second.start = i * kStretch;
    systems.push_back(std::make_unique<TwoGenerators>("system" + std::to_string(i), kPresets[i / 3], first, second,
                                                      kOrders[i % 3], Arbitration::first_come, (i + 1) * kStretch));
  }
}

}  // namespace
}  // namespace vp

int sc_main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  vp::make_systems();
  benchmark::RunSpecifiedBenchmarks();
  vp::systems.clear();
  return 0;
}
