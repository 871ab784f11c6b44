// Replays the recorded runs of the hardware.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

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

}  // namespace
}  // namespace vp
