#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "platform/check/check_runner.h"
#include "platform/check/dram_golden.h"

namespace vp {
namespace {

const std::string kGolden = VP_SOURCE_DIR "/tests/golden/dram";

FileResult check(const std::string& path) { return check_file(path, {dram_golden_format()}); }

unsigned count(const FileResult& result, CaseResult::Outcome outcome) {
  unsigned number = 0;
  for (const CaseResult& one : result.cases) number += one.outcome == outcome;
  return number;
}

TEST(DramGolden, RepeatsEveryRequestOfBothSimulators) {
  unsigned passed = 0;
  for (const std::string& path : golden_files({kGolden})) {
    const FileResult result = check(path);
    for (const CaseResult& one : result.cases)
      EXPECT_NE(one.outcome, CaseResult::Outcome::failed) << path << ": " << one.name << ": " << one.detail;
    passed += count(result, CaseResult::Outcome::passed);
  }
  EXPECT_EQ(passed, 201u);
}

TEST(DramGolden, HasOneCaseForEachListAndWindow) {
  const FileResult result = check(kGolden + "/deep/lpddr4_2400_open.json");
  EXPECT_EQ(result.cases.size(), 21u);
  EXPECT_EQ(result.cases.front().name, "deep_alt_r window 64");
}

TEST(DramGolden, SkipsReferenceFilesWithAReason) {
  const FileResult result = check(kGolden + "/frfcfs/ddr4_2400_open_wrbuf.json");
  EXPECT_EQ(count(result, CaseResult::Outcome::skipped), 4u);
  EXPECT_THAT(result.cases[0].detail, testing::HasSubstr("reference only"));
}

TEST(DramGolden, HasNoCasesForRequestListsAndIndex) {
  EXPECT_TRUE(check(kGolden + "/frfcfs/index.json").cases.empty());
  EXPECT_TRUE(check(kGolden + "/frfcfs/traces/rand_r.json").cases.empty());
}

/// A copy of a recorded file in a folder with its request lists, changed by the caller.
class DramGoldenCopy : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::filesystem::copy(kGolden + "/frfcfs/traces", folder_ / "traces");
    std::ifstream in(kGolden + "/frfcfs/ddr4_2400_open_2rank.json");
    file_ = nlohmann::json::parse(in);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  FileResult check_copy() {
    const auto path = folder_ / "copy.json";
    std::ofstream(path) << file_;
    return check(path.string());
  }

  nlohmann::json& window_1() {
    for (auto& recorded : file_["cases"])
      if (recorded["window"] == 1) return recorded;
    throw std::logic_error("no case with one request outstanding");
  }

  std::filesystem::path folder_ = std::filesystem::path(VP_BINARY_DIR) / "dram_golden_copy" /
                                  testing::UnitTest::GetInstance()->current_test_info()->name();
  nlohmann::json file_;
};

TEST_F(DramGoldenCopy, FailsATimingThatIsNotTheRecordedOne) {
  ASSERT_EQ(count(check_copy(), CaseResult::Outcome::failed), 0u);
  file_["params"]["timing"]["CL"] = 18;
  EXPECT_GT(count(check_copy(), CaseResult::Outcome::failed), 0u);
}

TEST_F(DramGoldenCopy, NamesTheFirstRequestThatDiffers) {
  auto& recorded = window_1();
  if (recorded.contains("lat_rle"))
    recorded["lat_rle"][2] = recorded["lat_rle"][2].get<int>() + 1;
  else
    recorded["lat"][1] = recorded["lat"][1].get<int>() + 1;
  std::string detail;
  for (const CaseResult& one : check_copy().cases)
    if (one.outcome == CaseResult::Outcome::failed) detail += one.detail;
  EXPECT_THAT(detail, testing::MatchesRegex("lat\\[[0-9]+\\]: expected [0-9]+, got [0-9]+"));
}

TEST_F(DramGoldenCopy, FailsACaseOfWhichAnyRecordedFigureDiffers) {
  for (const char* field : {"act", "pre", "ref", "first_issue_cycle", "end_cycle", "total_cycles"}) {
    auto& value = window_1()[field];
    const int good = value.get<int>();
    value = good + 1;
    EXPECT_EQ(count(check_copy(), CaseResult::Outcome::failed), 1u) << field;
    window_1()[field] = good;
  }
  auto& refreshes = window_1()["ref_cycles"];
  refreshes.erase(refreshes.size() - 1);
  EXPECT_EQ(count(check_copy(), CaseResult::Outcome::failed), 1u);
}

TEST_F(DramGoldenCopy, FailsAMissingRequestList) {
  window_1()["trace"] = "no_such_trace";
  EXPECT_EQ(count(check_copy(), CaseResult::Outcome::failed), 1u);
}

// Damaged files end as a failed case, never worse; fixed seed.
TEST_F(DramGoldenCopy, SurvivesDamage) {
  file_["cases"] = nlohmann::json::array({window_1()});
  const std::vector<nlohmann::json> junk = {
      nullptr, -1, 0, "x", 1e30, nlohmann::json::array(), nlohmann::json::object()};
  const nlohmann::json good = file_;
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    file_ = good;
    const auto flat = good.flatten();
    auto chosen = flat.begin();
    std::advance(chosen, random() % std::min<std::size_t>(flat.size(), 400));
    file_[nlohmann::json::json_pointer(chosen.key())] = junk[random() % junk.size()];
    EXPECT_NO_THROW(check_copy());
  }
}

}  // namespace
}  // namespace vp
