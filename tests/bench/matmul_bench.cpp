#include <benchmark/benchmark.h>

#include <string>

#include "models/matmul/script_runner.h"

namespace vp::matmul {
namespace {

/// A program of `instructions` instructions on each thread, a third of them WRITEs.
std::string two_thread_script(int instructions) {
  const std::string block = " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n";
  std::string text = "===META 2 2\n===DATA\nA 0x100" + block + "B 0x200" + block;
  for (int thread = 0; thread < 2; ++thread) {
    text += "===TEXT\n";
    for (int i = 0; i < instructions / 3; ++i) text += "LOAD 0x200\nCOMP 0x100 0x200 0x300\nWRITE 0x300 0x01\n";
    text += "TERM\n";
  }
  return text;
}

// Parsing, loading over the line, running and receiving, at the default 115,200 baud.
void BM_two_thread_script_of_200_instructions(benchmark::State& state) {
  CoreConfig config;
  config.errata.late_load_hang = false;
  const std::string text = two_thread_script(200);
  std::uint64_t clocks = 0;
  for (auto _ : state) {
    ScriptRunner runner(config);
    const ScriptResult result = runner.run(parse_script(text, "bench", config));
    if (result.end != ScriptEnd::finished) state.SkipWithError("the script did not finish");
    clocks += result.finish - result.start;
  }
  state.counters["simulated_clocks"] = benchmark::Counter(static_cast<double>(clocks), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_two_thread_script_of_200_instructions)->Unit(benchmark::kMillisecond);

// Both threads busy without output: simulated clocks a second when every clock does something.
void BM_busy_array(benchmark::State& state) {
  CoreConfig config;
  config.errata.late_load_hang = false;
  config.mesh = static_cast<unsigned>(state.range(0));
  config.symbol_clocks = 16;
  std::string text = "===META " + std::to_string(config.mesh) + " 2\n";
  for (int thread = 0; thread < 2; ++thread) {
    text += "===TEXT\n";
    for (int i = 0; i < 127; ++i) text += "LOAD 0x200\nCOMP 0x100 0x200 0x300\n";
    text += "TERM\n";
  }
  ScriptRunner runner(config);
  runner.run(parse_script(text, "bench", config));
  Core core = runner.core();
  core.drop_observers();
  std::uint64_t clocks = 0;
  for (auto _ : state) {
    core.put_frame(0xcf, core.line_free_at());
    const std::uint64_t before = core.cycle() + config.frame_clocks();
    core.advance_to(before);
    while (core.next_event() != ~std::uint64_t{0}) core.advance_to(core.next_event());
    clocks += core.cycle() - before;
  }
  state.counters["simulated_clocks"] = benchmark::Counter(static_cast<double>(clocks), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_busy_array)->Arg(2)->Arg(8);

}  // namespace
}  // namespace vp::matmul
