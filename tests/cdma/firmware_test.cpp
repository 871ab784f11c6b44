// The CDMA in a machine that is composed on the command line: its own test program, and the digits carried by it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "platform/report/volatile_figures.h"
#include "tests/system/program.h"

namespace vp {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

using Settings = std::vector<std::string>;

const Settings kCdma = {"cdma0.kind=cdma", "cdma0.base=0x4E200000", "cdma0.interrupt=6"};

/// On the default machine with these settings, options of `run` before the program.
ProgramResult run(const std::string& program, const std::vector<Settings>& settings, Settings options = {"-q"}) {
  options.insert(options.begin(), "run");
  for (const Settings& some : settings)
    for (const std::string& setting : some) options.insert(options.end(), {"--set", setting});
  options.push_back(firmware(program));
  return run_tinytpu_vp(options);
}

class CdmaFirmware : public testing::TestWithParam<std::tuple<int, const char*>> {
 protected:
  static std::string width() { return std::to_string(std::get<0>(GetParam())); }
  static Settings fidelity() { return {std::string("fidelity=") + std::get<1>(GetParam())}; }
};

TEST_P(CdmaFirmware, test_program_finds_it_as_documented) {
  const ProgramResult result = run("cdma_test" + width(), {kCdma, fidelity()});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("AXI CDMA at 0x4e200000: 64 bit, with realignment, interrupt\n"));
  EXPECT_THAT(result.out, HasSubstr(" bytes in "));
  EXPECT_THAT(result.out, EndsWith(" good, 0 failed\n"));
}

TEST_P(CdmaFirmware, test_program_passes_however_it_is_built) {
  for (const Settings& build :
       {Settings{"cdma0.data_width=32", "cdma0.address_width=32"}, Settings{"cdma0.data_width=1024"},
        Settings{"cdma0.include_dre=false", "cdma0.btt_width=12"}, Settings{"cdma0.interrupt=none"},
        Settings{"cdma0.outstanding=1", "cdma0.max_burst=2"}, Settings{"cdma0.max_burst=256", "cdma0.btt_width=14"},
        Settings{"cdma0.clock=7ns", "bus.topology=shared"}, Settings{"dram1.present=false"}}) {
    const ProgramResult result = run("cdma_test" + width(), {kCdma, build, fidelity()});
    EXPECT_EQ(result.exit_code, 0) << build[0] << '\n' << result.out << result.error;
  }
}

TEST_P(CdmaFirmware, test_program_is_skipped_without_one) {
  const ProgramResult result = run("cdma_test" + width(), {fidelity()});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "cdma_test: skipped, no AXI CDMA in the device tree\n");
}

TEST_P(CdmaFirmware, carries_the_digits_at_every_array_width) {
  for (const char* array : {"3", "8", "14", "32", "256"}) {
    const ProgramResult result =
        run("digits_cdma" + width(), {kCdma, fidelity(), {std::string("tpu.matrix_width=") + array}});
    EXPECT_EQ(result.exit_code, 0) << array << '\n' << result.out << result.error;
    EXPECT_THAT(result.out, HasSubstr("output bytes equal to the reference: 3600 of 3600\n")) << array;
  }
}

TEST_P(CdmaFirmware, digits_say_that_there_is_none) {
  const ProgramResult result = run("digits_cdma" + width(), {fidelity()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "digits_cdma: no usable AXI CDMA in the device tree (error 19)\n");
}

INSTANTIATE_TEST_SUITE_P(WidthsAndFidelities, CdmaFirmware,
                         testing::Combine(testing::Values(32, 64), testing::Values("functional", "timed")));

nlohmann::json figures_of(const std::string& program, const std::vector<Settings>& settings) {
  const ProgramResult result = run(program, settings, {"-q", "--uart-output", "", "--stats", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  return nlohmann::json::parse(result.out)["groups"];
}

TEST(CdmaReport, has_the_bytes_that_the_program_says_it_has_carried) {
  const ProgramResult result = run("digits_cdma64", {kCdma});
  const nlohmann::json figures = figures_of("digits_cdma64", {kCdma});
  const nlohmann::json& cdma = figures["cdma0"]["values"];
  EXPECT_THAT(result.out,
              HasSubstr("AXI CDMA: " + std::to_string(cdma["bytes"]["value"].get<unsigned>()) + " bytes\n"));
  EXPECT_EQ(cdma["transfers"]["value"], 2) << "weights and inputs";
  EXPECT_GT(cdma["busy"]["value"], 0);
}

/// Everything but the host's speed, what was asked for, and how often somebody waited for the kernel.
nlohmann::json figures_at(const std::string& program, const std::string& quantum, const Settings& settings) {
  nlohmann::json figures = figures_of(program, {kCdma, settings, {"cpu.quantum=" + quantum}});
  for (auto& group : figures) remove_volatile_figures(group);
  for (const char* name : {"ordered", "synchronisations"}) figures["bus"]["values"].erase(name);
  figures.erase("configuration");
  return figures;
}

TEST(CdmaSettings, that_cannot_be_are_one_sentence) {
  const ProgramResult result = run("cdma_test64", {kCdma, {"cdma0.data_width=96"}});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("cdma0: data_width 96 is not a power of two."));
  EXPECT_EQ(run("cdma_test64", {{"cdma0.kind=cdma"}}).exit_code, 2) << "no place in the address space";
}

class CdmaQuantum : public testing::TestWithParam<Settings> {};

TEST_P(CdmaQuantum, does_not_show_in_any_figure) {
  for (const char* program : {"cdma_test64", "digits_cdma64"}) {
    const nlohmann::json reference = figures_at(program, "10us", GetParam());
    for (const char* quantum : {"1ns", "100ns", "1us", "10ms"})
      EXPECT_EQ(nlohmann::json::diff(reference, figures_at(program, quantum, GetParam())), nlohmann::json::array())
          << program << ' ' << quantum;
  }
}

const Settings kTraffic = {"traffic0.present=true", "traffic0.base=0xC8000000", "traffic0.writes=30",
                           "traffic0.rate=200000000"};
Settings with_traffic(Settings settings) {
  settings.insert(settings.end(), kTraffic.begin(), kTraffic.end());
  return settings;
}

INSTANTIATE_TEST_SUITE_P(
    Modes, CdmaQuantum,
    testing::Values(Settings{"fidelity=functional"}, Settings{"fidelity=timed"}, with_traffic({"fidelity=functional"}),
                    with_traffic({"fidelity=timed"}), with_traffic({"fidelity=timed", "bus.topology=shared"}),
                    with_traffic({"fidelity=timed", "bus.topology=shared", "bus.arbitration=round-robin",
                                  "dram0.preset=ddr4-2400", "dram1.preset=ddr3-1600"})));

}  // namespace
}  // namespace vp
