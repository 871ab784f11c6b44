// Accesses a second through the bus: a register of the CLINT, memory by transaction, and a register while edges keep
// coming.
#include <benchmark/benchmark.h>

#include <systemc>

#include "models/bus/bus.h"
#include "models/common/tlm_time.h"
#include "models/irq/clint.h"
#include "models/memory/memory.h"
#include "tests/support/socket_modules.h"
#include "tests/support/thread_module.h"

namespace vp {
namespace {

struct Machine {
  Machine() {
    bus.connect_initiator("cpu", cpu.socket);
    bus.connect_target("clint", clint.socket);
    bus.connect_target("ram", ram.socket);
  }
  static MemoryConfig memory() {
    MemoryConfig config;
    config.size = 1 << 20;
    config.channel.preset = "ddr4-2400";
    return config;
  }
  Horizon horizon;
  Bus bus{"bus", BusConfig{}, horizon, {"cpu"}, {{"clint", 0x200'0000, 0x10000}, {"ram", 0x8000'0000, 1 << 20, true}}};
  Clint clint{"clint", ClintConfig{}, horizon};
  Memory ram{"ram", memory(), 10'000};
  InitiatorModule cpu{"cpu"};
};

/// SystemC elaborates once a process: one machine, made before the benchmarks run inside its thread.
std::unique_ptr<Machine> machine;
Picoseconds now = 0;

void read(benchmark::State& state, std::uint64_t address, unsigned size) {
  std::uint64_t value = 0;
  for (auto _ : state) {
    machine->cpu.socket.read(address, &value, size, now);
    benchmark::DoNotOptimize(value);
  }
  state.SetItemsProcessed(state.iterations());
}

void read_mtime(benchmark::State& state) { read(state, 0x200'BFF8, 8); }
void read_memory(benchmark::State& state) { read(state, 0x8000'0100, 8); }
void read_memory_burst(benchmark::State& state) {
  std::uint8_t line[64];
  for (auto _ : state) machine->cpu.socket.read(0x8000'0100, line, sizeof line, now);
  state.SetItemsProcessed(state.iterations());
}
/// Timed mode; the kernel catches up as often as a quantum of 10 us makes it.
void timed_line(benchmark::State& state) {
  machine->bus.set_fidelity(Fidelity::timed);
  machine->ram.set_fidelity(Fidelity::timed);
  std::uint8_t line[64];
  std::uint64_t i = 0;
  for (auto _ : state) {
    const std::uint64_t offset = state.range(0) != 0 ? i * 0x9E3779B97F4A7C15u >> 44 << 6 : i * 64;
    machine->cpu.socket.read(0x8000'0000 + (offset & 0xF'FFC0), line, sizeof line, now);
    if (++i % 128 == 0) sc_core::wait(to_sc_time(now - kernel_time()));
  }
  state.SetItemsProcessed(state.iterations());
  machine->bus.set_fidelity(Fidelity::functional);
  machine->ram.set_fidelity(Fidelity::functional);
}

/// Each iteration sets the timer a microsecond ahead and reads past its edge, so that each synchronises once.
void timer_edge(benchmark::State& state) {
  for (auto _ : state) {
    std::uint64_t value = machine->clint.mtime(now) + 10;
    machine->cpu.socket.write(0x200'4000, &value, 8, now);
    now += 1'000'000;
    machine->cpu.socket.read(0x200'BFF8, &value, 8, now);
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(read_mtime);
BENCHMARK(read_memory);
BENCHMARK(read_memory_burst);
BENCHMARK(timer_edge);
BENCHMARK(timed_line)->ArgName("random")->Arg(0)->Arg(1);

}  // namespace
}  // namespace vp

int sc_main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  vp::machine = std::make_unique<vp::Machine>();
  vp::simulate([] { benchmark::RunSpecifiedBenchmarks(); });
  return 0;
}
