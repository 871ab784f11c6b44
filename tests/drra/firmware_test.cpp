// The fabric in the default machine: its demonstration on fabrics of several sizes, and no figure shows the quantum.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "platform/report/volatile_figures.h"
#include "tests/system/program.h"

namespace vp {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using Settings = std::vector<std::string>;

ProgramResult run_demo(const std::string& width, const Settings& settings, Settings options = {"-q"}) {
  options.insert(options.begin(), "run");
  for (const std::string& setting : settings) options.insert(options.end(), {"--set", setting});
  options.push_back(firmware("drra_demo" + width));
  return run_tinytpu_vp(options);
}

class DrraFirmware : public testing::TestWithParam<const char*> {};

TEST_P(DrraFirmware, demonstration_is_equal_to_the_host_on_fabrics_of_any_size) {
  for (const Settings& build :
       {Settings{}, Settings{"drra.columns=1"}, Settings{"drra.columns=5"}, Settings{"drra.columns=64"},
        Settings{"drra.dimarch_rows=1", "drra.interrupt=none"}, Settings{"drra.clock=7ns", "fidelity=functional"},
        Settings{"drra.dma_width=32", "drra.dma_burst=1", "dram0.preset=ddr4-2400", "bus.topology=shared"}}) {
    Settings all = build;
    all.push_back("drra.present=true");
    const ProgramResult result = run_demo(GetParam(), all);
    EXPECT_EQ(result.exit_code, 0) << (build.empty() ? "" : build[0]) << result.out << result.error;
    EXPECT_THAT(result.out, HasSubstr("equal to the host"));
    EXPECT_THAT(result.out, HasSubstr("drra_demo: passed"));
  }
}

TEST(DrraLog, says_which_store_began_the_run_of_an_instruction) {
  const ProgramResult result =
      run_demo("64", {"drra.present=true"}, {"-q", "--uart-output", "/dev/null", "--log-instructions", "drra"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.error, ContainsRegex("\n +0 +[0-9.]+ +[0-9.]+ +[0-9.]+  cell 0,0, pc 0: .* cpu at pc 0x[0-9a-f]+ "
                                          "\\(drra_(start|run)"));
}

TEST(DrraTraffic, what_the_fabric_did_adds_up_to_its_runs) {
  const ProgramResult result = run_demo("64", {"drra.present=true"}, {"--uart-output", "/dev/null", "--stats", "-"});
  EXPECT_THAT(result.error, ContainsRegex("-- drra: running [<0-9. ]+%, of that computing [0-9.]+ %, moving data "));
  const nlohmann::json drra = nlohmann::json::parse(result.out)["groups"]["drra"];
  std::uint64_t sum = 0;
  for (const auto& [cause, figure] : drra["groups"]["held_up_by"]["values"].items())
    sum += figure["value"].get<std::uint64_t>();
  EXPECT_EQ(sum, drra["values"]["run_cycles"]["value"]);
  EXPECT_GT(drra["groups"]["held_up_by"]["values"]["compute"]["value"], 0);
}

TEST(DrraTraffic, rows_come_from_dram1_and_go_there_where_the_machine_has_it) {
  const Settings options = {"-q", "--uart-output", "", "--stats", "-"};
  const ProgramResult both = run_demo("64", {"drra.present=true"}, options);
  const nlohmann::json bus = nlohmann::json::parse(both.out)["groups"]["bus"]["groups"]["drra"]["groups"];
  EXPECT_FALSE(bus.contains("dram0"));
  EXPECT_GT(bus["dram1"]["values"]["read_bytes"]["value"], 0);
  EXPECT_GT(bus["dram1"]["values"]["write_bytes"]["value"], 0);
  const ProgramResult one = run_demo("64", {"drra.present=true", "dram1.present=false"}, options);
  EXPECT_EQ(one.exit_code, 0) << one.error;
  EXPECT_TRUE(nlohmann::json::parse(one.out)["groups"]["bus"]["groups"]["drra"]["groups"].contains("dram0"));
}

TEST_P(DrraFirmware, demonstration_is_skipped_without_a_fabric) {
  const ProgramResult result = run_demo(GetParam(), {});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "drra_demo: skipped, no DRRA fabric in the device tree\n");
}

INSTANTIATE_TEST_SUITE_P(Widths, DrraFirmware, testing::Values("32", "64"));

/// Everything but the host's speed, what was asked for, and how often somebody waited for the kernel.
nlohmann::json figures_at(const std::string& quantum, Settings settings) {
  settings.insert(settings.end(), {"drra.present=true", "cpu.quantum=" + quantum});
  const ProgramResult result = run_demo("64", settings, {"-q", "--uart-output", "", "--stats", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  nlohmann::json figures = nlohmann::json::parse(result.out)["groups"];
  for (auto& group : figures) remove_volatile_figures(group);
  for (const char* name : {"ordered", "synchronisations"}) figures["bus"]["values"].erase(name);
  figures.erase("configuration");
  return figures;
}

TEST(DrraQuantum, does_not_show_in_any_figure) {
  for (const Settings& settings :
       {Settings{"fidelity=functional"}, Settings{"fidelity=timed"},
        Settings{"fidelity=timed", "bus.topology=shared", "dram0.preset=ddr4-2400", "drra.clock=7ns"}}) {
    const nlohmann::json reference = figures_at("10us", settings);
    EXPECT_EQ(reference["drra"]["values"]["runs"]["value"], 2);
    for (const char* quantum : {"1ns", "100ns", "10ms"})
      EXPECT_EQ(nlohmann::json::diff(reference, figures_at(quantum, settings)), nlohmann::json::array()) << quantum;
  }
}

TEST(DrraReport, tells_where_the_time_of_fabric_and_dma_went) {
  const ProgramResult result = run_demo("64", {"drra.present=true"}, {});
  EXPECT_THAT(
      result.error,
      ContainsRegex("\n-- drra: running [<0-9. ]+%, of that .* %; DMA moving data [<0-9. ]+%, waiting for bus and "
                    "memory [<0-9. ]+%, idle [0-9.]+ %; [0-9,]+ bytes moved\n"));
  EXPECT_THAT(result.error, HasSubstr("\n-- bounded by host feed: "));
}

TEST(DrraReport, of_a_run_that_ends_before_the_fabric_worked_is_about_the_cpu) {
  const ProgramResult result = run_demo("64", {"drra.present=true"}, {"--max-time", "500us"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.error, HasSubstr("\n-- bounded by cpu: cpu executing instructions, "));
}

TEST(DrraReport, names_settings_that_cannot_be_in_one_sentence) {
  const ProgramResult result = run_demo("64", {"drra.present=true", "drra.dma_width=96"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("drra: dma_width 96 is not a power of two."));
}

}  // namespace
}  // namespace vp
