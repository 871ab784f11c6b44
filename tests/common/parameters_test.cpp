#include "models/common/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/error.h"

namespace vp {
namespace {

enum class Mode { functional, timed };

struct Config {
  unsigned width = 14;
  double scale = 0.5;
  bool report = true;
  std::string file;
  Mode mode = Mode::functional;
  Picoseconds period = 5625;
  Picoseconds latency = 50'000;

  void declare(ParameterGroup g) {
    g.integer("matrix_width", width, 2, 256, "elements", "rows and columns of the array");
    g.real("scale", scale, 0, 1, "", "a share");
    g.boolean("report", report, "print it");
    g.text("file", file, "a file");
    g.choice("mode", mode, {{"functional", Mode::functional}, {"timed", Mode::timed}}, "how much time costs");
    g.clock("clock", period, "clock of the array");
    g.time("latency", latency, 0, 1'000'000, "of one access");
  }
};

class ParametersTest : public testing::Test {
 protected:
  ParametersTest() { config.declare(ParameterGroup(table).group("tpu")); }
  std::string error_of(const std::string& name, const std::string& value) {
    try {
      table.set(name, value, "--set");
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  Config config;
  ParameterTable table;
};

TEST_F(ParametersTest, SettingWritesTheBoundMember) {
  table.set("tpu.matrix_width", "0x20", "--set");
  table.set("tpu.scale", "0.25", "--set");
  table.set("tpu.report", "off", "--set");
  table.set("tpu.file", "a b", "--set");
  table.set("tpu.mode", "timed", "--set");
  table.set("tpu.clock", "100MHz", "--set");
  table.set("tpu.latency", "1.5 ns", "--set");
  EXPECT_EQ(config.width, 32u);
  EXPECT_EQ(config.scale, 0.25);
  EXPECT_FALSE(config.report);
  EXPECT_EQ(config.file, "a b");
  EXPECT_EQ(config.mode, Mode::timed);
  EXPECT_EQ(config.period, 10'000u);
  EXPECT_EQ(config.latency, 1500u);
}

TEST_F(ParametersTest, EveryValueReadsBackAsTextThatSetAccepts) {
  for (const Parameter& parameter : table.all()) {
    const std::string text = parameter.get();
    EXPECT_EQ(text, parameter.default_value);
    EXPECT_NO_THROW(table.set(parameter.name, text, "test")) << parameter.name;
    EXPECT_EQ(parameter.get(), text);
  }
}

TEST_F(ParametersTest, UnknownNameSuggestsTheNearest) {
  EXPECT_EQ(error_of("tpu.matrix_widht", "3"),
            "--set: unknown parameter 'tpu.matrix_widht': did you mean 'tpu.matrix_width'?");
}

TEST_F(ParametersTest, ValuesOutOfRangeSayWhatIsAllowed) {
  EXPECT_EQ(error_of("tpu.matrix_width", "257"), "--set: tpu.matrix_width: 257 is out of range (allowed: 2 to 256)");
  EXPECT_THAT(error_of("tpu.mode", "tymed"), testing::HasSubstr("did you mean 'timed'?"));
  EXPECT_EQ(config.width, 14u);
}

TEST_F(ParametersTest, MalformedTextIsRefused) {
  for (const char* bad : {"", "x", "-1", "1.5", "0x", "12 ", "99999999999999999999", "99999999999999999GiB"})
    EXPECT_NE(error_of("tpu.matrix_width", bad), "") << bad;
  for (const char* bad : {"", "5", "5 parsec", "0MHz", "MHz", "ns", "1e5Hz", "100000000s"})
    EXPECT_NE(error_of("tpu.clock", bad), "") << bad;
  for (const char* bad : {"", "50", "-1ns", "2us", "99999999999999999999s"})
    EXPECT_NE(error_of("tpu.latency", bad), "") << bad;
  for (const char* bad : {"", "maybe"}) EXPECT_NE(error_of("tpu.report", bad), "") << bad;
  for (const char* bad : {"", "nan", "0.1x", "-0.1"}) EXPECT_NE(error_of("tpu.scale", bad), "") << bad;
}

TEST(Address, IsShownInHexadecimalAndReadFromAnyNumber) {
  ParameterTable table;
  std::uint64_t base = 0x1000;
  ParameterGroup(table, "rom").address("base", base, "first address");
  EXPECT_EQ(table.find("rom.base")->default_value, "0x00001000");
  table.set("rom.base", "4096MiB", "--set");
  EXPECT_EQ(table.find("rom.base")->get(), "0x100000000");
  table.set("rom.base", "16", "--set");
  EXPECT_EQ(base, 16u);
}

TEST(WithoutEffect, a_parameter_says_which_other_setting_takes_its_effect) {
  bool present = true;
  unsigned preset = 0, rows = 1;
  ParameterTable table;
  const ParameterGroup part = ParameterGroup(table, "dram0");
  const ParameterGroup working = part.effective([&] { return present; }, "dram0.present is false");
  working.integer("preset", preset, 0, 1, "1", "which devices");
  working.group("page")
      .effective([&] { return preset != 0; }, "dram0.preset is 0")
      .integer("rows", rows, 0, 9, "1", "");
  const Parameter& inner = *table.find("dram0.page.rows");
  EXPECT_EQ(inner.without_effect(), "dram0.preset is 0");
  table.set("dram0.preset", "1", "--set");
  EXPECT_EQ(inner.without_effect(), "");
  present = false;
  EXPECT_EQ(inner.without_effect(), "dram0.present is false") << "the outer condition comes first";
  EXPECT_EQ(table.find("dram0.preset")->without_effect(), "dram0.present is false");
}

TEST(TimeText, UsesTheLargestExactUnit) {
  EXPECT_EQ(format_time(5625), "5625ps");
  EXPECT_EQ(format_time(10'000), "10ns");
  EXPECT_EQ(format_time(1'000'000'000'000), "1s");
  EXPECT_EQ(format_time(0), "0ps");
}

}  // namespace
}  // namespace vp
