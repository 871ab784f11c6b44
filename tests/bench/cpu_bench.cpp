// Host speed of the CPU inside a small machine: CPU, bus, memory, CLINT and finisher, default settings; functional,
// timed with caches, and with a trace to the null device. The programs are those of riscv-mips; QEMU runs the same ELF
// file in the same session, for comparison.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <systemc>

#include "models/bus/bus.h"
#include "models/cpu/cpu.h"
#include "models/finisher/finisher.h"
#include "models/irq/clint.h"
#include "models/memory/memory.h"
#include "platform/trace/instruction_trace.h"

namespace {

using namespace vp;

cpu::CpuConfig config_of(unsigned xlen) {
  cpu::CpuConfig config;
  config.isa = xlen == 32 ? cpu::Isa::kRv32imac : cpu::Isa::kRv64imac;
  config.reset_pc = 0x8000'0000;
  return config;
}

class Machine : public sc_core::sc_module {
 public:
  Machine(sc_core::sc_module_name module_name, unsigned xlen)
      : sc_module(module_name),
        bus("bus", BusConfig(), horizon, {"cpu"},
            {{"finisher", 0x10'0000, 0x1000, false},
             {"clint", 0x0200'0000, 0x1'0000, false},
             {"dram0", 0x8000'0000, std::uint64_t{256} << 20, true}}),
        memory("memory", MemoryConfig(), BusConfig().clock),
        clint("clint", ClintConfig(), horizon),
        finisher("finisher"),
        cpu("cpu", config_of(xlen), horizon) {
    bus.connect_initiator("cpu", cpu.socket);
    bus.connect_target("finisher", finisher.socket);
    bus.connect_target("clint", clint.socket);
    bus.connect_target("dram0", memory.socket);
    clint.bind_software_interrupt([this](bool level) { cpu.set_msip(level); });
    clint.bind_timer_interrupt([this](bool level) { cpu.set_mtip(level); });
    cpu.set_time_source([this](Picoseconds now) { return clint.mtime(now); });
    finisher.on_finish([this](const auto&) { cpu.request_stop(); });
    cpu.on_halt([this](cpu::Halt why) {
      halt = why;
      sc_core::sc_pause();
    });
  }

  /// Runs a flat program from its start to the finisher, or so many instructions of it; returns their number.
  std::uint64_t run(const std::string& program, Fidelity fidelity, std::uint64_t most = ~std::uint64_t{0}) {
    cpu.set_fidelity(fidelity);
    memory.clear();
    std::copy(program.begin(), program.end(), memory.data());
    const std::uint64_t before = cpu.core().retired();
    const bool whole = most == ~std::uint64_t{0};
    cpu.set_instruction_limit(whole ? most : before + most);
    cpu.reset();
    cpu.resume();
    sc_core::sc_start();
    if (halt != (whole ? cpu::Halt::kRequested : cpu::Halt::kInstructionLimit))
      throw std::runtime_error("the program did not come to its end");
    return cpu.core().retired() - before;
  }

  Horizon horizon;
  Bus bus;
  Memory memory;
  Clint clint;
  Finisher finisher;
  cpu::Cpu cpu;
  cpu::Halt halt = cpu::Halt::kRequested;
};

std::unique_ptr<Machine> machines[2];  // RV32, RV64: a module cannot be made once the simulation runs

std::string program_of(const char* name) {
  std::ifstream file(std::string(VP_WORKLOADS) + "/" + name + ".bin", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void run_program(benchmark::State& state, const char* name, unsigned xlen, Fidelity fidelity) {
  const std::string program = program_of(name);
  if (program.empty()) return state.SkipWithError("the program is missing: riscv64-unknown-elf-gcc was not found");
  std::uint64_t instructions = 0;
  for (auto _ : state) instructions += machines[xlen / 64]->run(program, fidelity);
  state.counters["instructions/s"] = benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

void run_traced(benchmark::State& state, const char* name, unsigned xlen, TraceStyle style) {
  constexpr std::uint64_t kInstructions = 2'000'000;
  const std::string program = program_of(name);
  if (program.empty()) return state.SkipWithError("the program is missing: riscv64-unknown-elf-gcc was not found");
  SymbolTable symbols;
  symbols.add(0x8000'0000, 0, 0x8100'0000, "program");
  symbols.sort();
  InstructionTrace trace("/dev/null", {}, style, xlen, symbols);
  trace.begin();
  Machine& machine = *machines[xlen / 64];
  cpu::Hooks hooks;
  hooks.trace = [&trace](const cpu::TraceRecord& record) { trace(record); };
  machine.cpu.set_hooks(std::move(hooks));
  std::uint64_t instructions = 0;
  for (auto _ : state) instructions += machine.run(program, Fidelity::functional, kInstructions);
  machine.cpu.set_hooks({});
  trace.close();
  state.counters["instructions/s"] = benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

void poll(benchmark::State& state, const char* name, unsigned xlen) {
  constexpr double kPolls = 5e6;  // ITER of the Makefile
  run_program(state, name, xlen, Fidelity::functional);
  state.counters["s/poll"] = benchmark::Counter(kPolls * static_cast<double>(state.iterations()),
                                                benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void qemu(benchmark::State& state, const char* name, unsigned xlen) {
  const std::string command = "qemu-system-riscv" + std::to_string(xlen) +
                              " -M virt -bios none -icount shift=0 -nographic -kernel " VP_WORKLOADS "/" + name +
                              ".elf </dev/null >/dev/null 2>&1";
  for (auto _ : state) {
    const int status = std::system(command.c_str());
    if (status < 0 || WEXITSTATUS(status) == 127) return state.SkipWithError("qemu-system-misc is not installed");
  }
}

BENCHMARK_CAPTURE(run_program, int64, "int64", 64, Fidelity::functional)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(run_program, int64_timed, "int64", 64, Fidelity::timed)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(qemu, int64, "int64", 64)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK_CAPTURE(run_program, int32, "int32", 32, Fidelity::functional)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(run_program, int32_timed, "int32", 32, Fidelity::timed)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(qemu, int32, "int32", 32)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK_CAPTURE(run_traced, int64_text, "int64", 64, TraceStyle::text)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(run_traced, int64_spike, "int64", 64, TraceStyle::spike)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(poll, mmio64, "mmio64", 64)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(poll, mmio32, "mmio32", 32)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

}  // namespace

int sc_main(int argc, char** argv) {
  machines[0] = std::make_unique<Machine>("rv32", 32);
  machines[1] = std::make_unique<Machine>("rv64", 64);
  // Both find no program, and halt on their first trap.
  for (int i = 0; i < 3; ++i) sc_core::sc_start(1, sc_core::SC_US);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
