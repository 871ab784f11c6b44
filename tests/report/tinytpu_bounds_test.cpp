#include <gtest/gtest.h>

#include "models/tinytpu/closed_form.h"
#include "models/tinytpu/core.h"
#include "models/tinytpu/network.h"
#include "platform/report/systolic_gemm.h"

namespace vp {
namespace {

using tinytpu::Core;
using tinytpu::Instruction;
using tinytpu::IssuedWork;
using tinytpu::Layer;

tinytpu::TinyTpuConfig config_of(unsigned width) {
  tinytpu::TinyTpuConfig config;
  config.matrix_width = width;
  config.weight_depth = 1u << 17;
  config.hazard_report = false;
  return config;
}

std::vector<Instruction> original_program(unsigned width, const std::vector<unsigned>& layers) {
  return tinytpu::network_program(width, {layers, tinytpu::NetworkLayout::original}).instructions;
}

/// The runtime counter after a program whose instructions enter as fast as the FIFO takes them.
std::uint64_t runtime_of(unsigned width, const std::vector<Instruction>& instructions) {
  Core core(config_of(width));
  return tinytpu::run_program(core, instructions, tinytpu::Feed{1}).runtimes.at(0);
}

Instruction instruction(std::uint8_t opcode, std::uint32_t length) {
  Instruction made;
  made.opcode = opcode;
  made.length = length;
  return made;
}

/// One tile of weights and `vectors` vectors through it.
std::vector<Instruction> one_tile(unsigned width, unsigned vectors) {
  return {instruction(tinytpu::read_weights_opcode(false), width),
          instruction(tinytpu::matrix_multiply_opcode(false, false), vectors),
          instruction(tinytpu::kSynchronizeOpcode, 0)};
}

TEST(TinyTpuBounds, the_closed_form_is_what_a_stream_takes_that_is_fed_at_once) {
  const std::vector<std::vector<unsigned>> networks = {{784, 504, 10}, {64, 32, 10}, {14, 14}, {100, 1}, {3, 200, 3}};
  for (const unsigned width : {7u, 8u, 10u, 12u, 14u, 32u, 64u}) {
    for (const std::vector<unsigned>& network : networks) {
      std::vector<Layer> layers;
      for (std::size_t i = 1; i < network.size(); ++i) layers.push_back({network[i - 1], network[i]});
      const std::vector<Instruction> program = original_program(width, network);
      EXPECT_EQ(program.size(), layered_instructions(layers, width));
      EXPECT_EQ(runtime_of(width, program), layered_minimum_cycles(layers, width)) << "width " << width;
    }
  }
}

TEST(TinyTpuBounds, no_program_beats_the_issue_bound) {
  for (const unsigned width : {7u, 14u, 32u}) {
    const auto program = original_program(width, {100, 60, 10});
    IssuedWork work[3];
    for (const Instruction& one : program) {
      if (one.kind() == tinytpu::InstructionKind::synchronize) continue;
      IssuedWork& unit = work[static_cast<int>(one.kind()) - 1];
      ++unit.instructions;
      unit.rows += one.length;
    }
    const std::uint64_t bound = issue_bound_cycles(work[0], work[1], work[2]);
    EXPECT_LE(bound, runtime_of(width, program));
    EXPECT_GT(bound, runtime_of(width, program) / 2) << "a bound far off shows nothing";
  }
}

// The weight-stationary form of SCALE-Sim for one fold, 2·R + C + T − 2, is R cycles to load the weights, then R + C +
// T − 2 for the skewed wavefront. tinyTPU differs in two ways, both by design:
//  - a tile's weights flow in beneath the wavefront, one row each cycle ahead of the vector element that needs it, so
//  the R
//    cycles of loading are hidden;
//  - an element is broadcast to all columns of its row, so there is no skew across columns: C − 1 cycles less.
// What is left, R + T − 1, has to agree in every width and length, up to the constant depth of its pipeline: 15 cycles
// from the fetch to the synchronize.
TEST(TinyTpuBounds, one_fold_agrees_with_scale_sim_but_for_hidden_weights_and_missing_column_skew) {
  for (const std::uint64_t n : {4, 7, 8, 14, 32, 100, 256}) {
    for (const std::uint64_t vectors : {1, 2, 14, 77, 300}) {
      const SystolicMapping mapping = map_gemm({vectors, n, n}, Dataflow::kWeightStationary);
      const std::uint64_t hidden_weights = n;
      const std::uint64_t column_skew = n - 1;
      const std::uint64_t wavefront = systolic_cycles(mapping, {n, n}) - hidden_weights - column_skew;
      const auto runtime =
          runtime_of(static_cast<unsigned>(n), one_tile(static_cast<unsigned>(n), static_cast<unsigned>(vectors)));
      EXPECT_EQ(runtime, wavefront + 15) << n << " x " << vectors;
    }
  }
}

// Further folds: SCALE-Sim runs folds one after the other and charges each in full. tinyTPU streams them, the next
// tile's weights beneath the present tile's vectors, so a fold of N vectors adds N cycles and the rest is paid once a
// column block.
TEST(TinyTpuBounds, streamed_folds_cost_only_their_vectors) {
  for (const unsigned width : {7u, 14u, 32u}) {
    const auto runtime = [&](unsigned folds) {
      return runtime_of(width, original_program(width, {folds * width, width}));
    };
    const std::uint64_t fold = systolic_cycles({width, width, width}, {width, width});
    EXPECT_EQ(fold, 4 * width - 2);
    for (const unsigned folds : {2u, 3u, 10u}) {
      EXPECT_EQ(runtime(folds) - runtime(folds - 1), width);
      EXPECT_EQ(systolic_cycles({folds * width, width, width}, {width, width}), folds * fold);
    }
  }
}

}  // namespace
}  // namespace vp
