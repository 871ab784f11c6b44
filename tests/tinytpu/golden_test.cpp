// Replays the recorded runs of the hardware.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "models/common/error.h"
#include "platform/check/formats.h"

namespace vp {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json read(const fs::path& path) {
  std::ifstream in(path);
  return json::parse(in);
}

std::vector<CaseResult> run(const json& file, const std::string& path) {
  for (const GoldenFormat& format : golden_formats())
    if (format.recognises(file)) return format.run(file, {path, [](const std::string&) {}});
  ADD_FAILURE() << path << " is of no known format";
  return {};
}

/// Runs all files of a folder; returns how many cases passed.
unsigned replay(const std::string& folder) {
  unsigned passed = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(VP_SOURCE_DIR) / "tests/golden/tinytpu" / folder)) {
    for (const CaseResult& result : run(read(entry.path()), entry.path())) {
      EXPECT_EQ(result.outcome, CaseResult::Outcome::passed) << entry.path().filename() << ": " << result.detail;
      passed += result.outcome == CaseResult::Outcome::passed;
    }
  }
  return passed;
}

TEST(TinyTpuGolden, EveryPublicCaseIsEqualInEveryField) { EXPECT_EQ(replay("public"), 264U); }
TEST(TinyTpuGolden, EveryMnistStreamIsEqualInEveryField) { EXPECT_EQ(replay("mnist"), 15U); }
TEST(TinyTpuGolden, EveryAxiLogIsEqualInEveryField) { EXPECT_EQ(replay("axi"), 10U); }

// ---- the comparison itself: every field is looked at

fs::path golden(const std::string& name) { return fs::path(VP_SOURCE_DIR) / "tests/golden/tinytpu" / name; }

std::string verdict(const json& file) {
  try {
    const std::vector<CaseResult> results = run(file, "mutated");
    if (results.size() != 1) return "not one result";
    return results[0].outcome == CaseResult::Outcome::passed ? "passed" : results[0].detail;
  } catch (const UserError& error) {
    return error.what();
  }
}

void add_one(json& number) { number = number.get<std::uint64_t>() + 1; }
void change_digit(json& hex) {
  std::string text = hex.get<std::string>();
  text.back() = text.back() == '0' ? '1' : '0';
  hex = text;
}

TEST(TinyTpuGolden, AChangedFieldOfACaseFails) {
  const json good = read(golden("public/host-n06-conflict0.json"));
  ASSERT_EQ(verdict(good), "passed");
  for (const char* field : {"sync_cycles", "runtime_at_sync", "issue_cycles", "fetch_cycles"}) {
    json bad = good;
    add_one(bad["expected"][field][0]);
    EXPECT_THAT(verdict(bad), ::testing::HasSubstr(field));
    bad = good;
    bad["expected"][field].push_back(1000);
    EXPECT_THAT(verdict(bad), ::testing::HasSubstr(field));
  }
  json bad = good;
  change_digit(bad["expected"]["host_read_data"][3]);
  EXPECT_THAT(verdict(bad), ::testing::HasSubstr("host_read_data[3]"));
  bad = good;
  change_digit(bad["expected"]["unified_buffer"]["100"]);
  EXPECT_THAT(verdict(bad), ::testing::HasSubstr("unified_buffer row 100"));
  bad = good;
  bad["expected"]["unified_buffer"].erase("26");
  EXPECT_THAT(verdict(bad), ::testing::HasSubstr("unified_buffer row 26"));
  bad = good;
  bad["expected"]["something_else"] = 1;
  EXPECT_THAT(verdict(bad), ::testing::HasSubstr("something_else is unknown"));
}

TEST(TinyTpuGolden, AChangedFieldOfAnMnistStreamFails) {
  const json good = read(golden("mnist/mnist-n14-k104-synth-zero.json"));
  ASSERT_EQ(verdict(good), "passed");
  for (const char* field : {"sync_cycles", "runtime_at_sync", "issue_cycles", "push_cycles"}) {
    json bad = good;
    add_one(bad[field][0]);
    EXPECT_THAT(verdict(bad), ::testing::HasSubstr(field));
  }
  for (const char* field : {"instruction_count", "weight_rows", "input_rows", "duration_us_at_5p625ns"}) {
    json bad = good;
    bad[field] = bad[field].get<double>() + 1;
    EXPECT_THAT(verdict(bad), ::testing::HasSubstr(field));
  }
  json bad = good;
  change_digit(bad["unified_buffer_sha256"]);
  EXPECT_THAT(verdict(bad), ::testing::HasSubstr("sha256"));
  bad = good;
  change_digit(bad["result_rows"]["800"]);
  EXPECT_THAT(verdict(bad), ::testing::HasSubstr("result_rows row 800"));
  bad = good;
  change_digit(bad["instructions"][7]);
  EXPECT_THAT(verdict(bad), ::testing::HasSubstr("instructions[7]"));
}

TEST(TinyTpuGolden, AChangedLineOfAnAxiLogFails) {
  const json good = read(golden("axi/lane_imbalance-synth.json"));
  ASSERT_EQ(verdict(good), "passed");
  for (std::size_t i = 0; i < good["log"].size(); ++i) {
    json bad = good;
    change_digit(bad["log"][i]);
    EXPECT_NE(verdict(bad), "passed") << good["log"][i];
  }
}

/// Damages a value somewhere in the file. Whatever the reader meets, it makes a verdict or says what is malformed.
void damage(json& value, std::mt19937& random) {
  json* at = &value;
  while ((at->is_object() || at->is_array()) && !at->empty() && random() % 8 != 0) {
    auto child = at->begin();
    std::advance(child, random() % std::min<std::size_t>(at->size(), 40));
    at = &*child;
  }
  const json replacements[] = {nullptr,
                               -1,
                               1e300,
                               18446744073709551615ULL,
                               "",
                               "zz",
                               "00000000000000000000",
                               "r 80000",
                               "w 0",
                               "s",
                               "n 5",
                               json::array(),
                               json::object(),
                               json::array({1}),
                               true,
                               3};
  *at = replacements[random() % std::size(replacements)];
}

TEST(TinyTpuGolden, DamagedFilesNeverBreakTheReader) {
  std::mt19937 random(4);
  for (const char* name : {"public/host-n06-conflict0.json", "public/actcodes-n06-all.json", "axi/memmap-synth.json",
                           "axi/lane_imbalance-synth.json", "mnist/mnist-n14-k12-synth.json"}) {
    const json good = read(golden(name));
    for (int i = 0; i < 200; ++i) {
      json bad = good;
      damage(bad, random);
      if (bad.is_object() && bad.contains("schema") && bad["schema"] == good["schema"]) {
        EXPECT_FALSE(verdict(bad).empty());
      }
    }
  }
}

}  // namespace
}  // namespace vp
