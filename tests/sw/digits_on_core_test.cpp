// The network of `digits` on the simulated device itself, cycle by cycle: right bytes and no hazard, however fast or
// slow the host feeds it.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <ostream>
#include <vector>

#include "models/tinytpu/core.h"
#include "sw/digits/digits_data.h"
#include "sw/mlp/mlp.h"
#include "tests/sw/mapped_window.h"

namespace vp::test {
namespace {

using tinytpu::Core;  // vp::tinytpu, not the driver
using tinytpu::Edge;

// A core behind the window, without a bus: each access takes `gap` cycles.
class CoreWindow : public Window {
 public:
  CoreWindow(const tinytpu::TinyTpuConfig& config, const tinytpu_window& window, unsigned gap)
      : core_(config), width_(config.matrix_width), window_(window), gap_(gap) {}

  void write(uint32_t offset, uint32_t word, unsigned strobes) override {
    now_ += gap_;
    if (offset >= window_.instruction) {
      now_ = core_.predict_push_edge(now_);
      core_.push_word((offset - window_.instruction) / 4 - 1, word, now_);
      return;
    }
    const bool unified = offset >= window_.unified_buffer;
    const uint32_t position = unified ? offset - window_.unified_buffer : offset;
    std::vector<uint8_t> data(width_), enable(width_);
    for (unsigned byte = 0; byte < 4; ++byte) {
      const unsigned element = position % window_.stride + byte;
      if (element >= width_ || (strobes >> byte & 1) == 0) continue;
      data[element] = static_cast<uint8_t>(word >> 8 * byte);
      enable[element] = 1;
    }
    const unsigned row = position / window_.stride;
    if (unified) {
      core_.host_access({row, data.data(), enable.data()}, now_);
    } else {
      core_.host_write_weights(row, data.data(), enable.data(), now_);
    }
  }

  uint32_t read(uint32_t offset) override {
    now_ += gap_;
    if (offset == window_.instruction) return core_.runtime(now_ += 2);  // the counter is read two edges later
    const uint32_t position = offset - window_.unified_buffer;
    const auto row = core_.host_access({position / window_.stride, nullptr, nullptr}, now_);
    uint32_t word = 0;
    for (unsigned byte = 0; byte < 4 && position % window_.stride + byte < width_; ++byte) {
      word |= uint32_t{row[position % window_.stride + byte]} << 8 * byte;
    }
    return word;
  }

  bool take_interrupt() override {
    if (core_.next_synchronize() == tinytpu::kNoEdge) return false;
    now_ = std::max(now_, core_.take_synchronize());
    return true;
  }

  Core& core() { return core_; }

 private:
  Core core_;
  unsigned width_;
  tinytpu_window window_;
  Edge gap_, now_ = 0;
};

struct Case {
  unsigned width, gap;
};
std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.width << "_gap_" << one.gap; }

class DigitsOnCore : public testing::TestWithParam<Case> {};

TEST_P(DigitsOnCore, GiveTheReferencesBytesWithoutAHazard) {
  std::ifstream file(VP_SOURCE_DIR "/sw/digits/digits.bin", std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  digits_data data;
  ASSERT_EQ(digits_data_open(&data, bytes.data(), bytes.size()), 0);

  tinytpu::TinyTpuConfig config;
  config.matrix_width = GetParam().width;
  const tinytpu_geometry geometry{config.matrix_width, config.weight_depth, config.unified_buffer_depth};
  tinytpu_window layout;
  ASSERT_TRUE(tinytpu_layout(&geometry, &layout));
  CoreWindow window(config, layout, GetParam().gap);
  Driven driven(window, geometry);

  mlp network;
  ASSERT_EQ(mlp_init(&network, driven.device(), data.layers, data.layer_count), 0);
  mlp_load_weights(&network);
  std::vector<uint8_t> outputs(size_t{data.images} * data.classes);
  mlp_run(&network, data.inputs, data.images, outputs.data());

  EXPECT_TRUE(std::equal(outputs.begin(), outputs.end(), data.outputs));
  const auto& hazards = window.core().hazards();
  for (unsigned kind = 0; kind < tinytpu::kHazardKinds; ++kind) {
    for (const auto& hazard : hazards.findings(static_cast<tinytpu::HazardKind>(kind))) {
      ADD_FAILURE() << describe(hazard);
      break;
    }
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (unsigned width : {2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u, 13u, 14u, 15u, 16u, 17u, 32u, 64u, 65u, 256u}) {
    all.push_back({width, 4});
  }
  // 1: faster than any bus; 35: every instruction waits for the host.
  for (unsigned width : {6u, 7u, 14u, 32u}) {
    for (unsigned gap : {1u, 7u, 35u}) all.push_back({width, gap});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(AtWidth, DigitsOnCore, testing::ValuesIn(cases()), testing::PrintToStringParamName());

}  // namespace
}  // namespace vp::test
