// Functional and timed mode on the whole machine: same results, other times, and figures that say which mode they are
// from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "platform/report/volatile_figures.h"
#include "tests/platform/temporary_folder.h"
#include "tests/system/program.h"
#include "tests/system/small_programs.h"

namespace vp {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Options = std::vector<std::string>;

/// Loads from a thousand lines of memory, timed only if bracketed.
std::string loading_program(bool bracketed) {
  const std::uint32_t mark = bracketed ? 1 : 0;
  return program_of({
      0x001002b7,               // lui  t0,0x100        finisher
      mark << 20 | 0x00000313,  // li   t1,mark
      0x1062a023,               // sw   t1,0x100(t0)    FIDELITY
      0x01000397,               // auipc t2,0x1000
      0x3e800e13,               // li   t3,1000
      0x0003be83,               // loop: ld t4,0(t2)
      0x04038393,               // addi t2,t2,64
      0xfffe0e13,               // addi t3,t3,-1
      0xfe0e1ae3,               // bnez t3,loop
      0x1002a023,               // sw   zero,0x100(t0)
      0x00005337,               // lui  t1,0x5
      0x55530313,               // addi t1,t1,0x555     pass
      0x0062a023,               // sw   t1,0(t0)
      0x0000006f,               // j    .
  });
}

struct FidelityRun : testing::Test {
  nlohmann::json figures(const std::string& program, Options options) {
    options.insert(options.begin(), {"run", "-q", "--uart-output", "", "--stats", "-"});
    options.push_back(program);
    const ProgramResult result = run_tinytpu_vp(options);
    EXPECT_EQ(result.exit_code, 0) << result.error;
    return nlohmann::json::parse(result.out)["groups"];
  }
  /// Begun in functional mode.
  nlohmann::json functional_figures(const std::string& program, Options options) {
    options.insert(options.end(), {"--set", "fidelity=functional"});
    return figures(program, options);
  }
  TemporaryFolder folder;
};

TEST_F(FidelityRun, timed_is_the_default) {
  const std::string program = folder.write("program.elf", ending_program());
  const nlohmann::json plain = figures(program, {});
  EXPECT_EQ(plain["run"]["values"]["fidelity"]["value"], "timed");
  EXPECT_EQ(plain["configuration"]["values"]["fidelity"]["value"], "timed");
}

TEST_F(FidelityRun, a_report_says_once_that_functional_times_are_no_estimate) {
  const std::string program = folder.write("program.elf", ending_program());
  const auto report_of = [&](const char* fidelity) {
    return run_tinytpu_vp({"run", "--set", std::string("fidelity=") + fidelity, program}).error;
  };
  EXPECT_THAT(report_of("timed"), Not(HasSubstr("no estimate")));
  const std::string report = report_of("functional");
  const std::size_t at = report.find("fidelity=functional: CPU times are without caches and no estimate");
  ASSERT_NE(at, std::string::npos) << report;
  EXPECT_EQ(report.find("no estimate", report.find("no estimate", at) + 1), std::string::npos) << "said once";
}

TEST_F(FidelityRun, the_guest_brackets_a_region_of_interest) {
  const std::string program = folder.write("program.elf", loading_program(true));
  const nlohmann::json result = functional_figures(program, {"--set", "dram0.preset=ddr4-2400"});
  const nlohmann::json& run = result["run"]["values"];
  EXPECT_EQ(run["fidelity"]["value"], "functional and timed");
  EXPECT_EQ(run["fidelity_changes"]["value"], 2);
  EXPECT_EQ(run["functional_time"]["value"].get<std::uint64_t>() + run["timed_time"]["value"].get<std::uint64_t>(),
            run["simulated_time"]["value"].get<std::uint64_t>());
  const double timed = run["timed_time"]["value"].get<double>() / run["simulated_time"]["value"].get<double>();
  const nlohmann::json& bound = result["ideal"]["groups"]["links"]["groups"]["dram0"]["values"]["peak_bandwidth"];
  EXPECT_NEAR(bound["value"].get<double>(), timed * 64 / (4 * 0.83e-9) + (1 - timed) * 0.8e9, 1e3);
  const nlohmann::json& dram = result["dram0"]["groups"]["timed"]["groups"];
  EXPECT_GE(dram["read"]["values"]["transactions"]["value"], 1000);
  EXPECT_GT(dram["rows"]["values"]["hits"]["value"], 900) << "they lie one after the other";
  EXPECT_GE(result["bus"]["groups"]["links"]["groups"]["dram0"]["values"]["transactions"]["value"], 1000);
}

TEST_F(FidelityRun, a_timeline_shows_when_links_and_channels_moved_data) {
  const std::string program = folder.write("program.elf", loading_program(true));
  const std::string file = folder.path("timeline.json");
  functional_figures(program, {"--set", "dram0.preset=ddr4-2400", "--timeline", file});
  const nlohmann::json timeline = nlohmann::json::parse(folder.read(file));
  for (const char* unit : {"bus.dram0", "dram0"}) {
    const auto& tracks = timeline["tracks"];
    const auto track = std::find_if(tracks.begin(), tracks.end(), [&](const auto& one) { return one["name"] == unit; });
    ASSERT_NE(track, tracks.end()) << unit;
    EXPECT_GE((*track)["spans"].size(), 900u) << unit;
  }
}

TEST_F(FidelityRun, a_timeline_shows_for_what_the_cpu_waited) {
  const std::string program = folder.write("program.elf", loading_program(true));
  const std::string file = folder.path("timeline.json");
  const nlohmann::json figures_of_time = figures(program, {"--timeline", file})["cpu"]["groups"]["time"]["values"];
  const nlohmann::json tracks = nlohmann::json::parse(folder.read(file))["tracks"];
  const auto cpu = std::find_if(tracks.begin(), tracks.end(), [](const auto& one) { return one["name"] == "cpu"; });
  ASSERT_NE(cpu, tracks.end());
  std::map<std::string, double> cycles;
  for (const auto& span : (*cpu)["spans"])
    cycles[span[2].get<std::string>()] += (span[1].get<double>() - span[0].get<double>()) / 10'000;
  EXPECT_LT(cycles["busy"], cycles["load_miss"]) << "it mostly waits";
  for (const char* cause : {"fetch_miss", "load_miss", "store_miss", "bus"})
    EXPECT_NEAR(cycles[cause], figures_of_time[std::string("stall_") + cause]["value"].get<double>(), 1e-6) << cause;
  EXPECT_NEAR(cycles["busy"], figures_of_time["busy"]["value"].get<double>(), 1e-6);
}

TEST_F(FidelityRun, caches_and_their_misses_show_in_the_figures) {
  const std::string program = folder.write("program.elf", loading_program(true));
  const nlohmann::json cpu = functional_figures(program, {})["cpu"];
  const nlohmann::json& data = cpu["groups"]["dcache"]["values"];
  EXPECT_EQ(data["read_misses"]["value"], 1000);
  EXPECT_EQ(data["evictions"]["value"], 1000 - 512) << "the cache has 512 lines";
  EXPECT_EQ(cpu["groups"]["icache"]["values"]["misses"]["value"], 1);
  const nlohmann::json& time = cpu["groups"]["time"]["values"];
  EXPECT_GT(time["stall_load_miss"]["value"], 10'000);
  double sum = 0;
  for (const auto& [name, part] : time.items())
    if (name != "total") sum += part["value"].get<double>();
  EXPECT_NEAR(sum, time["total"]["value"].get<double>(), 1e-6);
}

TEST_F(FidelityRun, without_the_mark_nothing_is_timed) {
  const std::string program = folder.write("program.elf", loading_program(false));
  const nlohmann::json plain = functional_figures(program, {});
  nlohmann::json with_dram = functional_figures(program, {"--set", "dram0.preset=ddr4-2400"});
  EXPECT_EQ(with_dram["run"]["values"]["fidelity"]["value"], "functional");
  EXPECT_EQ(with_dram["run"]["values"]["simulated_time"], plain["run"]["values"]["simulated_time"]);
  EXPECT_EQ(with_dram["cpu"], plain["cpu"]);
  EXPECT_FALSE(with_dram["bus"]["groups"].contains("links"));
}

TEST_F(FidelityRun, wrong_choices_of_dram_and_bus_get_one_sentence) {
  const std::string program = folder.write("program.elf", spinning_program());
  const std::string impossible = folder.write("impossible.ini", "[dram_structure]\nprotocol = DDR9\n");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"dram0.preset=ddr5", "none of fixed, ddr3-1600"},
      {"dram0.address_mapping=rochrababgxx", "rochrababgxx"},
      {"dram1.address_mapping=roch", "'roch'"},  // beside the preset 'fixed'
      {"dram0.page_policy=ajar", "none of default, open, closed"},
      {"dram0.ini_file=" + impossible, "impossible.ini"},
      {"dram0.ini_file=" + folder.path("absent.ini"), "absent.ini"},
      {"bus.priority=gpu", "'gpu'"},
      {"bus.arbitration=luck", "none of first-come"},
      {"fidelity=exact", "none of functional, timed"}};
  for (const auto& [choice, part] : cases) {
    Options options = {"run", "--set", "dram0.preset=ddr4-2400", "--set", choice, program};
    const ProgramResult result = run_tinytpu_vp(options);
    EXPECT_EQ(result.exit_code, 2) << choice;
    EXPECT_THAT(result.error, HasSubstr(part));
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
  }
}

