// Bounded fuzzing of the configuration sources: any text either sets parameters within their ranges or is the user's
// error.
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "models/common/error.h"
#include "platform/config/configuration.h"

namespace vp {
namespace {

struct Machine {
  Machine() {
    ParameterGroup(table, "tpu").integer("width", width, 2, 256, "elements", "width");
    ParameterGroup(table, "tpu").clock("clock", clock, "clock");
    ParameterGroup(table, "bus").time("latency", latency, 0, 1'000'000, "latency");
    ParameterGroup(table, "bus").real("share", share, 0, 1, "1", "share");
    ParameterGroup(table, "bus").text("label", label, "label");
  }
  unsigned width = 14;
  Picoseconds clock = 5625;
  Picoseconds latency = 10'000;
  double share = 0.5;
  std::string label;
  ParameterTable table;
};

std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> pieces = {"[tpu]",
                                                  "[bus]",
                                                  "[",
                                                  "]",
                                                  "\n",
                                                  "\n",
                                                  "\n",
                                                  "width",
                                                  "clock",
                                                  "latency",
                                                  "share",
                                                  "label",
                                                  " = ",
                                                  "=",
                                                  "14",
                                                  "0x10",
                                                  "-1",
                                                  "99999999999999999999",
                                                  "1e309",
                                                  "nan",
                                                  "0.25",
                                                  "10ns",
                                                  "100MHz",
                                                  "1e-30Hz",
                                                  "KiB",
                                                  "\"",
                                                  "\\",
                                                  "#",
                                                  ";",
                                                  " ",
                                                  "tpu.",
                                                  "\t",
                                                  std::string(1, '\0'),
                                                  "\xff",
                                                  "18446744073709551615s"};
  std::string text;
  for (unsigned count = random() % 24; count > 0; --count) text += pieces[random() % pieces.size()];
  return text;
}

void expect_in_range(const Machine& machine) {
  EXPECT_TRUE(machine.width >= 2 && machine.width <= 256);
  EXPECT_TRUE(machine.clock >= 1 && machine.clock <= 1'000'000'000'000);
  EXPECT_LE(machine.latency, 1'000'000u);
  EXPECT_TRUE(machine.share >= 0 && machine.share <= 1);
}

TEST(ConfigurationFuzz, any_text_is_understood_or_refused_and_settings_stay_in_range) {
  std::mt19937 random(3);
  unsigned understood = 0;
  for (int round = 0; round < 20'000; ++round) {
    Machine machine;
    const std::string text = random_text(random);
    try {
      switch (round % 3) {
        case 0:
          apply_ini(machine.table, text, "fuzz.ini");
          break;
        case 1:
          apply_assignments(machine.table, {text});
          break;
        default:
          apply_environment(machine.table, {"TINYTPU_VP_BUS__LABEL=" + text, "TINYTPU_VP_" + text});
          break;
      }
      ++understood;
    } catch (const UserError&) {
    }
    expect_in_range(machine);
  }
  EXPECT_GT(understood, 100u);
}

TEST(ConfigurationFuzz, any_label_survives_a_dump) {
  std::mt19937 random(4);
  for (int round = 0; round < 5'000; ++round) {
    Machine machine;
    machine.label = random_text(random);
    std::ostringstream dump;
    write_ini(machine.table, dump);
    Machine read_back;
    apply_ini(read_back.table, dump.str(), "dump.ini");
    ASSERT_EQ(read_back.label, machine.label);
  }
}

}  // namespace
}  // namespace vp
