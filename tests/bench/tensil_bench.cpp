// The Tensil TCU: multiply-accumulates a second of the array, by way of computing, and of a whole tile with its moves.
#include <benchmark/benchmark.h>

#include <random>

#include "models/tensil/asm.h"
#include "models/tensil/core.h"

namespace vp::tensil {
namespace {

Architecture sized(unsigned width, DataType type) {
  Architecture made = presets()[4].architecture;
  made.array_size = width;
  made.data_type = type;
  return made;
}

void count(benchmark::State& state, std::uint64_t steps) {
  state.counters["MAC/s"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

/// One tile of weights for 64 vectors, over and over.
void run_array(benchmark::State& state, unsigned width, DataType type, const DotProductVariant& variant) {
  const FixedPoint format = kFixedPoints[static_cast<unsigned>(type)];
  constexpr unsigned kVectors = 64;
  const unsigned lanes = padded_lanes(width);
  std::mt19937 random(1);
  std::vector<std::int32_t> weights(std::size_t{width + 1} * lanes), vectors(std::size_t{kVectors} * width);
  for (auto* values : {&weights, &vectors})
    for (auto& value : *values) value = static_cast<std::int32_t>(random() % 512) - 256;
  std::vector<const std::int32_t*> rows;
  for (unsigned r = 0; r <= width; ++r) rows.push_back(&weights[std::size_t{r} * lanes]);
  std::vector<std::int32_t> results(std::size_t{kVectors} * lanes);
  std::uint64_t steps = 0;
  for (auto _ : state) {
    variant.function(format, {rows.data(), width, lanes}, vectors.data(), kVectors, results.data());
    benchmark::DoNotOptimize(results.data());
    steps += std::uint64_t{kVectors} * width * width;
  }
  count(state, steps);
}

/// A tile as compiled networks have it: data and weights from DRAM, products, ReLU, result to DRAM.
void run_tile(benchmark::State& state) {
  const Architecture architecture = presets()[4].architecture;
  FixedLatencyDram dram0({16, 0, 0}), dram1({16, 0, 0});
  Core core(architecture, Encoding::v1, OnError::stop, 16, dram0, dram1);
  std::string text =
      "data_move.dram1_to_local 0, 0, 33\nload_weight 0, 33\ndata_move.dram0_to_local 33, 0, 64\nmat_mul 33, 0, 64\n"
      "simd zero 0, 0, r1, r1, r1\n";
  for (unsigned row = 0; row < 64; ++row)
    text += "simd.read.write max " + std::to_string(row) + ", " + std::to_string(row) + ", input, r1, output\n";
  text += "data_move.accumulator_to_local 97, 0, 64\ndata_move.local_to_dram0 97, 0, 64\n";
  const std::vector<std::uint8_t> program = assemble(core.layout(), text, "benchmark");
  for (auto _ : state) core.push(program.data(), program.size());
  count(state, core.figures().multiply_accumulates);
  state.counters["cycles/s"] =
      benchmark::Counter(static_cast<double>(core.timing().cycles()), benchmark::Counter::kIsRate);
}
BENCHMARK(run_tile)->Name("tile/N32/FP16BP8");

#if defined(__x86_64__)
typedef std::int32_t Lanes16 __attribute__((vector_size(64)));

/// Vector instructions of a step for 16 lanes: what no way of computing it can do without.
constexpr std::uint64_t kInstructionsOfAStep = 11;

/// What the host could do if it did nothing but the vector instructions of the steps: eight chains that wait for
/// nothing but themselves.
__attribute__((target("avx512f"))) void run_peak(benchmark::State& state) {
  if (!__builtin_cpu_supports("avx512f")) return state.SkipWithError("no AVX-512");
  Lanes16 a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    for (int round = 0; round < 1000; ++round)
      __asm__ volatile(
          "vpaddd %0, %0, %0\n vpaddd %1, %1, %1\n vpaddd %2, %2, %2\n vpaddd %3, %3, %3\n"
          "vpaddd %4, %4, %4\n vpaddd %5, %5, %5\n vpaddd %6, %6, %6\n vpaddd %7, %7, %7"
          : "+v"(a), "+v"(b), "+v"(c), "+v"(d), "+v"(e), "+v"(f), "+v"(g), "+v"(h));
    instructions += 8 * 1000;
  }
  count(state, instructions * 16 / kInstructionsOfAStep);
}
BENCHMARK(run_peak)->Name("host peak/FP16BP8/avx512");
#endif

void register_arrays() {
  for (const DataType type : {DataType::fp16bp8, DataType::fp32bp16})
    for (const unsigned width : {8u, 16u, 32u})
      for (const DotProductVariant& variant : dot_product_variants()) {
        const Architecture architecture = sized(width, type);
        if (!variant.takes(architecture.format())) continue;
        const std::string name =
            "array/N" + std::to_string(width) + "/" + architecture.format().name + "/" + variant.name;
        benchmark::RegisterBenchmark(
            name.c_str(), [width, type, variant](benchmark::State& state) { run_array(state, width, type, variant); });
      }
}

[[maybe_unused]] const bool kRegistered = (register_arrays(), true);

}  // namespace
}  // namespace vp::tensil
