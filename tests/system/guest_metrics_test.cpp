// Figures that a guest prints, from its console to the report and the table of a sweep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/platform/temporary_folder.h"
#include "tests/system/program.h"
#include "tests/system/small_programs.h"

namespace vp {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(GuestMetrics, a_line_of_the_console_is_a_figure_of_the_report) {
  const TemporaryFolder folder;
  const std::string program = folder.write("a.elf", printing_program("metric accuracy 98.61 %\nmetric bad x y\n"));
  const ProgramResult result = run_tinytpu_vp({"run", "--stats", folder.path("s.json"), program});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "metric accuracy 98.61 %\nmetric bad x y\n");
  EXPECT_THAT(result.error, HasSubstr("begins as a metric and is none (metric NAME VALUE UNIT): metric bad x y"));
  const auto metrics =
      nlohmann::json::parse(TemporaryFolder::read(folder.path("s.json")))["groups"]["metric"]["values"];
  EXPECT_EQ(metrics.size(), 1u);
  EXPECT_EQ(metrics["accuracy"]["value"], 98.61);
  EXPECT_EQ(metrics["accuracy"]["unit"], "%");
}

TEST(GuestMetrics, a_register_reports_a_value_under_a_name_in_memory) {
  const TemporaryFolder folder;
  const std::string good = folder.write("a.elf", metric_program("images images"));
  EXPECT_EQ(run_tinytpu_vp({"run", "-q", "--stats", folder.path("s.json"), good}).exit_code, 0);
  const auto metrics =
      nlohmann::json::parse(TemporaryFolder::read(folder.path("s.json")))["groups"]["metric"]["values"];
  EXPECT_EQ(metrics["images"]["value"], 42);
  EXPECT_EQ(metrics["images"]["unit"], "images");
  const ProgramResult bad = run_tinytpu_vp({"run", "-q", folder.write("b.elf", metric_program("=cmd"))});
  EXPECT_THAT(bad.error, HasSubstr("the register METRIC was given 0x8000002c, where no name of a figure stands (pc "));
}

TEST(GuestMetrics, a_sweep_over_programs_has_them_as_columns_and_the_page_as_axes) {
  const TemporaryFolder folder;
  const std::string one = folder.write("one.elf", printing_program("metric speed 5 </script>\n"));
  const std::string two = folder.write("two.elf", printing_program("metric speed 7 </script>\n"));
  const std::string out = folder.path("out");
  EXPECT_EQ(run_tinytpu_vp({"sweep", "--set", "program=" + one + "," + two, "-o", out, "--", "run"}).exit_code, 0);
  EXPECT_EQ(run_tinytpu_vp({"report", out, "--csv", "-", "--columns", "metric.speed"}).out,
            "metric.speed [</script>]\r\n5\r\n7\r\n");
  const ProgramResult page = run_tinytpu_vp({"report", out, "--up", "metric.speed", "-o", "-"});
  EXPECT_EQ(page.exit_code, 0);
  EXPECT_THAT(page.out, StartsWith("<!doctype html>"));
  EXPECT_THAT(page.out, HasSubstr("\\u003c/script>"));
}

}  // namespace
}  // namespace vp
