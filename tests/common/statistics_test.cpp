#include "models/common/statistics.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace vp {
namespace {

TEST(Statistics, TextAndJsonComeFromOneTree) {
  Statistics root;
  root.add("time", 1.5, "us", "simulated time");
  Statistics& tpu = root.group("tpu", "the accelerator");
  tpu.add("busy", std::uint64_t{7}, "cycles", "cycles with work");
  root.group("tpu").group("activate").add("state", std::string("idle"), "at the end");

  std::ostringstream text;
  root.write_text(text);
  EXPECT_NE(text.str().find("tpu.busy"), std::string::npos);
  EXPECT_NE(text.str().find("tpu.activate.state"), std::string::npos);

  std::ostringstream json_text;
  root.write_json(json_text);
  const auto json = nlohmann::json::parse(json_text.str());
  EXPECT_EQ(json["values"]["time"]["value"], 1.5);
  EXPECT_EQ(json["groups"]["tpu"]["description"], "the accelerator");
  EXPECT_EQ(json["groups"]["tpu"]["values"]["busy"]["unit"], "cycles");
}

TEST(Statistics, FindsByPath) {
  Statistics root;
  root.group("a").group("b").add("c", std::uint64_t{3}, "1", "");
  ASSERT_NE(root.find("a.b.c"), nullptr);
  EXPECT_EQ(std::get<std::uint64_t>(*root.find("a.b.c")), 3u);
  EXPECT_EQ(root.find("a.b"), nullptr);
  EXPECT_EQ(root.find("a.x.c"), nullptr);
}

}  // namespace
}  // namespace vp
