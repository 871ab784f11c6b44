#include <gtest/gtest.h>

#include <stdexcept>

#include "platform/report/ideal_bounds.h"
#include "platform/report/run_tree.h"
#include "platform/report/systolic_gemm.h"

namespace vp {
namespace {

/// A run of a microsecond on one array of 10 × 10.
Bounds one_array() {
  Bounds bounds;
  bounds.timed_time = 1'000'000;
  bounds.computes = {{"tpu", 1e11, 50'000, 500, 600, 1000}};
  bounds.memories = {{"dram0", 1e9}, {"idle", 2e9}};
  bounds.buses = {{"bus", 8e8, true, {"cpu", "traffic0"}, {{"cpu", "dram0", 500}, {"traffic0", "dram0", 900}}}};
  bounds.background = {"traffic0"};
  return bounds;
}

const LinkFigures& link(const IdealFigures& ideal, const std::string& name) {
  for (const auto& [part, figures] : ideal.links.value().parts)
    if (part == name) return figures;
  throw std::out_of_range(name);
}

TEST(IdealBounds, reached_figures_stand_beside_their_bounds) {
  const IdealFigures ideal = ideal_figures(one_array()).value();
  EXPECT_DOUBLE_EQ(ideal.compute->peak_macs_per_second, 1e11);
  EXPECT_DOUBLE_EQ(ideal.compute->mapped_macs_per_second, 5e10);
  EXPECT_DOUBLE_EQ(ideal.compute->mapped_of_peak, 50);
  EXPECT_DOUBLE_EQ(ideal.compute->cycles_of_minimum.value(), 120);
  EXPECT_DOUBLE_EQ(link(ideal, "dram0").reached_bandwidth.value(), 5e8);
  EXPECT_DOUBLE_EQ(link(ideal, "dram0").of_peak.value(), 50);
  EXPECT_DOUBLE_EQ(link(ideal, "dram0").intensity, 100);
  EXPECT_DOUBLE_EQ(link(ideal, "idle").intensity, 0);
  EXPECT_FALSE(ideal.units);  // the one array is the whole
  EXPECT_FALSE(ideal.movers);
}

TEST(IdealBounds, useful_work_is_what_was_asked_for_and_padding_is_told_apart) {
  Bounds bounds = one_array();
  EXPECT_FALSE(ideal_figures(bounds)->compute->useful_macs) << "not known from instructions alone";
  EXPECT_FALSE(ideal_figures(bounds)->compute->mapping_efficiency);
  bounds.computes[0].useful_macs = 10'000;
  const IdealFigures ideal = ideal_figures(bounds).value();
  EXPECT_DOUBLE_EQ(ideal.compute->mapped_of_peak, 50);
  EXPECT_DOUBLE_EQ(ideal.compute->useful_macs_per_second.value(), 1e10);
  EXPECT_DOUBLE_EQ(ideal.compute->useful_of_peak.value(), 10);
  EXPECT_DOUBLE_EQ(ideal.compute->mapping_efficiency.value(), 20);
  EXPECT_DOUBLE_EQ(link(ideal, "dram0").intensity, 20) << "useful work a byte";
}

TEST(IdealBounds, useful_work_of_several_arrays_is_known_if_that_of_each_is) {
  Bounds bounds = one_array();
  bounds.computes.push_back(bounds.computes[0]);
  bounds.computes[0].useful_macs = 10'000;
  EXPECT_FALSE(ideal_figures(bounds)->compute->useful_macs);
  EXPECT_EQ(ideal_figures(bounds)->units->parts[0].second.useful_macs, 10'000u);
  bounds.computes[1].useful_macs = 20'000;
  EXPECT_EQ(ideal_figures(bounds)->compute->useful_macs, 30'000u);
}

TEST(IdealBounds, background_traffic_is_no_work_and_has_no_port) {
  const IdealFigures ideal = ideal_figures(one_array()).value();
  EXPECT_EQ(link(ideal, "bus").bytes, 500u);
  EXPECT_DOUBLE_EQ(link(ideal, "bus").peak_bandwidth, 8e8);
}

TEST(IdealBounds, more_than_a_link_can_carry_in_functional_mode_is_no_rate) {
  Bounds bounds = one_array();
  bounds.buses[0].carried[0].bytes = 1'500;
  EXPECT_DOUBLE_EQ(link(ideal_figures(bounds).value(), "dram0").of_peak.value(), 150) << "timed: the model is wrong";
  bounds.functional_time = 200'000;
  bounds.timed_time = 800'000;
  const IdealFigures ideal = ideal_figures(bounds).value();
  EXPECT_FALSE(link(ideal, "dram0").of_peak);
  EXPECT_FALSE(link(ideal, "dram0").reached_bandwidth);
  EXPECT_EQ(link(ideal, "dram0").beyond_peak, "in functional mode accesses do not wait for each other");
  EXPECT_EQ(link(ideal, "dram0").bytes, 1'500u);
  EXPECT_DOUBLE_EQ(link(ideal, "idle").of_peak.value(), 0);
}

TEST(IdealBounds, a_crossbar_carries_as_much_as_all_its_initiators_do) {
  Bounds bounds = one_array();
  bounds.buses[0].initiators.push_back("cdma0");
  EXPECT_DOUBLE_EQ(link(ideal_figures(bounds).value(), "bus").peak_bandwidth, 2 * 8e8);
  bounds.buses[0].port_each = false;
  EXPECT_DOUBLE_EQ(link(ideal_figures(bounds).value(), "bus").peak_bandwidth, 8e8);
}

TEST(IdealBounds, of_several_arrays_the_peaks_add_up_and_the_longest_tells_the_cycles) {
  Bounds bounds = one_array();
  bounds.computes.push_back({"tpu1", 2e11, 10'000, 400, 700, 500});  // 350 ns, the first takes 600 ns
  const IdealFigures ideal = ideal_figures(bounds).value();
  EXPECT_DOUBLE_EQ(ideal.compute->peak_macs_per_second, 3e11);
  EXPECT_EQ(ideal.compute->mapped_macs, 60'000u);
  EXPECT_EQ(ideal.compute->cycles, 600u);
  EXPECT_EQ(ideal.compute->minimum_cycles, 500u);
  ASSERT_EQ(ideal.units.value().parts.size(), 2u);
  EXPECT_EQ(ideal.units.value().parts[1].first, "tpu1");
  EXPECT_EQ(ideal.units.value().parts[1].second.cycles, 700u);
  EXPECT_DOUBLE_EQ(ideal.units.value().parts[1].second.mapped_of_peak, 5);
}

TEST(IdealBounds, a_mover_has_a_row_of_its_own) {
  Bounds bounds = one_array();
  bounds.movers = {{"cdma0", 8e8, 100, 250'000}};
  const IdealFigures ideal = ideal_figures(bounds).value();
  ASSERT_EQ(ideal.movers.value().parts.size(), 1u);
  EXPECT_EQ(ideal.movers.value().parts[0].first, "cdma0");
  const MoverFigures& mover = ideal.movers.value().parts[0].second;
  EXPECT_DOUBLE_EQ(mover.reached_bandwidth, 4e8);
  EXPECT_DOUBLE_EQ(mover.of_peak, 50);
  EXPECT_DOUBLE_EQ(mover.share_of_run, 25);
}

TEST(IdealBounds, no_time_and_no_closed_form_give_no_infinities) {
  Bounds bounds;
  bounds.computes = {{"tpu", 1e11}};
  const IdealFigures ideal = ideal_figures(bounds).value();
  EXPECT_DOUBLE_EQ(ideal.compute->mapped_macs_per_second, 0);
  EXPECT_FALSE(ideal.compute->minimum_cycles);
  EXPECT_FALSE(ideal.links);
}

TEST(IdealBounds, a_machine_that_neither_computes_nor_moves_has_none) {
  Bounds bounds = one_array();
  bounds.computes.clear();
  EXPECT_FALSE(ideal_figures(bounds));
}

TEST(IdealBounds, a_member_of_the_run_s_tree_knows_its_path) {
  EXPECT_EQ(figure_path(&RunTree::machine_run, &MachineRunFigures::simulated_time), "run.simulated_time");
  EXPECT_EQ(figure_path(&RunTree::ideal, &IdealFigures::links), "ideal.links");
  EXPECT_EQ(figure_path(&ComputeFigures::cycles), "cycles");
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
