#include <gtest/gtest.h>

#include "platform/report/ideal_bounds.h"
#include "platform/report/systolic_gemm.h"

namespace vp {
namespace {

double number(const Statistics& tree, const std::string& path) {
  const Statistics::Value* value = tree.find(path);
  if (!value) return -1;
  return std::holds_alternative<double>(*value) ? std::get<double>(*value)
                                                : static_cast<double>(std::get<std::uint64_t>(*value));
}

TEST(IdealBounds, instructions_of_the_mnist_network_are_the_published_ones) {
  const std::vector<Layer> network = {{784, 501}, {501, 10}};
  const std::pair<std::uint64_t, std::uint64_t> published[] = {{6, 431}, {8, 326}, {10, 261}, {12, 216}, {14, 186}};
  for (const auto& [width, count] : published) EXPECT_EQ(layered_instructions(network, width), count);
}

TEST(IdealBounds, one_tile_takes_3n_plus_32_cycles) {
  for (std::uint64_t n : {7, 8, 10, 14, 32}) EXPECT_EQ(layered_minimum_cycles({{n, n}}, n), 3 * n + 32);
}

TEST(IdealBounds, inputs_are_padded_to_whole_tiles) {
  EXPECT_EQ(layered_minimum_cycles({{15, 14}}, 14), layered_minimum_cycles({{28, 14}}, 14));
  EXPECT_EQ(layered_minimum_cycles({{28, 14}}, 14), 28u + 10 + 2 * 14 + 22);
}

TEST(IdealBounds, the_busiest_unit_bounds_a_program) {
  EXPECT_EQ(issue_bound_cycles({2, 100}, {3, 100}, {1, 14}), 112u);
  EXPECT_EQ(issue_bound_cycles({}, {}, {5, 0}), 20u);
}

TEST(IdealBounds, peak_is_the_width_squared_a_cycle) {
  EXPECT_DOUBLE_EQ(peak_macs_per_second(14, 5625), 196 * 1e12 / 5625);
}

TEST(IdealBounds, the_group_holds_reached_figures_beside_their_bounds) {
  IdealInputs inputs;
  inputs.matrix_width = 10;
  inputs.tpu_clock_period = 1000;
  inputs.simulated_time = 1'000'000;  // 1 us
  inputs.macs = 50'000;
  inputs.tpu_cycles = 600;
  inputs.minimum_cycles = 500;
  inputs.links = {{"dram0", 1e9, 500}, {"idle", 2e9, 0}};
  Statistics tree;
  add_ideal_bounds(tree, inputs);
  EXPECT_DOUBLE_EQ(number(tree, "ideal.peak_macs_per_second"), 1e11);
  EXPECT_DOUBLE_EQ(number(tree, "ideal.reached_macs_per_second"), 5e10);
  EXPECT_DOUBLE_EQ(number(tree, "ideal.macs_of_peak"), 50);
  EXPECT_DOUBLE_EQ(number(tree, "ideal.cycles_of_minimum"), 120);
  EXPECT_DOUBLE_EQ(number(tree, "ideal.links.dram0.reached_bandwidth"), 5e8);
  EXPECT_DOUBLE_EQ(number(tree, "ideal.links.dram0.of_peak"), 50);
  EXPECT_DOUBLE_EQ(number(tree, "ideal.links.dram0.intensity"), 100);
  EXPECT_DOUBLE_EQ(number(tree, "ideal.links.idle.intensity"), 0);
}

TEST(IdealBounds, no_time_and_no_closed_form_give_no_infinities) {
  Statistics tree;
  IdealInputs inputs;
  inputs.matrix_width = 14;
  add_ideal_bounds(tree, inputs);
  EXPECT_DOUBLE_EQ(number(tree, "ideal.reached_macs_per_second"), 0);
  EXPECT_EQ(tree.find("ideal.minimum_cycles"), nullptr);
}

TEST(SystolicGemm, dataflows_map_the_product_as_the_paper_says) {
  const GemmShape shape{11, 22, 33};
  const SystolicMapping os = map_gemm(shape, Dataflow::kOutputStationary);
  EXPECT_EQ(os.spatial_rows, 11u);
  EXPECT_EQ(os.spatial_columns, 33u);
  EXPECT_EQ(os.temporal, 22u);
  const SystolicMapping ws = map_gemm(shape, Dataflow::kWeightStationary);
  EXPECT_EQ(ws.spatial_rows, 22u);
  EXPECT_EQ(ws.spatial_columns, 33u);
  EXPECT_EQ(ws.temporal, 11u);
  const SystolicMapping is = map_gemm(shape, Dataflow::kInputStationary);
  EXPECT_EQ(is.spatial_rows, 22u);
  EXPECT_EQ(is.spatial_columns, 11u);
  EXPECT_EQ(is.temporal, 33u);
}

TEST(SystolicGemm, one_fold_on_a_fitting_array_is_the_unlimited_formula) {
  for (std::uint64_t size : {1, 2, 8, 128}) {
    const SystolicMapping mapping{size, 2 * size, 3 * size};
    EXPECT_EQ(systolic_cycles(mapping, {size, 2 * size}), systolic_cycles_unlimited(mapping));
    EXPECT_EQ(systolic_cycles_unlimited(mapping), 2 * size + 2 * size + 3 * size - 2);
  }
}

TEST(SystolicGemm, partial_folds_count_whole) {
  EXPECT_EQ(systolic_cycles({9, 9, 100}, {8, 8}), 4 * (16u + 8 + 100 - 2));
}

/// Cycles of a product on an output-stationary array by walking its cells: cell (r, c) takes operand k in cycle r + c +
/// k (the skew of rows and columns), and its sum leaves through the rows below it.
std::uint64_t walked_output_stationary(std::uint64_t rows, std::uint64_t columns, std::uint64_t depth) {
  std::uint64_t last = 0;
  for (std::uint64_t r = 0; r < rows; ++r)
    for (std::uint64_t c = 0; c < columns; ++c) last = std::max(last, r + c + depth - 1);
  return last + 1 + rows;  // all rows shift out once the last cell is done
}

TEST(SystolicGemm, the_output_stationary_form_is_what_walking_the_cells_gives) {
  for (std::uint64_t r = 1; r < 12; ++r)
    for (std::uint64_t c = 1; c < 12; ++c)
      for (std::uint64_t k = 1; k < 20; k += 3)
        EXPECT_EQ(systolic_cycles_unlimited({r, c, k}), walked_output_stationary(r, c, k));
}

TEST(SystolicGemm, utilisation_is_work_over_what_the_array_offers) {
  EXPECT_DOUBLE_EQ(systolic_utilisation({8, 8, 8}, Dataflow::kWeightStationary, {8, 8}), 512.0 / (30 * 64));
  EXPECT_LT(systolic_utilisation({1, 9, 9}, Dataflow::kWeightStationary, {8, 8}), 0.02);
}

}  // namespace
}  // namespace vp
