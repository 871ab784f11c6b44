#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/common/bounds.h"
#include "models/tinytpu/config.h"
#include "models/tinytpu/figures.h"

namespace vp::tinytpu {

// What no run of a tinyTPU can beat.

/// One fully connected layer: `inputs` × `outputs` weights.
struct Layer {
  std::uint64_t inputs;
  std::uint64_t outputs;
};

/// Instructions of the published tinyTPU program (NetworkLayout::original): 5·Σ⌈C/N⌉ + 1.
std::uint64_t layered_instructions(const std::vector<Layer>& layers, std::uint64_t matrix_width);

/// Least tinyTPU cycles of that program for N vectors, when feeding it is no limit:
/// Σ ⌈C/N⌉·(R_pad + 10) + 2N + 22, with R_pad the inputs rounded up to whole tiles. It is what the runtime counter
/// shows.
std::uint64_t layered_minimum_cycles(const std::vector<Layer>& layers, std::uint64_t matrix_width);

/// Instructions of one kind that were executed, and the sum of their lengths (rows).
struct IssuedWork {
  std::uint64_t instructions = 0;
  std::uint64_t rows = 0;
};

/// Least cycles any tinyTPU program with these instructions can take: each unit issues an instruction of length L every
/// L + 4 cycles at best (README, Timing), so the busiest unit bounds the program.
std::uint64_t issue_bound_cycles(const IssuedWork& weights, const IssuedWork& multiplies, const IssuedWork& activates);

/// Peak multiply-accumulates a second of an N × N array: N² a clock cycle.
double peak_macs_per_second(std::uint64_t matrix_width, Picoseconds clock_period);

/// Adds its cells and the bits of its memories: N² cells; weight and unified buffer, and accumulators of 32 bits.
void add_cost(const TinyTpuConfig& config, HardwareCost& cost);

/// What a tinyTPU of this name did and could do.
ComputeUse compute_use(const std::string& name, const TinyTpuConfig& config, const CoreFigures& figures);

}  // namespace vp::tinytpu
