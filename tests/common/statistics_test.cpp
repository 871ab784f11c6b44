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

TEST(Statistics, SummaryHasOneGroupALineWithoutZeros) {
  Statistics root;
  Statistics& tpu = root.group("tpu");
  tpu.add("busy", std::uint64_t{7}, "cycles", "cycles with work");
  tpu.add("idle", std::uint64_t{0}, "cycles", "cycles without");
  tpu.add("pulses", std::uint64_t{2}, "1", "of the pin");
  tpu.add("port_cycles", std::uint64_t{3}, "cycles", "the unit is in the name");
  root.group("uart").add("sent", std::uint64_t{0}, "bytes", "");
  tpu.group("port").add("state", std::string("open"), "");
  std::ostringstream text;
  root.write_summary(text);
  EXPECT_EQ(text.str(), "tpu       busy 7 cycles, pulses 2, port_cycles 3\ntpu.port  state open\n");
}

TEST(Statistics, SummaryContinuesLongLines) {
  Statistics root;
  for (int i = 0; i < 20; ++i) root.group("g").add("quantity" + std::to_string(i), std::uint64_t{1}, "cycles", "");
  std::ostringstream text;
  root.write_summary(text);
  std::istringstream lines(text.str());
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    EXPECT_LE(line.size(), 120u);
    ++count;
  }
  EXPECT_GT(count, 2);
  EXPECT_NE(text.str().find("quantity19 1 cycles\n"), std::string::npos);
}

}  // namespace
}  // namespace vp
