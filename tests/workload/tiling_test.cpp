// How products are cut to fit the buffers: every piece fits, and together they are the whole product.
#include "platform/workload/tiling.h"

#include <gtest/gtest.h>

#include <random>

#include "models/common/error.h"

namespace vp::workload {
namespace {

tinytpu::TinyTpuConfig sized(unsigned width, unsigned weights, unsigned buffer) {
  tinytpu::TinyTpuConfig config;
  config.matrix_width = width;
  config.weight_depth = weights;
  config.unified_buffer_depth = buffer;
  return config;
}

TEST(WorkloadTiling, a_layer_that_fits_is_one_step_and_loads_everything_once) {
  const Tiling tiling = tile({28, 65, 42}, sized(14, 32768, 4096));
  ASSERT_EQ(tiling.steps.size(), 1u);
  EXPECT_TRUE((tiling.steps[0].step == Step{2, 14, 0, 3, 5, true, true}));
  EXPECT_EQ(tiling.weight_loads, 1u);
  EXPECT_EQ(tiling.activation_loads, 1u);
  EXPECT_EQ(tiling.mapped_macs(14), 28u * 70u * 42u);
}

TEST(WorkloadTiling, the_last_group_is_filled_up_where_tiles_stream) {
  EXPECT_TRUE((tile({30, 65, 42}, sized(14, 32768, 4096)).steps[0].step == Step{3, 14, 0, 3, 5, true, true}));
  EXPECT_TRUE((tile({30, 5, 4}, sized(4, 32768, 4096)).steps[0].step == Step{7, 4, 2, 1, 2, true, true}));
}

TEST(WorkloadTiling, weights_that_do_not_fit_pass_by_resident_activations) {
  // 64 vectors of 100 tiles stay, or weights of 1000 blocks would be loaded for each part of them.
  const Product product{64, 1000, 10'000};
  const Tiling tiling = tile(product, sized(10, 2000, 65'536));
  EXPECT_EQ(tiling.activation_loads, 1u);
  EXPECT_EQ(tiling.weight_loads, 1u);
  EXPECT_EQ(tiling.step_blocks, 2u);
  EXPECT_EQ(tiling.step_count(), 500u);
}

TEST(WorkloadTiling, inputs_that_do_not_fit_are_summed_up_in_the_accumulators) {
  const Tiling tiling = tile({14, 9216, 4096}, sized(14, 32768, 4096));
  EXPECT_LT(tiling.step_tiles, tiling.tiles);
  EXPECT_FALSE(tiling.steps.front().step.ends);
  EXPECT_TRUE(tiling.steps.back().step.ends);
  EXPECT_FALSE(tiling.steps.back().step.begins);
}

TEST(WorkloadTiling, buffers_without_room_for_a_tile_are_refused_with_what_is_needed) {
  EXPECT_THROW(tile({1, 1, 1}, sized(14, 13, 4096)), UserError);
  EXPECT_THROW(tile({1, 1, 1}, sized(14, 14, 1)), UserError);
}

TEST(WorkloadTiling, steps_fit_the_buffers_and_add_up_to_the_product) {
  std::mt19937 random(11);
  for (unsigned i = 0; i < 3000; ++i) {
    const unsigned width = 2 + random() % 40;
    const tinytpu::TinyTpuConfig config = sized(width, width + random() % 3000, 2 + random() % 800);
    const Product product{1 + random() % 300, 1 + random() % 900, 1 + random() % 300};
    SCOPED_TRACE(testing::Message() << "N " << width << ", " << config.weight_depth << " and "
                                    << config.unified_buffer_depth << " rows, " << product.vectors << " x "
                                    << product.inputs << " x " << product.outputs);
    const Tiling tiling = tile(product, config);
    std::uint64_t rows = 0, results = 0;
    for (const auto& [step, count] : tiling.steps) {
      rows += count * step.all_vectors() * step.tiles * step.blocks;
      if (step.ends) results += count * step.all_vectors() * step.blocks;
      EXPECT_LE(step.blocks * step.tiles * width, config.weight_depth);
      EXPECT_LE(step.all_vectors() * (step.tiles + step.blocks), config.unified_buffer_depth);
      EXPECT_LE(step.vectors, width);
      if (!step.begins || !step.ends) {
        EXPECT_LE((step.groups + (step.last != 0)) * step.blocks * step.vectors, tinytpu::kAccumulatorRows);
      }
    }
    EXPECT_EQ(rows * width * width, tiling.mapped_macs(width));
    EXPECT_EQ(results, tiling.blocks * tiling.mapped_vectors);
    EXPECT_GE(tiling.mapped_vectors, product.vectors);
    EXPECT_LT(tiling.mapped_vectors, product.vectors + width);
    EXPECT_GE(tiling.weight_loads, 1u);
    EXPECT_GE(tiling.activation_loads, 1u);
  }
}

}  // namespace
}  // namespace vp::workload
