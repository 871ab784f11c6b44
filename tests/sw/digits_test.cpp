// The network of `digits` and its tiling, on the window model, at every array width.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <vector>

#include "sw/digits/digits_data.h"
#include "sw/mlp/mlp_steps.h"
#include "tests/sw/mapped_window.h"

namespace vp::test {
namespace {

std::vector<char> data_file() {
  std::ifstream file(VP_SOURCE_DIR "/sw/digits/digits.bin", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Digits : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(digits_data_open(&data_, file_.data(), file_.size()), 0); }

  size_t output_bytes() const { return size_t{data_.images} * data_.classes; }

  // Output bytes of the first `images` images on a device of this size; fails the test when the program breaks a rule.
  std::vector<uint8_t> run(const tinytpu_geometry& geometry, uint32_t images) {
    DrivenModel driven(geometry);
    mlp network;
    EXPECT_EQ(mlp_init(&network, driven.device(), data_.layers, data_.layer_count), 0);
    mlp_load_weights(&network);
    std::vector<uint8_t> outputs(size_t{images} * data_.classes, 0xEE);
    mlp_run(&network, data_.inputs, images, outputs.data());
    expect_no_broken_rule(driven.model());
    EXPECT_GT(network.device_cycles, 0u);
    return outputs;
  }

  static void expect_no_broken_rule(const WindowModel& model) {
    for (const auto& violation : model.violations()) ADD_FAILURE() << violation;
  }

  std::vector<char> file_ = data_file();
  digits_data data_{};
};

TEST_F(Digits, ExpectedOutputsAreThoseOfTheHardwaresArithmetic) {
  for (uint32_t image = 0; image < data_.images; ++image) {
    std::vector<uint8_t> values(data_.inputs + image * data_.layers[0].inputs,
                                data_.inputs + (image + 1) * data_.layers[0].inputs);
    for (uint32_t l = 0; l < data_.layer_count; ++l) {
      const mlp_layer& layer = data_.layers[l];
      std::vector<uint8_t> next(layer.outputs);
      for (uint32_t j = 0; j < layer.outputs; ++j) {
        int32_t sum = 0;
        for (uint32_t i = 0; i < layer.inputs; ++i)
          sum += static_cast<int8_t>(values[i]) * layer.weights[i * layer.outputs + j];
        next[j] = activation(static_cast<uint32_t>(sum), layer.activation, true);
      }
      values = next;
    }
    ASSERT_TRUE(std::equal(values.begin(), values.end(), data_.outputs + image * data_.classes)) << "image " << image;
  }
}

TEST_F(Digits, AccuracyIsNearTheFloatNetworks) {
  uint32_t right = 0;
  for (uint32_t i = 0; i < data_.images; ++i) {
    right += digits_classify(data_.outputs + i * data_.classes, data_.classes) == data_.labels[i];
  }
  EXPECT_EQ(right, data_.reference_right);
  EXPECT_GE(data_.images, 360u);
  EXPECT_GE(right, 0.95 * data_.images);
  EXPECT_GE(right, data_.float_right - 0.01 * data_.images);
  EXPECT_GE(data_.layer_count, 2u);
}

TEST_F(Digits, AreTheReferencesBytesAtEveryArrayWidth) {
  const std::vector<uint8_t> expected(data_.outputs, data_.outputs + output_bytes());
  for (unsigned width : {6u, 7u, 8u, 10u, 12u, 14u, 32u}) {
    SCOPED_TRACE(width);
    EXPECT_EQ(run({width, 32768, 4096}, data_.images), expected);
  }
}

TEST_F(Digits, AreTheReferencesBytesAtWidthsTheHardwareHasNoBuildFor) {
  const uint32_t images = 40;  // several batches, the last one not full
  const std::vector<uint8_t> expected(data_.outputs, data_.outputs + images * data_.classes);
  for (unsigned width : {2u, 3u, 4u, 5u, 9u, 11u, 13u, 15u, 16u, 17u, 21u, 33u, 42u, 64u, 65u, 66u, 128u, 256u}) {
    SCOPED_TRACE(width);
    EXPECT_EQ(run({width, 32768, 4096}, images), expected);
  }
}

TEST_F(Digits, GoThroughASmallUnifiedBufferInSeveralGroups) {
  const std::vector<uint8_t> expected(data_.outputs, data_.outputs + output_bytes());
  const unsigned rows = 14 * (5 + 3 + 1);  // one batch
  for (unsigned depth : {rows, 3 * rows + 5}) EXPECT_EQ(run({14, 32768, depth}, data_.images), expected);
}

// In steps, with `batch` images at a time at most.
std::vector<uint8_t> run_in_steps(mlp& network, const digits_data& data, uint32_t images, uint32_t batch) {
  std::vector<uint8_t> outputs(size_t{images} * data.classes, 0xEE);
  for (uint32_t done = 0, vectors = 0; done < images; done += vectors) {
    vectors =
        mlp_load_images(&network, data.inputs + size_t{done} * data.layers[0].inputs, std::min(batch, images - done));
    for (uint32_t layer = 0; layer < data.layer_count; ++layer) {
      tinytpu_finish(network.device, mlp_start_layer(&network, layer, vectors));
      mlp_finish_layer(&network);
    }
    mlp_read_images(&network, vectors, outputs.data() + size_t{done} * data.classes);
  }
  return outputs;
}

TEST_F(Digits, steps_give_the_same_bytes_and_device_cycles_as_one_run) {
  for (const tinytpu_geometry& geometry : {tinytpu_geometry{14, 32768, 4096}, tinytpu_geometry{8, 1000, 300}}) {
    DrivenModel driven(geometry);
    mlp whole, stepped;
    ASSERT_EQ(mlp_init(&whole, driven.device(), data_.layers, data_.layer_count), 0);
    stepped = whole;
    mlp_load_weights(&whole);
    std::vector<uint8_t> expected(output_bytes());
    mlp_run(&whole, data_.inputs, data_.images, expected.data());
    EXPECT_EQ(run_in_steps(stepped, data_, data_.images, data_.images), expected);
    EXPECT_EQ(stepped.device_cycles, whole.device_cycles);
    EXPECT_EQ(run_in_steps(stepped, data_, data_.images, 5), expected) << "batches that are not full";
    expect_no_broken_rule(driven.model());
  }
}

TEST_F(Digits, rows_of_weights_and_inputs_are_those_that_loading_writes) {
  const tinytpu_geometry geometry{14, 32768, 4096};
  DrivenModel driven(geometry);
  mlp network;
  ASSERT_EQ(mlp_init(&network, driven.device(), data_.layers, data_.layer_count), 0);
  EXPECT_EQ(mlp_weight_rows(&network), 5u * 3 * 14 + 3u * 1 * 14) << "65-42-10: tiles of 14 x 14";
  EXPECT_EQ(mlp_input_rows(&network, 14), 5u * 14);
  EXPECT_EQ(mlp_input_rows(&network, 15), 2u * 5 * 14) << "a batch that has begun has all its rows";
}

TEST_F(Digits, DoNotFitInBuffersThatAreTooSmall) {
  const unsigned weight_rows = 14 * (5 * 3 + 3 * 1), unified_rows = 14 * (5 + 3 + 1);
  for (const auto& [weights, unified, expected] :
       {std::tuple{weight_rows, unified_rows, 0}, std::tuple{weight_rows - 1, unified_rows, -ENOSPC},
        std::tuple{weight_rows, unified_rows - 1, -ENOSPC}}) {
    DrivenModel driven({14, weights, unified});
    mlp network;
    EXPECT_EQ(mlp_init(&network, driven.device(), data_.layers, data_.layer_count), expected);
  }
}

TEST_F(Digits, NetworksWhoseLayersDoNotMeetAreRefused) {
  DrivenModel driven({14, 32768, 4096});
  mlp network;
  mlp_layer layers[2] = {data_.layers[0], data_.layers[1]};
  layers[1].inputs -= 1;
  EXPECT_EQ(mlp_init(&network, driven.device(), layers, 2), -EINVAL);
  EXPECT_EQ(mlp_init(&network, driven.device(), layers, 0), -EINVAL);
  EXPECT_EQ(mlp_init(&network, driven.device(), layers, MLP_MAX_LAYERS + 1), -EINVAL);
}

TEST_F(Digits, DataFilesThatAreNotWholeAreRefused) {
  digits_data data;
  for (size_t size = 0; size < file_.size(); size += size < 64 ? 1 : 997) {
    const std::vector<char> part(file_.begin(), file_.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(digits_data_open(&data, part.data(), part.size()), -EINVAL) << size;
  }
  auto longer = file_;
  longer.push_back(0);
  EXPECT_EQ(digits_data_open(&data, longer.data(), longer.size()), -EINVAL);
  auto other = file_;
  other[7] = '9';
  EXPECT_EQ(digits_data_open(&data, other.data(), other.size()), -EINVAL);
}

TEST(DigitsClassify, HasNoAnswerForATie) {
  const uint8_t clear[4] = {1, 9, 3, 8}, tie[4] = {9, 1, 9, 0};
  EXPECT_EQ(digits_classify(clear, 4), 1);
  EXPECT_EQ(digits_classify(tie, 4), -1);
}

// The rules of the window model themselves: each has to notice the program it is there for.
class WindowRules : public testing::Test {
 protected:
  std::string first_violation() {
    return driven_.model().violations().empty() ? "" : driven_.model().violations().front();
  }
  void layer(uint32_t input, uint32_t output) {
    push(tinytpu_read_weights(0, 8, true));
    push(tinytpu_matrix_multiply(input, 0, 8, TINYTPU_SIGNED_DATA));
    push(tinytpu_activate(output, 0, 8, TINYTPU_RELU, true));
  }
  void push(tinytpu_instruction instruction) { tinytpu_push(driven_.device(), instruction); }
  DrivenModel driven_{{8, 64, 64}};
};

TEST_F(WindowRules, NoticeARowThatIsReadBeforeItIsWritten) {
  layer(0, 8);
  layer(8, 16);
  EXPECT_NE(first_violation().find("before it is written"), std::string::npos);
}

TEST_F(WindowRules, NoticeTheHostInARunningProgram) {
  layer(0, 8);
  uint8_t row[8];
  tinytpu_read_outputs(driven_.device(), 8, 1, row, 0);
  EXPECT_NE(first_violation().find("while a program runs"), std::string::npos);
}

TEST_F(WindowRules, NoticeWeightsThatRunAhead) {
  layer(0, 8);
  push(tinytpu_matrix_multiply(0, 0, 24, TINYTPU_SIGNED_DATA));
  EXPECT_NE(first_violation().find("without its own weights"), std::string::npos);
}

TEST_F(WindowRules, NoticeBackToBackActivates) {
  layer(0, 8);
  push(tinytpu_activate(16, 0, 8, TINYTPU_RELU, true));
  EXPECT_NE(first_violation().find("extra rows"), std::string::npos);
}

TEST(WindowRulesBelowSeven, NoticeTilesThatAddToAStaleSum) {
  for (unsigned width : {6u, 7u}) {
    DrivenModel driven({width, 64, 64});
    tinytpu_push(driven.device(), tinytpu_read_weights(0, 3 * width, true));
    tinytpu_push(driven.device(), tinytpu_matrix_multiply(0, 0, 3 * width, TINYTPU_SIGNED_DATA | TINYTPU_ACCUMULATE));
    EXPECT_EQ(driven.model().violations().empty(), width == 7);
  }
}

}  // namespace
}  // namespace vp::test
