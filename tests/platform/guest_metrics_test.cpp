#include "platform/run/guest_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

namespace vp {
namespace {

using ::testing::HasSubstr;

/// What a console's text makes of the figures, and what is complained of.
struct Console {
  std::vector<std::string> complaints;
  GuestMetrics metrics{[this](const std::string& text) { complaints.push_back(text); }};

  void print(const std::string& text, std::size_t console = 0) {
    for (const char c : text) metrics.put(console, static_cast<std::uint8_t>(c));
  }
  nlohmann::json values() const {
    Statistics root;
    metrics.report(root);
    std::ostringstream json;
    root.write_json(json);
    const nlohmann::json tree = nlohmann::json::parse(json.str());
    return tree.contains("groups") && tree["groups"].contains("metric") ? tree["groups"]["metric"]["values"]
                                                                        : nlohmann::json::object();
  }
};

TEST(GuestMetrics, lines_of_the_console_become_figures_with_units) {
  Console console;
  console.print(
      "hello\nmetric accuracy 98.61 %\r\nmetric frames_per_second.best 18446744073709551615\nmetric a -1e-3 s\n");
  EXPECT_EQ(console.values()["accuracy"]["value"], 98.61);
  EXPECT_EQ(console.values()["accuracy"]["unit"], "%");
  EXPECT_EQ(console.values()["frames_per_second.best"]["value"], 18446744073709551615u);
  EXPECT_EQ(console.values()["a"]["value"], -1e-3);
  EXPECT_TRUE(console.complaints.empty());
}

TEST(GuestMetrics, the_last_line_of_a_name_counts) {
  Console console;
  console.print("metric n 1 x\nmetric n 2 y\n");
  EXPECT_EQ(console.values()["n"]["value"], 2);
  EXPECT_EQ(console.values()["n"]["unit"], "y");
}

TEST(GuestMetrics, lines_of_two_consoles_do_not_mix) {
  Console console;
  console.print("metric a ", 0);
  console.print("metric b 2\n", 1);
  console.print("1\n", 0);
  EXPECT_EQ(console.values().size(), 2u);
}

TEST(GuestMetrics, what_is_no_metric_is_complained_of_and_kept_out) {
  const std::string long_name(65, 'n');
  const std::vector<std::string> wrong = {"a inf",
                                          "a nan",
                                          "a 0x10",
                                          "a 1e999",
                                          "a 1 2 3",
                                          "a",
                                          "",
                                          "a/b 1",
                                          "a 1 " + std::string(33, 'u'),
                                          long_name + " 1",
                                          std::string("=cmd 1"),
                                          std::string(".a 1"),
                                          std::string("a..b 1"),
                                          std::string("a 1 \x01")};
  for (const std::string& line : wrong) {
    Console console;
    console.print("metric " + line + "\n");
    EXPECT_TRUE(console.values().empty()) << line;
    EXPECT_EQ(console.complaints.size(), 1u) << line;
  }
  Console console;
  console.print("metrics a 1\n metric a 1\nmetric\nmetric a 1");  // no line begins so, or none ends
  EXPECT_TRUE(console.values().empty());
  EXPECT_TRUE(console.complaints.empty());
}

TEST(GuestMetrics, a_guest_cannot_fill_the_report) {
  Console console;
  for (int i = 0; i < 3000; ++i) console.print("metric m" + std::to_string(i) + " 1\n");
  EXPECT_EQ(console.values().size(), 1000u);
  console.print("metric m0 7\n" + std::string(1 << 20, 'x'));
  EXPECT_EQ(console.values()["m0"]["value"], 7);
}

TEST(GuestMetrics, any_bytes_leave_finite_numbers_with_legal_names) {
  std::mt19937 random(3);
  const std::string alphabet = "metric ab.09+-eE%<>/\"\\=\r\n \x01\xff";
  Console console;
  for (int i = 0; i < 20000; ++i) {
    std::string line = random() % 4 ? "metric " : "";
    for (unsigned n = random() % 12; n > 0; --n) line += alphabet[random() % alphabet.size()];
    console.print(line + "\n");
  }
  const nlohmann::json values = console.values();
  EXPECT_GT(values.size(), 3u);
  for (const auto& [name, figure] : values.items()) {
    EXPECT_EQ(name.find_first_not_of("metricab.09eE"), std::string::npos) << name;
    EXPECT_TRUE(figure["value"].is_number()) << name;
  }
}

}  // namespace
}  // namespace vp
