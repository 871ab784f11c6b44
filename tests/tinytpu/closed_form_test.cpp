#include "models/tinytpu/closed_form.h"

#include <gtest/gtest.h>

namespace vp::tinytpu {
namespace {

TEST(TinyTpuClosedForm, instructions_of_the_mnist_network_are_the_published_ones) {
  const std::vector<Layer> network = {{784, 501}, {501, 10}};
  const std::pair<std::uint64_t, std::uint64_t> published[] = {{6, 431}, {8, 326}, {10, 261}, {12, 216}, {14, 186}};
  for (const auto& [width, count] : published) EXPECT_EQ(layered_instructions(network, width), count);
}

TEST(TinyTpuClosedForm, one_tile_takes_3n_plus_32_cycles) {
  for (std::uint64_t n : {7, 8, 10, 14, 32}) EXPECT_EQ(layered_minimum_cycles({{n, n}}, n), 3 * n + 32);
}

TEST(TinyTpuClosedForm, inputs_are_padded_to_whole_tiles) {
  EXPECT_EQ(layered_minimum_cycles({{15, 14}}, 14), layered_minimum_cycles({{28, 14}}, 14));
  EXPECT_EQ(layered_minimum_cycles({{28, 14}}, 14), 28u + 10 + 2 * 14 + 22);
}

TEST(TinyTpuClosedForm, the_busiest_unit_bounds_a_program) {
  EXPECT_EQ(issue_bound_cycles({2, 100}, {3, 100}, {1, 14}), 112u);
  EXPECT_EQ(issue_bound_cycles({}, {}, {5, 0}), 20u);
}

TEST(TinyTpuClosedForm, peak_is_the_width_squared_a_cycle) {
  EXPECT_DOUBLE_EQ(peak_macs_per_second(14, 5625), 196 * 1e12 / 5625);
}

TEST(TinyTpuClosedForm, the_array_took_the_cycles_in_which_a_program_was_under_way) {
  TinyTpuConfig config;
  config.matrix_width = 10;
  config.clock_period = 1000;
  CoreFigures figures;
  figures.instructions.matrix_multiply = 2;
  figures.rows.vectors = 100;
  const auto held_up = [&](HeldUp cause) -> std::uint64_t& {
    return figures.cycles.held_up.cycles[static_cast<unsigned>(cause)];
  };
  held_up(HeldUp::multiply) = 110;
  held_up(HeldUp::host_feed) = 20;
  held_up(HeldUp::idle) = 500;
  const ComputeUse use = compute_use("tpu1", config, figures);
  EXPECT_EQ(use.name, "tpu1");
  EXPECT_DOUBLE_EQ(use.peak_macs_per_second, 1e11);
  EXPECT_EQ(use.mapped_macs, 10'000u);
  EXPECT_FALSE(use.useful_macs) << "instructions do not tell padding from data";
  EXPECT_EQ(use.minimum_cycles, 108u);
  EXPECT_EQ(use.cycles, 130u);
  EXPECT_EQ(use.clock, 1000u);
  for (const HeldUpBy& one : use.held_up_by) {
    EXPECT_NE(one.cause, "idle");
    EXPECT_EQ(one.by_host, one.cause == "host_feed");
    EXPECT_EQ(one.cycles, one.cause == "multiply" ? 110u : one.cause == "host_feed" ? 20u : 0u) << one.cause;
  }
}

}  // namespace
}  // namespace vp::tinytpu
