#include "models/common/statistics.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "models/common/number_text.h"

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

TEST(Statistics, text_has_one_notation_for_numbers) {
  Statistics root;
  root.add("cycles", std::uint64_t{1234567}, "cycles", "");
  root.add("time", 7298391.5, "ns", "");
  root.add("share", 0.0123456, "%", "");
  std::ostringstream text;
  root.write_text(text);
  for (const char* number : {" 1,234,567 cycles", " 7,298,392 ns", " 0.0123456 %"})
    EXPECT_NE(text.str().find(number), std::string::npos) << number << '\n' << text.str();
}

TEST(Statistics, json_is_written_as_the_library_would_write_it) {
  Statistics root;
  root.add("odd \"name\"\\", std::string("line\nfeed \x7f \x01 \u00b5s \t"), "");
  root.add("none", std::numeric_limits<double>::quiet_NaN(), "", "");
  std::string name;
  for (const double value : {0.0, -0.0, 1.0, 0.1, 1e300, 5e-324, 123456789.125})
    root.add(name += 'x', value, "ns", "d");
  root.add("all bits", ~std::uint64_t{0}, "1", "d", Repeats::never);
  root.group("empty");
  root.group("below", "told").group("further").add("x", std::uint64_t{0}, "", "");
  std::ostringstream text;
  root.write_json(text);
  EXPECT_EQ(text.str(), nlohmann::ordered_json::parse(text.str()).dump(2) + "\n");
  Statistics nothing;
  std::ostringstream empty;
  nothing.write_json(empty);
  EXPECT_EQ(empty.str(), "{}\n");
}

TEST(Statistics, json_marks_figures_that_differ_between_runs) {
  Statistics root;
  root.add("wall_time", 0.5, "s", "", Repeats::never);
  root.add("cycles", std::uint64_t{1}, "cycles", "");
  std::ostringstream text;
  root.write_json(text);
  const auto json = nlohmann::json::parse(text.str());
  EXPECT_EQ(json["values"]["wall_time"]["volatile"], true);
  EXPECT_FALSE(json["values"]["cycles"].contains("volatile"));
}

TEST(NumberText, groups_thousands_and_keeps_the_digits_that_carry_information) {
  EXPECT_EQ(number_text(std::uint64_t{0}), "0");
  EXPECT_EQ(number_text(std::uint64_t{999}), "999");
  EXPECT_EQ(number_text(std::uint64_t{27472}), "27,472");
  EXPECT_EQ(number_text(std::uint64_t{1234567890}), "1,234,567,890");
  EXPECT_EQ(number_text(1234.5678), "1,235");
  EXPECT_EQ(number_text(-1234567.0), "-1,234,567");
  EXPECT_EQ(number_text(12.345), "12.35");
  EXPECT_EQ(number_text(12.0), "12");
  EXPECT_EQ(number_text(0.00123), "0.00123");
  EXPECT_EQ(number_text(0.0), "0");
  EXPECT_EQ(number_text(1.2e-7), "1.200e-07");
}

TEST(NumberText, a_share_never_rounds_to_nothing_or_to_all) {
  EXPECT_EQ(share_text(0), "0.0 %");
  EXPECT_EQ(share_text(0.48379), "48.4 %");
  EXPECT_EQ(share_text(1e-6), "< 0.1 %");
  EXPECT_EQ(share_text(0.99999), "> 99.9 %");
  EXPECT_EQ(share_text(1), "100.0 %");
}

}  // namespace
}  // namespace vp
