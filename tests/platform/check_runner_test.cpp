#include "platform/check/check_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "models/common/error.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// A format for these tests: {"format":"sums", "cases":[[a,b,sum]...]}; a case with sum null is skipped; "note" is
/// printed.
std::vector<CaseResult> run_sums(const nlohmann::json& file, const CheckContext& context) {
  if (file.contains("note")) context.print(file["note"].get<std::string>());
  std::vector<CaseResult> results;
  for (const auto& one : file.at("cases")) {
    CaseResult result;
    result.name = "case" + std::to_string(results.size());
    if (one.at(2).is_null()) {
      result.outcome = CaseResult::Outcome::skipped;
      result.detail = "no sum";
    } else {
      const int sum = one.at(0).get<int>() + one.at(1).get<int>();
      result.outcome = sum == one.at(2).get<int>() ? CaseResult::Outcome::passed : CaseResult::Outcome::failed;
      result.detail = "sum: got " + std::to_string(sum);
    }
    results.push_back(result);
  }
  return results;
}

std::vector<GoldenFormat> formats() {
  return {{"sums", [](const nlohmann::json& file) { return file.is_object() && file.value("format", "") == "sums"; },
           run_sums},
          {"companion", [](const nlohmann::json& file) { return file.is_object() && file.contains("companion"); },
           [](const nlohmann::json&, const CheckContext&) { return std::vector<CaseResult>(); }}};
}

struct CheckRunner : testing::Test {
  std::string check(unsigned jobs = 2) {
    std::ostringstream out;
    totals = check_files(golden_files({folder.path()}), formats(), jobs, out);
    return out.str();
  }
  TemporaryFolder folder;
  CheckTotals totals;
};

TEST_F(CheckRunner, counts_passed_failed_and_skipped_cases) {
  folder.write("a.json", R"({"format":"sums","cases":[[1,2,3],[1,2,4],[0,0,null]]})");
  const std::string out = check();
  EXPECT_EQ(out, "FAIL " + folder.path("a.json") + ": case1: sum: got 3\nSKIP " + folder.path("a.json") +
                     ": case2: no sum\n1 passed, 1 failed, 1 skipped\n");
}

TEST_F(CheckRunner, searches_folders_recursively_in_sorted_order) {
  folder.write("b/deep/2.json", "{}");
  folder.write("b/1.json", "{}");
  folder.write("a.json", "{}");
  folder.write("README.md", "not golden");
  EXPECT_THAT(golden_files({folder.path()}),
              ElementsAre(folder.path("a.json"), folder.path("b/1.json"), folder.path("b/deep/2.json")));
}

TEST_F(CheckRunner, a_malformed_file_is_one_failure) {
  folder.write("a.json", R"({"format":"sums","cases":[[1,2)");
  EXPECT_THAT(check(), HasSubstr("is no valid JSON"));
  EXPECT_EQ(totals.failed, 1u);
}

TEST_F(CheckRunner, a_known_format_with_wrong_content_is_one_failure) {
  folder.write("a.json", R"({"format":"sums","cases":7})");
  folder.write("b.json", R"({"format":"sums"})");
  folder.write("c.json", R"({"format":7})");
  check();
  EXPECT_EQ(totals.failed, 3u);
}

TEST_F(CheckRunner, an_unknown_format_is_one_failure) {
  folder.write("a.json", R"({"format":"products"})");
  folder.write("b.json", "[1,2]");
  EXPECT_THAT(check(), HasSubstr("is of no known golden format"));
  EXPECT_EQ(totals.failed, 2u);
}

TEST_F(CheckRunner, companions_yield_no_case) {
  folder.write("index.json", R"({"companion":true})");
  EXPECT_EQ(check(), "0 passed, 0 failed, 0 skipped\n");
}

TEST_F(CheckRunner, output_is_the_same_for_any_number_of_jobs) {
  for (int i = 0; i < 30; ++i)
    folder.write(std::to_string(i) + ".json", R"({"format":"sums","note":"file )" + std::to_string(i) +
                                                  R"(","cases":[[1,1,)" + std::to_string(i) + "]]}");
  const std::string one = check(1);
  EXPECT_EQ(check(7), one);
  EXPECT_EQ(check(100), one);
}

TEST_F(CheckRunner, a_missing_operand_is_the_users_error) {
  EXPECT_THROW(golden_files({folder.path("none.json")}), UserError);
}

TEST_F(CheckRunner, a_folder_without_golden_files_is_the_users_error) {
  folder.write("README.md", "empty");
  EXPECT_THROW(golden_files({folder.path()}), UserError);
}

}  // namespace
}  // namespace vp
