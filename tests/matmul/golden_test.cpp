#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/common/error.h"
#include "platform/check/matmul_golden.h"

namespace {

using nlohmann::json;

std::vector<std::string> recordings() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(VP_SOURCE_DIR "/tests/golden/matmul"))
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

json read(const std::string& path) { return json::parse(std::ifstream(path)); }

vp::CaseResult replay(const json& file) { return vp::matmul_golden_format().run(file, {}).at(0); }

json recording(const std::string& name) { return read(VP_SOURCE_DIR "/tests/golden/matmul/" + name + ".json"); }

TEST(MatmulGolden, all_57_recordings_are_there) { EXPECT_EQ(recordings().size(), 57u); }

TEST(MatmulGolden, every_recording_is_recognised_and_reproduced) {
  for (const std::string& path : recordings()) {
    const json file = read(path);
    EXPECT_TRUE(vp::matmul_golden_format().recognises(file)) << path;
    const vp::CaseResult result = replay(file);
    EXPECT_EQ(result.outcome, vp::CaseResult::Outcome::passed) << path << ": " << result.detail;
  }
}

TEST(MatmulGolden, a_changed_byte_clock_cycle_count_word_or_flag_is_found) {
  const std::vector<std::pair<json::json_pointer, json>> changes = {
      {json::json_pointer("/uart_out_hex"), "00"},
      {json::json_pointer("/frame_start_cycles/7"), 1},
      {json::json_pointer("/settled/0"), false},
      {json::json_pointer("/hang"), true},
      {json::json_pointer("/threads/0/0/instr/1/cycles"), 12},
      {json::json_pointer("/threads/0/0/finish"), 1},
      {json::json_pointer("/messages/0/words/3"), 77777},
  };
  const json original = recording("geom_2x2_a");
  for (const auto& [place, value] : changes) {
    json file = original;
    file["expect"][place] = value;
    const vp::CaseResult result = replay(file);
    EXPECT_EQ(result.outcome, vp::CaseResult::Outcome::failed) << place.to_string();
    EXPECT_NE(result.detail.find("expected"), std::string::npos);
  }
}

TEST(MatmulGolden, a_result_that_the_recording_lacks_is_a_difference) {
  json file = recording("geom_2x2_a");
  file["expect"]["threads"]["0"][0].erase("end");
  EXPECT_NE(replay(file).detail.find("expected nothing"), std::string::npos);
}

TEST(MatmulGolden, a_malformed_recording_is_a_user_error) {
  const std::vector<std::pair<json::json_pointer, json>> changes = {
      {json::json_pointer("/params/mesh"), 0},
      {json::json_pointer("/params/tile"), "two"},
      {json::json_pointer("/params/bmem_words"), 65535},
      {json::json_pointer("/steps/0"), {{"send_hex", "8g"}}},
      {json::json_pointer("/steps/0"), {{"wait", 1}}},
      {json::json_pointer("/steps/0"), json::object()},
      {json::json_pointer("/steps/1"), {{"settle_max", -1}}},
      {json::json_pointer("/expect/bmem"), {{"four", {1}}}},
      {json::json_pointer("/id"), 4},
  };
  for (const auto& [place, value] : changes) {
    json file = recording("geom_1x1_a");
    file[place] = value;
    EXPECT_THROW(replay(file), vp::UserError) << place.to_string();
  }
}

}  // namespace
