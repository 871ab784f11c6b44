#include "models/tensil/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/common/error.h"
#include "tests/support/dice.h"

namespace vp::tensil {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

json good_arch() {
  return {{"data_type", "FP16BP8"},    {"array_size", 32},          {"dram0_depth", 2097152}, {"dram1_depth", 2097152},
          {"local_depth", 16384},      {"accumulator_depth", 4096}, {"stride0_depth", 8},     {"stride1_depth", 8},
          {"simd_registers_depth", 1}, {"number_of_threads", 1},    {"thread_queue_depth", 8}};
}

json good_model() {
  return {{"name", "net"},
          {"prog", {{"file_name", "net.tprog"}, {"size", 9}}},
          {"consts", {{{"file_name", "net.tdata"}, {"base", 0}, {"size", 10}}}},
          {"inputs", {{{"name", "x:0"}, {"base", 0}, {"size", 4}}}},
          {"outputs", {{{"name", "y:0"}, {"base", 8}, {"size", 1}}}},
          {"arch", good_arch()},
          {"load_consts_to_local", false}};
}

std::string complaint(const json& model) {
  try {
    parse_model(model.dump(), "net.tmodel");
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), StartsWith("net.tmodel: "));
    return error.what();
  }
  return "";
}

TEST(TensilModelFile, an_architecture_file_is_the_preset_of_its_board) {
  const Architecture parsed = parse_architecture(good_arch().dump(), "zcu104.tarch");
  EXPECT_EQ(difference(parsed, presets()[4].architecture), "");
  EXPECT_EQ(difference(parsed, presets()[0].architecture), "array_size is 32 here and 8 there");
}

TEST(TensilModelFile, a_model_tells_program_constants_and_tensors) {
  const Model model = parse_model(good_model().dump(), "net.tmodel");
  EXPECT_EQ(model.program_file, "net.tprog");
  EXPECT_EQ(model.program_bytes, 9u);
  ASSERT_EQ(model.constants.size(), 1u);
  EXPECT_EQ(model.constants[0].size, 10u);
  EXPECT_EQ(model.input_vectors(), 4u);
  EXPECT_EQ(model.outputs[0].base, 8u);
  EXPECT_EQ(model.architecture.array_size, 32u);
}

TEST(TensilModelFile, every_key_is_needed_and_checked) {
  for (const char* key : {"name", "prog", "consts", "inputs", "outputs", "arch"}) {
    json bad = good_model();
    bad.erase(key);
    EXPECT_THAT(complaint(bad), HasSubstr("'" + std::string(key) + "' is missing"));
  }
  const auto with = [](const char* pointer, const json& value) {
    json bad = good_model();
    bad[json::json_pointer(pointer)] = value;
    return complaint(bad);
  };
  EXPECT_THAT(with("/prog/file_name", "../net.tprog"), HasSubstr("must name a file beside the model"));
  EXPECT_THAT(with("/prog/size", 0), HasSubstr("'size' is out of range"));
  EXPECT_THAT(with("/prog/size", -1), HasSubstr("'size' is out of range"));
  EXPECT_THAT(with("/prog/size", 1.5), HasSubstr("'size' is no whole number"));
  EXPECT_THAT(with("/consts/0/base", 2097152), HasSubstr("consts[0]: 'base' is out of range"));
  EXPECT_THAT(with("/consts/0/size", 2097153), HasSubstr("consts[0]: 'size' is out of range"));
  EXPECT_THAT(with("/inputs", json::array()), HasSubstr("'inputs' is empty"));
  EXPECT_THAT(with("/outputs/0/name", 3), HasSubstr("'name' is no text"));
  EXPECT_THAT(with("/load_consts_to_local", 1), HasSubstr("neither true nor false"));
  EXPECT_THAT(with("/arch/array_size", 0), HasSubstr("arch: 'array_size' is out of range"));
  EXPECT_THAT(with("/arch/data_type", "FLOAT32"), HasSubstr("allowed: FP8BP4, FP16BP8, FP18BP10, FP32BP16"));
  EXPECT_THAT(with("/arch/colour", 1), HasSubstr("'colour' is no part of an architecture"));
  EXPECT_THAT(with("/arch/dram0_depth", 1u << 31), HasSubstr("more than the 4 GiB"));
  EXPECT_THAT(with("/arch/local_depth", 1u << 22), HasSubstr("local_depth × array_size"));
  EXPECT_THAT(with("/arch/number_of_luts", 1), HasSubstr("zero both or neither"));
}

