// Simulated clock cycles of the tinyTPU per second of host time, and accesses of its port.
#include <benchmark/benchmark.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <random>

#include "models/tinytpu/asm.h"
#include "models/tinytpu/axi_port.h"
#include "models/tinytpu/network.h"

namespace vp::tinytpu {
namespace {

TinyTpuConfig sized(unsigned width) {
  TinyTpuConfig config;
  config.matrix_width = width;
  return config;
}

void fill(Core& core) {
  std::mt19937 random(1);
  std::vector<std::uint8_t> row(core.config().matrix_width);
  for (unsigned r = 0; r < 2048; ++r) {
    for (auto& byte : row) byte = static_cast<std::uint8_t>(random());
    core.write_weights(r, row.data());
    core.write_unified_buffer(r, row.data());
  }
}

void count_cycles(benchmark::State& state, std::uint64_t cycles) {
  state.counters["cycles/s"] = benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
}

void count_products(benchmark::State& state, std::uint64_t products) {
  state.counters["MAC/s"] = benchmark::Counter(static_cast<double>(products), benchmark::Counter::kIsRate);
}

#if defined(__x86_64__)
/// What the host's matrix unit does at most: tiles multiplied without loads and stores.
__attribute__((target("amx-tile,amx-int8"))) void bare_tile_multiply(benchmark::State& state) {
  if (std::string(inner_product_variants().front().name) != "amx")
    return state.SkipWithError("this processor has no AMX int8, or its kernel gives it to nobody");
  // Eight tiles of 16 rows by 64 bytes, as LDTILECFG takes it.
  struct alignas(64) {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
  } config;
  asm volatile("" : : "r"(&config) : "memory");
  _tile_loadconfig(&config);
  std::uint64_t products = 0;
  for (auto _ : state) {
    for (int i = 0; i < 1000; ++i) {
      _tile_dpbssd(0, 4, 6);
      _tile_dpbssd(1, 4, 7);
      _tile_dpbssd(2, 5, 6);
      _tile_dpbssd(3, 5, 7);
    }
    products += std::uint64_t{4000} * 16 * 16 * 64;
  }
  _tile_release();
  count_products(state, products);
}
BENCHMARK(bare_tile_multiply);
#endif

/// A multiply every cycle; `program` is fed over and over. Counts the cycles of the core, the data included.
void run_stream(benchmark::State& state, unsigned width, const std::string& text, const InnerProductVariant& variant) {
  Core core(sized(width));
  core.use(variant);
  fill(core);
  const std::vector<Instruction> program = assemble(text, "benchmark");
  Edge edge = 0;
  std::uint64_t cycles = 0;
  std::vector<std::uint8_t> row(width);
  for (auto _ : state) {
    const Edge begin = core.next_edge();
    for (int repeat = 0; repeat < 8; ++repeat) {
      for (const Instruction& in : program) {
        edge = core.predict_push_edge(edge + 12);
        core.push(in, edge);
      }
    }
    core.advance_to(core.predict_finish());
    core.read_unified_buffer(0, row.data());
    edge = core.next_edge();
    cycles += core.next_edge() - begin;
  }
  count_cycles(state, cycles);
  count_products(state, core.figures().rows.vectors * width * width);
}

/// One set of weights for all vectors.
std::string fixed_weights(unsigned width) {
  const std::string n = std::to_string(width);
  return "read_weights.s 0, " + n + "\nmatrix_multiply.s 0, 0, 4000\n";
}

/// As the scripts do it: a new tile of weights every N vectors, accumulated, then activated.
std::string streamed_weights(unsigned width) {
  const std::string n = std::to_string(width), rest = std::to_string(width * (2000 / width));
  return "read_weights.s 0, " + n + "\nmatrix_multiply.s 0, 0, " + n + "\nread_weights.s " + n + ", " + rest +
         "\nmatrix_multiply.s.acc 0, " + n + ", " + rest + "\nactivate.s.sigmoid 3000, 0, " + n + "\n";
}

void register_streams() {
  for (unsigned width : {14U, 32U, 256U}) {
    for (const InnerProductVariant& variant : inner_product_variants()) {
      const std::string suffix = "/N" + std::to_string(width) + "/" + variant.name;
      benchmark::RegisterBenchmark(("fixed_weights" + suffix).c_str(), [width, variant](benchmark::State& state) {
        run_stream(state, width, fixed_weights(width), variant);
      });
      benchmark::RegisterBenchmark(("streamed_weights" + suffix).c_str(), [width, variant](benchmark::State& state) {
        run_stream(state, width, streamed_weights(width), variant);
      });
    }
  }
}
const bool registered = (register_streams(), true);

void mnist(benchmark::State& state) {
  const NetworkProgram program = network_program(14, {{784, 504, 10}, NetworkLayout::original});
  std::uint64_t cycles = 0;
  for (auto _ : state) {
    Core core(sized(14));
    cycles += run_program(core, program.instructions, {104}).last_edge;
    benchmark::DoNotOptimize(core.accumulators(0));
  }
  count_cycles(state, cycles);
}
BENCHMARK(mnist);

void idle(benchmark::State& state) {
  Core core(sized(14));
  Edge edge = 0;
  for (auto _ : state) core.advance_to(edge += 1000000);
  count_cycles(state, edge);
}
BENCHMARK(idle);

/// The poll loop of a driver: reads of the runtime counter while a program runs.
void poll_runtime(benchmark::State& state) {
  Core core(sized(14));
  AxiPort port(core);
  Edge edge = 0;
  for (auto _ : state) {
    const AxiPort::ReadAnswer answer = port.read(0x90000, edge + 8);
    benchmark::DoNotOptimize(answer.data);
    edge = answer.response;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(poll_runtime);

void write_unified_buffer(benchmark::State& state) {
  Core core(sized(14));
  AxiPort port(core);
  Edge edge = 0;
  std::uint64_t offset = 0;
  for (auto _ : state) {
    edge = port.write(0x80000 + (offset += 4) % 0x10000, 0x12345678, 15, edge).response;
    benchmark::DoNotOptimize(edge);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(write_unified_buffer);

void write_weight_buffer(benchmark::State& state) {
  Core core(sized(14));
  AxiPort port(core);
  Edge edge = 0;
  std::uint64_t offset = 0;
  for (auto _ : state) {
    edge = port.write((offset += 4) % 0x80000, 0x12345678, 15, edge).response;
    benchmark::DoNotOptimize(edge);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(write_weight_buffer);

void push_instructions(benchmark::State& state) {
  Core core(sized(14));
  AxiPort port(core);
  Edge edge = 0;
  for (auto _ : state) {
    for (std::uint64_t word = 4; word < 16; word += 4) edge = port.write(0x90000 + word, 0xFF, 15, edge).response;
    while (core.next_synchronize() <= edge) core.take_synchronize();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(push_instructions);

}  // namespace
}  // namespace vp::tinytpu
