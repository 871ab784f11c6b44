#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/common/clock.h"
#include "models/common/statistics.h"

namespace vp {

/// One fully connected layer: `inputs` × `outputs` weights.
struct Layer {
  std::uint64_t inputs;
  std::uint64_t outputs;
};

/// Instructions of the layered tinyTPU program of spec section 7: 5·Σ⌈C/N⌉ + 1.
std::uint64_t layered_instructions(const std::vector<Layer>& layers, std::uint64_t matrix_width);

/// Least tinyTPU cycles of that program for N vectors, when feeding it is no limit (spec section 7):
/// Σ ⌈C/N⌉·(R_pad + 10) + 2N + 22, with R_pad the inputs rounded up to whole tiles. It is what the runtime counter
/// shows.
std::uint64_t layered_minimum_cycles(const std::vector<Layer>& layers, std::uint64_t matrix_width);

/// Instructions of one kind that were executed, and the sum of their lengths (rows).
struct IssuedWork {
  std::uint64_t instructions = 0;
  std::uint64_t rows = 0;
};

/// Least cycles any tinyTPU program with these instructions can take: each unit issues an instruction of length L every
/// L + 4 cycles at best (spec section 4.2), so the busiest unit bounds the program.
std::uint64_t issue_bound_cycles(const IssuedWork& weights, const IssuedWork& multiplies, const IssuedWork& activates);

/// Peak multiply-accumulates a second of an N × N array: N² a clock cycle.
double peak_macs_per_second(std::uint64_t matrix_width, Picoseconds clock_period);

/// A link or memory with what it could move and what it did move.
struct LinkUse {
  std::string name;              ///< "dram0", "bus"
  double peak_bytes_per_second;  ///< from width and clock
  std::uint64_t bytes;           ///< moved in the run
};

/// What a run is held against.
struct IdealInputs {
  std::uint64_t matrix_width = 0;
  Picoseconds tpu_clock_period = 1;
  Picoseconds simulated_time = 0;
  std::uint64_t tpu_cycles = 0;      ///< cycles from the first instruction's fetch to the last effect
  std::uint64_t minimum_cycles = 0;  ///< closed-form least, issue_bound_cycles or layered_minimum_cycles; 0: none known
  std::uint64_t macs = 0;            ///< multiply-accumulates done: N² a vector
  std::vector<LinkUse> links;
};

/// Adds the group "ideal" to a run's statistics: the bounds beside what was reached. A figure above its bound shows
/// that something is wrong. The report draws its roofline from this group.
void add_ideal_bounds(Statistics& root, const IdealInputs& inputs);

}  // namespace vp
