#include "platform/report/page_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <sstream>

#include "platform/report/page_parts.h"
#include "platform/report/run_tree.h"

namespace vp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using OrderedJson = nlohmann::ordered_json;

/// Statistics of a run of a machine with one array, one link and one mover.
OrderedJson whole_run() {
  RunTree tree;
  tree.machine_run.emplace();
  Bounds bounds;
  bounds.timed_time = 1'000'000;
  bounds.computes = {{"tpu", 1e11, 50'000, 500, 600, 1000}};
  bounds.memories = {{"dram0", 1e9}};
  bounds.movers = {{"cdma0", 8e8, 100, 250'000}};
  tree.ideal = ideal_figures(bounds);
  Statistics root;
  write_figures(tree, root);
  std::ostringstream text;
  root.write_json(text);
  return OrderedJson::parse(text.str());
}

bool of_a_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string word_at(const std::string& text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && of_a_word(text[end])) ++end;
  return text.substr(begin, end - begin);
}

TEST(PageNames, the_scripts_use_no_name_that_the_program_does_not_state) {
  const OrderedJson names = page_names();
  const std::string script = page_parts::kScript;
  int uses = 0;
  for (std::size_t at = 0; (at = script.find("names.", at)) != std::string::npos;) {
    const bool inside_a_word = at > 0 && of_a_word(script[at - 1]);
    at += 6;
    const std::string name = word_at(script, at);
    if (inside_a_word || name.empty()) continue;
    ++uses;
    ASSERT_TRUE(names.contains(name)) << name;
    const std::size_t behind = at + name.size();
    const std::string part = script[behind] == '.' ? word_at(script, behind + 1) : "";
    const bool inside = names.at(name).is_object() && !part.empty();
    EXPECT_TRUE(!inside || names.at(name).contains(part)) << name << '.' << part;
  }
  EXPECT_GT(uses, 15);
}

TEST(PageNames, the_scripts_look_for_no_figure_by_a_text_of_their_own) {
  const std::string script = page_parts::kScript;
  for (const char* part : {"\"ideal", "\"run.", "\"configuration.", "\"cpu.", "\"tpu.", "_macs_", "_cycles", "_time\""})
    EXPECT_EQ(script.find(part), std::string::npos) << part;
}

TEST(PageNames, are_those_of_the_lists) {
  const OrderedJson names = page_names();
  EXPECT_EQ(names["simulatedTime"], OrderedJson({"run.simulated_time"}));
  EXPECT_EQ(names["fidelity"], OrderedJson({"run.fidelity", "configuration.fidelity"}));
  EXPECT_EQ(names["links"], "ideal.links");
  EXPECT_EQ(names["compute"]["peak"], "peak_macs_per_second");
}

TEST(PageNames, nothing_is_missing_in_what_this_version_writes) {
  EXPECT_THAT(missing_figures(whole_run()), IsEmpty());
}

TEST(PageNames, figures_that_another_version_did_not_write_are_named) {
  OrderedJson run = whole_run();
  run["groups"]["run"]["values"].erase("simulated_time");
  OrderedJson& ideal = run["groups"]["ideal"];
  ideal["values"].erase("mapped_of_peak");
  ideal["groups"]["links"]["groups"]["dram0"]["values"].erase("intensity");
  ideal["groups"]["movers"]["groups"]["cdma0"]["values"].erase("busy_time");
  EXPECT_THAT(missing_figures(run), ElementsAre("run.simulated_time", "ideal.mapped_of_peak",
                                                "ideal.links.dram0.intensity", "ideal.movers.cdma0.busy_time"));
}

TEST(PageNames, what_a_run_need_not_have_is_not_missing) {
  OrderedJson run = whole_run();
  run["groups"]["ideal"]["values"].erase("minimum_cycles");  // an array that executed nothing
  EXPECT_THAT(missing_figures(run), IsEmpty());
  run["groups"].erase("ideal");  // a machine without an array
  EXPECT_THAT(missing_figures(run), IsEmpty());
}

}  // namespace
}  // namespace vp
