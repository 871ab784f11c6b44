#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/common/error.h"
#include "platform/check/drra_golden.h"

namespace {

using nlohmann::json;
using Outcome = vp::CaseResult::Outcome;

constexpr const char* kFolder = VP_SOURCE_DIR "/tests/golden/drra/";

std::vector<std::string> files(const std::string& prefix) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string name = entry.path().stem().string();
    if (name.compare(0, prefix.size(), prefix) == 0) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

json recording(const std::string& name) { return json::parse(std::ifstream(kFolder + name + ".json")); }

vp::CaseResult replay(const json& file) { return vp::drra_golden_format().run(file, {}).at(0); }

TEST(DrraGolden, every_recorded_program_is_reproduced_write_by_write) {
  const std::vector<std::string> names = files("rtl_");
  EXPECT_EQ(names.size(), 50u);
  for (const std::string& name : names) {
    const json file = recording(name);
    EXPECT_TRUE(vp::drra_golden_format().recognises(file)) << name;
    const vp::CaseResult result = replay(file);
    EXPECT_EQ(result.outcome, Outcome::passed) << name << ": " << result.detail;
  }
}

TEST(DrraGolden, every_derived_program_ends_as_documented) {
  const std::vector<std::string> names = files("derived_");
  EXPECT_EQ(names.size(), 13u);
  for (const std::string& name : names) {
    const vp::CaseResult result = replay(recording(name));
    EXPECT_EQ(result.outcome, Outcome::passed) << name << ": " << result.detail;
  }
}

TEST(DrraGolden, every_recorded_sequence_of_the_dpu_is_reproduced) {
  const json file = recording("dpu_unit");
  EXPECT_TRUE(vp::drra_dpu_format().recognises(file));
  const std::vector<vp::CaseResult> results = vp::drra_dpu_format().run(file, {});
  EXPECT_EQ(results.size(), 36u);
  for (const vp::CaseResult& result : results)
    EXPECT_EQ(result.outcome, Outcome::passed) << result.name << ": " << result.detail;
}

TEST(DrraGolden, a_changed_word_write_cycle_or_register_is_found) {
  const std::vector<std::pair<const char*, json>> changes = {
      {"/rf_write_trace/3/0", 11},
      {"/rf_write_trace/3/4", 77},
      {"/rf_final/0,0/5", -1},
      {"/sram_final/1,0/2/0", 5},
      {"/cycles/halt/0,0", 34},
      {"/cycles/last_activity", 36},
      {"/raccu_last_written", {{"0,0", {{"3", 1}}}}},
      {"/programs/0,0/25", "3800000"},
  };
  const json original = recording("rtl_published_vec_add");
  for (const auto& [place, value] : changes) {
    json file = original;
    file[json::json_pointer(place)] = value;
    EXPECT_EQ(replay(file).outcome, Outcome::failed) << place;
  }
}

TEST(DrraGolden, a_derived_program_that_differs_is_skipped_with_the_difference) {
  json file = recording("derived_d_perm_m0_b2");
  file["rf_final"]["0,0"][32] = 5;
  const vp::CaseResult result = replay(file);
  EXPECT_EQ(result.outcome, Outcome::skipped);
  EXPECT_NE(result.detail.find("register 32"), std::string::npos) << result.detail;
}

TEST(DrraGolden, a_malformed_recording_is_a_user_error) {
  const std::vector<std::pair<const char*, json>> changes = {
      {"/programs/0,0/0", "08A03D2F"},
      {"/programs/0,0/0", 5},
      {"/programs", {{"9", {"0000000"}}}},
      {"/programs", {{"0,8", json::array()}}},
      {"/rf_init/0,0/0", 40000},
      {"/sram_init/1,0/0", {1, 2}},
      {"/sram_init", {{"3,0", json::object()}}},
      {"/fabric/cols", 65},
      {"/decoder_profile", "D"},
      {"/cycles/simulated", -1},
      {"/name", 4},
  };
  for (const auto& [place, value] : changes) {
    json file = recording("rtl_published_vec_add");
    file[json::json_pointer(place)] = value;
    EXPECT_THROW(replay(file), vp::UserError) << place;
  }
}

}  // namespace