#ifdef TINYTPU_VP_HAS_FIRMWARE
/// Cycles that the firmware `region` printed: of the loop in functional mode and in the region of interest.
struct RegionCycles {
  double outside = 0, inside = 0;
};

RegionCycles region_cycles(const ProgramResult& result) {
  RegionCycles cycles;
  int end = 0;
  std::sscanf(result.out.c_str(), "outside: %lf cycles\ninside: %lf cycles\n%n", &cycles.outside, &cycles.inside, &end);
  EXPECT_EQ(std::size_t(end), result.out.size()) << result.out << result.error;
  return cycles;
}

TEST_F(FidelityRun, firmware_measures_a_region_of_interest) {
  for (const char* name : {"region32", "region64"}) {
    const RegionCycles functional =
        region_cycles(run_tinytpu_vp({"run", "-q", "--set", "fidelity=functional", firmware(name)}));
    EXPECT_GT(functional.outside, 0);
    EXPECT_GT(functional.inside, functional.outside);  // each load fills a line
    // The figure of the region does not depend on what ran before it, but for what was in the caches.
    const RegionCycles timed = region_cycles(run_tinytpu_vp({"run", "-q", "--set", "fidelity=timed", firmware(name)}));
    EXPECT_NEAR(timed.inside, functional.inside, 0.01 * functional.inside);
  }
}

