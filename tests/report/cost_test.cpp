#include "platform/report/cost_figures.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "models/drra/core_report.h"
#include "models/matmul/config.h"
#include "models/tensil/core_report.h"
#include "models/tinytpu/closed_form.h"

namespace vp {
namespace {

nlohmann::json cost_of(const HardwareCost& cost) {
  Statistics root;
  report_cost(cost, root);
  std::ostringstream json;
  root.write_json(json);
  const nlohmann::json tree = nlohmann::json::parse(json.str());
  return tree.contains("groups") ? tree["groups"]["cost"]["values"] : nlohmann::json();
}

TEST(Cost, a_tinytpu_is_its_cells_and_the_bits_of_its_memories) {
  HardwareCost cost;
  tinytpu::TinyTpuConfig config;  // the published build: 14 x 14, 32768 and 4096 rows of 14 bytes, 512 of 14 words
  tinytpu::add_cost(config, cost);
  EXPECT_EQ(cost.mac_cells, 196u);
  EXPECT_EQ(cost.buffer_bits, 14u * 8 * (32768 + 4096) + 14u * 32 * 512);
  config.matrix_width = 32;
  tinytpu::add_cost(config, cost);
  EXPECT_EQ(cost.mac_cells, 196u + 1024);
}

TEST(Cost, of_the_other_accelerators_counts_in_the_same_sums) {
  HardwareCost tcu, fabric, matmul;
  tensil::add_cost(tensil::Architecture(), tcu);  // pynqz1: 8 x 8, 8192 + 2048 vectors of 16-bit scalars
  EXPECT_EQ(tcu.mac_cells, 64u);
  EXPECT_EQ(tcu.buffer_bits, 8u * 16 * (8192 + 2048));
  drra::add_cost(drra::DrraConfig(), fabric);  // 16 cells of 64 words, 16 tiles of 128 rows, two buffers of 1024
  EXPECT_EQ(fabric.mac_cells, 16u);
  EXPECT_EQ(fabric.buffer_bits, 16u * 64 * 16 + (16u * 128 + 2 * 1024) * 256);
  matmul::MatmulConfig().add_cost(matmul);
  EXPECT_EQ(matmul.mac_cells, 16u);
  EXPECT_EQ(matmul.buffer_bits, 65536u * 32);
}

TEST(Cost, what_the_machine_has_none_of_is_left_out) {
  EXPECT_TRUE(cost_of({}).is_null());
  const nlohmann::json values = cost_of({196, 4358144, 0, 0, 64});
  EXPECT_EQ(values.size(), 3u);
  EXPECT_EQ(values["bus_width"]["value"], 64);
  EXPECT_EQ(cost_of({0, 0, 2, 128, 64})["dram_data_pins"]["value"], 128);
}

}  // namespace
}  // namespace vp
