// Bounded fuzzing of the golden-case reader: mutated and damaged golden files never crash or hang, and never pass
// silently.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "platform/check/check_runner.h"
#include "platform/check/formats.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

using nlohmann::json;

/// The smaller golden files of all devices, one a folder and size class, so that a round takes seconds.
std::vector<std::string> seeds() {
  constexpr std::uintmax_t kLargest = 20'000;
  std::vector<std::string> found;
  const std::filesystem::path golden = std::filesystem::path(VP_SOURCE_DIR) / "tests" / "golden";
  if (std::filesystem::exists(golden))
    for (const auto& entry : std::filesystem::recursive_directory_iterator(golden))
      if (entry.path().extension() == ".json" && entry.file_size() <= kLargest) found.push_back(entry.path().string());
  std::sort(found.begin(), found.end());
  return found;
}

/// All nodes of a document, so that one can be picked at random.
void collect(json& node, std::vector<json*>& nodes) {
  nodes.push_back(&node);
  if (node.is_structured())
    for (json& child : node) collect(child, nodes);
}

json odd_value(std::mt19937& random) {
  static const std::vector<json> values = {
      json(),     json(-1),  json(0),        json(1),      json(4294967295u),      json(1e300),
      json(true), json(""),  json("zz"),     json("00"),   json::array(),          json::object(),
      json(2.5),  json(257), json("-99999"), json({1, 2}), json(~std::uint64_t{0})};
  return values[random() % values.size()];
}

void mutate(json& document, std::mt19937& random) {
  std::vector<json*> nodes;
  collect(document, nodes);
  json& node = *nodes[random() % nodes.size()];
  switch (random() % 4) {
    case 0:
      node = odd_value(random);
      break;
    case 1:
      if (node.is_structured() && !node.empty())
        node.erase(std::next(node.begin(), static_cast<long>(random() % node.size())));
      break;
    case 2:
      if (node.is_array() && !node.empty()) node.push_back(node[random() % node.size()]);
      break;
    default:
      if (node.is_string()) {
        std::string text = node.get<std::string>();
        if (!text.empty()) text[random() % text.size()] = static_cast<char>(' ' + random() % 95);
        node = text;
      }
      break;
  }
}

TEST(CheckFuzz, mutated_golden_files_give_verdicts_and_never_crash) {
  std::mt19937 random(1);
  const TemporaryFolder folder;
  const std::vector<std::string> files = seeds();
  std::size_t verdicts = 0;
  for (int round = 0; round < 150 && !files.empty(); ++round) {
    const std::string& seed = files[random() % files.size()];
    json document = json::parse(TemporaryFolder::read(seed));
    for (unsigned count = 1 + random() % 4; count > 0; --count) mutate(document, random);
    const std::string path = folder.write("mutated.json", document.dump());
    verdicts += check_file(path, golden_formats()).cases.size();
  }
  EXPECT_TRUE(files.empty() || verdicts > 0);
}

TEST(CheckFuzz, truncated_and_damaged_bytes_are_one_failure_a_file_or_still_valid) {
  std::mt19937 random(2);
  const TemporaryFolder folder;
  std::vector<std::string> texts = {R"({"schema":"none","cases":[{"id":"x"}]})"};
  for (const std::string& seed : seeds()) texts.push_back(TemporaryFolder::read(seed));
  for (int round = 0; round < 300; ++round) {
    std::string text = texts[random() % texts.size()].substr(0, 3000);
    for (unsigned count = random() % 4; count > 0; --count) text[random() % text.size()] = static_cast<char>(random());
    const FileResult result = check_file(folder.write("damaged.json", text), golden_formats());
    if (!json::accept(text)) {
      ASSERT_EQ(result.cases.size(), 1u);
      EXPECT_EQ(result.cases[0].outcome, CaseResult::Outcome::failed);
    }
  }
}

TEST(CheckFuzz, deep_nesting_is_a_failure) {
  const TemporaryFolder folder;
  const FileResult result = check_file(folder.write("deep.json", std::string(200'000, '[')), golden_formats());
  ASSERT_EQ(result.cases.size(), 1u);
  EXPECT_EQ(result.cases[0].outcome, CaseResult::Outcome::failed);
}

}  // namespace
}  // namespace vp