TEST(TensilModelFile, what_is_no_json_is_one_sentence) {
  EXPECT_THROW(parse_model("{\"name\":", "x"), UserError);
  EXPECT_THROW(parse_model("[]", "x"), UserError);
  EXPECT_THROW(parse_architecture(std::string(100'000, '['), "x"), UserError);
}

TEST(TensilModelFile, damaged_files_are_complaints_and_nothing_else) {
  Dice dice(1);
  const std::string good = good_model().dump();
  const json odd[] = {nullptr, -1, 1e300, ~std::uint64_t{0}, "", "../x", json::array(), json::object(), true, 3};
  unsigned refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = good;
    if (dice.one_in(2)) {
      for (unsigned i = dice.from_to(1, 4); i > 0; --i)
        text[dice.from_to(0, static_cast<unsigned>(text.size()) - 1)] = static_cast<char>(dice.source()());
    } else {
      json model = good_model();
      const json flat = model.flatten();
      auto entry = flat.begin();
      std::advance(entry, dice.from_to(0, static_cast<unsigned>(flat.size()) - 1));
      model[json::json_pointer(entry.key())] = odd[dice.from_to(0, std::size(odd) - 1)];
      text = model.dump();
    }
    try {
      parse_model(text, "net.tmodel");
    } catch (const UserError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 3000u);
}

Architecture four_lanes() {
  Architecture made;
  made.array_size = 4;
  return made;
}

TEST(TensilFrames, raw_input_may_fill_the_first_lanes_only) {
  const Frames frames = split_raw_frames(std::string("\1\2\3\4\5\6\7\x8", 8), four_lanes(), 2, 1, "in");
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[1], (std::vector<std::uint8_t>{5, 6, 0, 0, 0, 0, 0, 0, 7, 8, 0, 0, 0, 0, 0, 0}));
  EXPECT_THROW(split_raw_frames("12345", four_lanes(), 2, 1, "in"), UserError);
  EXPECT_THROW(split_raw_frames("", four_lanes(), 2, 1, "in"), UserError);
}

TEST(TensilFrames, decimals_are_quantised_a_vector_a_line) {
  const Frames frames = parse_csv_frames("1.0, -0.5\n300\n", four_lanes(), 1, "in.csv");
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0], (std::vector<std::uint8_t>{0, 1, 0x80, 0xFF, 0, 0, 0, 0}));
  EXPECT_EQ(frames[1], (std::vector<std::uint8_t>{0xFF, 0x7F, 0, 0, 0, 0, 0, 0}));
}

TEST(TensilFrames, complaints_about_decimals_name_the_line) {
  const auto complaint_of = [](const std::string& text) -> std::string {
    try {
      parse_csv_frames(text, four_lanes(), 2, "in.csv");
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(complaint_of("1\nx"), HasSubstr("in.csv:2: a decimal number is expected"));
  EXPECT_THAT(complaint_of("1 2\n"), HasSubstr("in.csv:1: a comma is expected"));
  EXPECT_THAT(complaint_of("1,2,3,4,5\n"), HasSubstr("in.csv:1: more numbers than the 4 lanes"));
  EXPECT_THAT(complaint_of("1\n"), HasSubstr("1 line, which is no whole number of frames of 2"));
}

}  // namespace
}  // namespace vp::tensil
