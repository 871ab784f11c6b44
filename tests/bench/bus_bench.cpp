// Accesses a second of one and of two initiators on one memory in timed mode, by the order they come in (`bus.sync`).
#include <benchmark/benchmark.h>

#include <iterator>
#include <systemc>

#include "tests/support/two_initiators.h"

namespace vp {
namespace {

struct Setting {
  const char* preset;
  unsigned initiators;
  const char* sync;
  BusOrder order;
};
constexpr Setting kSettings[] = {{"fixed", 1, "auto", BusOrder::shared},     {"fixed", 2, "auto", BusOrder::shared},
                                 {"fixed", 2, "true", BusOrder::exact},      {"ddr4-2400", 1, "auto", BusOrder::shared},
                                 {"ddr4-2400", 2, "auto", BusOrder::shared}, {"ddr4-2400", 2, "true", BusOrder::exact}};
constexpr Picoseconds kStretch = 20'000'000'000;

/// SystemC elaborates once a process: all systems are made before the first runs, each in a stretch of time of its own.
std::vector<std::unique_ptr<TwoInitiators>> systems;

void accesses(benchmark::State& state) {
  const auto index = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) sc_core::sc_start(to_sc_time(kStretch));
  state.SetItemsProcessed(static_cast<std::int64_t>(systems[index]->accesses()));
  const Setting& setting = kSettings[index];
  state.SetLabel(std::string(setting.preset) + (setting.initiators == 1 ? ", one initiator" : ", two initiators") +
                 ", bus.sync=" + setting.sync);
}
BENCHMARK(accesses)->DenseRange(0, std::size(kSettings) - 1)->Iterations(1)->Unit(benchmark::kMillisecond);

void make_systems() {
  Picoseconds start = 0;
  for (const Setting& setting : kSettings) {
    const Picoseconds end = start + kStretch;
    Traffic first, second;
    first.pause = second.pause = 20'000;
    second.base = TwoInitiators::kSize / 2;
    first.start = start;
    second.start = setting.initiators == 2 ? start : end;
    systems.push_back(std::make_unique<TwoInitiators>("system" + std::to_string(systems.size()), setting.preset, first,
                                                      second, setting.order, Arbitration::first_come, end));
    start = end;
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
