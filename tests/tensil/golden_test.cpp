// Replays the recorded programs, and shows that every field of a recording is looked at.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "models/common/error.h"
#include "platform/check/tensil_golden.h"

namespace vp {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kGolden = fs::path(VP_SOURCE_DIR) / "tests/golden/tensil";

json read(const fs::path& path) {
  std::ifstream in(path);
  return json::parse(in);
}

std::vector<CaseResult> replay(const json& file, std::vector<std::string>* lines = nullptr) {
  const GoldenFormat format = tensil_golden_format();
  EXPECT_TRUE(format.recognises(file));
  return format.run(file, {"", [lines](const std::string& line) {
                             if (lines) lines->push_back(line);
                           }});
}

/// The error in per cent that a line of the replay tells.
double error_of(const std::string& line) { return std::abs(std::stod(line.substr(line.find("error ") + 6))); }

TEST(TensilGolden, every_recorded_program_ends_with_equal_memories_in_both_encodings) {
  unsigned passed = 0;
  for (const auto& entry : fs::directory_iterator(kGolden)) {
    if (entry.path().extension() != ".json") continue;
    for (const CaseResult& result : replay(read(entry.path()))) {
      EXPECT_EQ(result.outcome, CaseResult::Outcome::passed) << result.name << ": " << result.detail;
      passed += result.outcome == CaseResult::Outcome::passed;
    }
  }
  EXPECT_EQ(passed, 148U);
}

TEST(TensilGolden, cycles_differ_from_the_hardware_description_by_as_much_as_the_readme_says) {
  std::vector<std::string> lines;
  for (const auto& entry : fs::directory_iterator(kGolden))
    if (entry.path().extension() == ".json") replay(read(entry.path()), &lines);
  ASSERT_EQ(lines.size(), 36U);
  std::vector<double> errors;
  std::transform(lines.begin(), lines.end(), std::back_inserter(errors), error_of);
  std::sort(errors.begin(), errors.end());
  EXPECT_LE((errors[17] + errors[18]) / 2, 1.5);
  EXPECT_LE(errors.back(), 4.5);
}

std::string verdict(const json& file) {
  for (const CaseResult& result : replay(file))
    if (result.outcome != CaseResult::Outcome::passed) return result.detail;
  return "passed";
}

void change_digit(json& hex) {
  std::string text = hex.get<std::string>();
  text[0] = text[0] == '0' ? '1' : '0';
  hex = text;
}

TEST(TensilGolden, a_changed_field_fails) {
  const json good = read(kGolden / "n8r3-033.json");
  ASSERT_EQ(verdict(good), "passed");
  for (const char* field :
       {"dram0_final", "dram1_final", "local_final", "accumulators_final", "simd_registers_final"}) {
    json bad = good;
    change_digit(bad[field]);
    EXPECT_THAT(verdict(bad), ::testing::HasSubstr(std::string(field) + ", vector 0: expected "));
  }
  json bad = good;
  bad["instructions"] = 1;
  EXPECT_THAT(verdict(bad), ::testing::HasSubstr("instructions: expected 1"));
  bad = good;
  bad["layout"]["v2"]["o1"] = 8;
  EXPECT_THAT(verdict(bad), ::testing::HasSubstr("layout.o1: expected 8"));
}

TEST(TensilGolden, cycles_far_off_fail) {
  json bad = read(kGolden / "n8-000.json");
  bad["rtl_cycles_zero_wait_memory"] = 1000;
  EXPECT_THAT(verdict(bad), ::testing::HasSubstr("cycles recorded 1000"));
}

TEST(TensilGolden, an_illegal_program_fails_with_its_place) {
  json bad = read(kGolden / "n8-000.json");
  bad["programs"]["v1"] = "ffffffffffff" + bad["programs"]["v1"].get<std::string>();
  bad["programs"]["v1"].get_ref<std::string&>().replace(10, 2, "70");
  EXPECT_THAT(verdict(bad), ::testing::HasSubstr("instruction 0: opcode 7 does not exist"));
}

TEST(TensilGolden, a_file_without_programs_is_malformed) {
  json bad = read(kGolden / "n8-000.json");
  bad["programs"] = json::object();
  EXPECT_THROW(replay(bad), UserError);
}

}  // namespace
}  // namespace vp
