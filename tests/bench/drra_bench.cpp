// Simulated cell-cycles of the DRRA fabric per second of host time.
#include <benchmark/benchmark.h>

#include <string>

#include "models/drra/asm.h"
#include "models/drra/core.h"
#include "tests/drra/device_bench.h"

namespace vp::drra {
namespace {

/// Every word port and the DPU of the cell work in nearly each cycle, for ever: multiply and accumulate 64 products,
/// write the running sums.
std::string busy_cell(unsigned row, unsigned column) {
  return ".cell " + std::to_string(row) + "," + std::to_string(column) +
         "\n.rf 0: 3 -7 11 2 5 1 -9 4\n"
         "SWB src_port=0 hb_index=2 v_index=2\nSWB src_port=1 hb_index=2 v_index=3\n"
         "SWB src_block=dpu src_port=0 hb_index=2 v_index=0\n"
         "again: DPU mode=mac\n"
         "REFI port_no=r0 l1_iter=63\nREFI port_no=r1 l1_iter=63 init_addr=1\nREFI port_no=w0 l1_iter=63 init_addr=32\n"
         "WAIT cycle=60\nJUMP pc=again\nHALT\n";
}

/// columns: of the fabric; busy: of them, from the left, in both rows.
void run_fabric(benchmark::State& state, unsigned columns, unsigned busy) {
  std::string text;
  for (unsigned row = 0; row < kRows; ++row)
    for (unsigned column = 0; column < busy; ++column) text += busy_cell(row, column);
  DrraConfig config;
  config.columns = columns;
  Core core(config);
  load(assemble(text, "benchmark"), core);
  core.start();
  for (auto _ : state) core.advance_to(core.cycle() + 10'000);
  state.counters["cell-cycles/s"] =
      benchmark::Counter(static_cast<double>(core.cycle() * kRows * busy), benchmark::Counter::kIsRate);
}

void waiting_fabric(benchmark::State& state) {
  Core core(DrraConfig{});
  load(assemble(".cell 0,0\nagain: WAIT cycle=32767\nJUMP pc=again\nHALT\n", "benchmark"), core);
  core.start();
  for (auto _ : state) core.advance_to(core.cycle() + 100'000);
  state.counters["cycles/s"] = benchmark::Counter(static_cast<double>(core.cycle()), benchmark::Counter::kIsRate);
}

/// As a device that nobody disturbs: with its look-ahead.
void run_device(benchmark::State& state, unsigned columns, unsigned busy) {
  DeviceConfig config;
  config.fabric.columns = columns;
  DeviceBench bench(config);
  for (unsigned row = 0; row < kRows; ++row)
    for (unsigned column = 0; column < busy; ++column) bench.load(busy_cell(row, column));
  bench.write(kControl, kStart);
  for (auto _ : state) bench.run_to(bench.now() + 10'000 * config.fabric.clock_period);
  const double cycles = static_cast<double>(bench.now() / config.fabric.clock_period);
  state.counters["cell-cycles/s"] = benchmark::Counter(cycles * kRows * busy, benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(run_fabric, all_cells_of_2x8, 8, 8);
BENCHMARK_CAPTURE(run_fabric, all_cells_of_2x2, 2, 2);
BENCHMARK_CAPTURE(run_fabric, four_cells_of_2x4, 4, 2);
BENCHMARK_CAPTURE(run_fabric, four_cells_of_2x64, 64, 2);
BENCHMARK_CAPTURE(run_device, all_cells_of_2x8, 8, 8);
BENCHMARK_CAPTURE(run_device, four_cells_of_2x4, 4, 2);
BENCHMARK_CAPTURE(run_device, four_cells_of_2x64, 64, 2);
BENCHMARK(waiting_fabric);

}  // namespace
}  // namespace vp::drra