TEST_F(FidelityRun, a_program_prints_the_same_in_both_modes) {
  for (const char* name : {"digits32", "digits64"}) {
    const ProgramResult functional = run_tinytpu_vp({"run", "-q", "--set", "fidelity=functional", firmware(name)});
    for (const char* preset : {"fixed", "ddr3-1600", "lpddr4-3200"}) {
      const std::string choice = std::string("dram0.preset=") + preset;
      const ProgramResult timed =
          run_tinytpu_vp({"run", "-q", "--set", "fidelity=timed", "--set", choice, firmware(name)});
      EXPECT_EQ(timed.exit_code, 0) << timed.error;
      EXPECT_THAT(timed.out, HasSubstr("digits: passed\n")) << name << " " << preset;
    }
    EXPECT_THAT(functional.out, HasSubstr("digits: passed\n"));
  }
}

/// Whether they are equal, without printing trees of figures.
bool same(const nlohmann::json& a, const nlohmann::json& b) { return a == b; }

TEST_F(FidelityRun, with_one_initiator_no_quantum_and_no_exact_order_changes_a_figure) {
  const auto with = [&](const Options& more) {
    Options options = {"--set", "fidelity=timed", "--set", "dram0.preset=ddr4-2400"};
    options.insert(options.end(), more.begin(), more.end());
    nlohmann::json result = figures(firmware("digits64"), options);
    for (auto& group : result) remove_volatile_figures(group);
    result["bus"]["values"].erase("ordered");
    result.erase("configuration");  // what was asked for, no figure
    return result;
  };
  const nlohmann::json reference = with({});
  EXPECT_TRUE(same(with({"--set", "cpu.quantum=100ns"}), reference));
  EXPECT_TRUE(same(with({"--set", "cpu.quantum=1ms"}), reference));
  EXPECT_TRUE(same(with({"--set", "bus.sync=true"}), reference));
  for (const char* cache : {"cpu.dcache.present=false", "cpu.dcache.write_buffer=false"})
    EXPECT_TRUE(same(with({"--set", cache, "--set", "bus.sync=true"}), with({"--set", cache}))) << cache;
}
#endif

}  // namespace
}  // namespace vp
