// Generators of traffic on the whole machine: the guest computes the same, later, and the figures say why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "platform/report/volatile_figures.h"
#include "tests/platform/temporary_folder.h"
#include "tests/system/program.h"
#include "tests/system/small_programs.h"

namespace vp {
namespace {

using ::testing::HasSubstr;
using Options = std::vector<std::string>;

struct TrafficRun : testing::Test {
  /// Runs a program with settings; the console's output stays in `console`.
  nlohmann::json figures(const std::string& program, const Options& settings) {
    const std::string file = folder.path("stats.json");
    Options options = {"run", "-q", "--stats", file, program};
    for (const std::string& setting : settings) options.insert(options.end(), {"--set", setting});
    const ProgramResult result = run_tinytpu_vp(options);
    EXPECT_EQ(result.exit_code, 0) << result.error;
    console = result.out;
    nlohmann::json figures = nlohmann::json::parse(folder.read(file))["groups"];
    for (auto& group : figures) remove_volatile_figures(group);
    return figures;
  }
  TemporaryFolder folder;
  std::string console;
};

TEST_F(TrafficRun, without_a_generator_nothing_of_it_is_reported) {
  const nlohmann::json plain = figures(folder.write("program.elf", failing_program(0)), {"traffic0.rate=1000000"});
  EXPECT_FALSE(plain.contains("traffic0"));
  EXPECT_FALSE(plain["bus"]["groups"].contains("traffic0"));
}

TEST_F(TrafficRun, sleep_that_nothing_can_end_is_noticed) {
  const std::string program = folder.write("program.elf", sleeping_program());
  for (const char* sync : {"bus.sync=auto", "bus.sync=true"})
    for (const char* begin : {"traffic1.begin=0s", "traffic1.begin=100s"}) {
      const ProgramResult result =
          run_tinytpu_vp({"run", "-q", "--stats", "-", "--set", "fidelity=timed", "--set", "traffic0.present=true",
                          "--set", "traffic1.present=true", "--set", sync, "--set", begin, program});
      EXPECT_EQ(result.exit_code, 3);
      EXPECT_EQ(
          result.error,
          "tinytpu-vp: the CPU waits for an interrupt at 0x80000004 (start+0x4), but nothing can raise one: mie "
          "masks MSIE, MTIE, MEIE; plic: source 10 (uart0) is not enabled; plic: source 11 (uart1) is not enabled; "
          "plic: source 1 (tpu) is not enabled\n");
      const nlohmann::json run = nlohmann::json::parse(result.out)["groups"]["run"]["values"];
      EXPECT_LE(run["simulated_time"]["value"], 20'000'000) << "a quantum or two";
    }
}

TEST_F(TrafficRun, generators_work_beside_a_sleeping_cpu_up_to_a_limit_of_time) {
  const std::string program = folder.write("program.elf", sleeping_program());
  const ProgramResult result = run_tinytpu_vp({"run", "-q", "--max-time", "1ms", "--stats", "-", "--set",
                                               "traffic0.present=true", "--set", "traffic0.rate=64000000", program});
  EXPECT_EQ(result.exit_code, 3) << "nothing can wake it";
  const nlohmann::json traffic = nlohmann::json::parse(result.out)["groups"]["traffic0"]["values"];
  EXPECT_NEAR(traffic["transactions"]["value"].get<double>(), 1'000, 20);
}

TEST_F(TrafficRun, a_cpu_that_never_gets_its_turn_is_ended_by_every_limit) {
  const Options starving = {"run",
                            "-q",
                            "--stats",
                            "-",
                            "--set",
                            "fidelity=timed",
                            "--set",
                            "bus.topology=shared",
                            "--set",
                            "traffic0.present=true",
                            "--set",
                            "bus.arbitration=fixed-priority",
                            "--set",
                            "bus.priority=traffic0",
                            folder.write("program.elf", spinning_program())};
  const auto run = [&](Options more, const ProgramInput& input = {}) {
    more.insert(more.begin(), starving.begin(), starving.end());
    const ProgramResult result = run_tinytpu_vp(more, input);
    EXPECT_EQ(nlohmann::json::parse(result.out)["groups"]["run"]["values"]["instructions"]["value"], 0);
    return result.exit_code;
  };
  EXPECT_EQ(run({"--max-time", "1ms"}), 4);
  EXPECT_EQ(run({"--timeout", "0.2s"}), 4);
  ProgramInput input;
  input.signal = SIGINT;
  EXPECT_EQ(run({}, input), 130);
}

TEST_F(TrafficRun, a_sleeping_guest_still_waits_for_its_console) {
  ProgramInput input;
  input.open_end = true;
  input.signal = SIGINT;
  const std::string program = folder.write("program.elf", waiting_program());
  EXPECT_EQ(run_tinytpu_vp({"run", "-q", "--set", "traffic0.present=true", program}, input).exit_code, 130);
}

TEST_F(TrafficRun, wrong_choices_get_one_sentence) {
  const std::string program = folder.write("program.elf", spinning_program());
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"traffic0.base=0x70000000",
       "traffic0: its window of 67108864 bytes at 0x70000000 must lie inside one memory: dram0 (0x80000000 to "
       "0x8fffffff), dram1 (0xc0000000 to 0xcfffffff)."},
      {"traffic0.base=0x8ff00000", "must lie inside one memory"},
      {"traffic0.size=64GiB", "must lie inside one memory"},
      {"traffic0.base=0xffffffffffffff00", "must lie inside one memory"},
      {"dram1.present=false", "must lie inside one memory: dram0 (0x80000000 to 0x8fffffff)."},
      {"traffic0.size=32", "is smaller than a burst of 64"},
      {"traffic0.burst=8192", "1 to 4096"},
      {"traffic0.pattern=spiral", "none of sequential, strided, random"},
      {"traffic0.rate=fast", "traffic0.rate"},
      {"traffic0.end=0.5us", "not after its begin at 1us"},
      {"bus.sync=false", "bus.sync=false is no longer offered"},
      {"bus.priority=traffic1", "the initiators on the bus are cpu, traffic0."}};
  for (const auto& [choice, part] : cases) {
    const ProgramResult result = run_tinytpu_vp(
        {"run", "--set", "traffic0.present=true", "--set", "traffic0.begin=1us", "--set", choice, program});
    EXPECT_EQ(result.exit_code, 2) << choice;
    EXPECT_THAT(result.error, HasSubstr(part));
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
  }
}

#ifdef TINYTPU_VP_HAS_FIRMWARE
/// What the CPU waited for at all links by a cause, in ns: "behind_traffic0".
double waited(const nlohmann::json& figures, const std::string& cause) {
  const nlohmann::json& timed = figures["bus"]["groups"]["cpu"]["groups"]["timed"];
  double sum = 0;
  for (const nlohmann::json& link : timed["groups"]["waiting"].value("groups", nlohmann::json::array()))
    if (link["values"].contains(cause)) sum += link["values"][cause]["value"].get<double>();
  return sum;
}

double simulated(const nlohmann::json& figures) { return figures["run"]["values"]["simulated_time"]["value"]; }

const Options kInTheProgramsMemory = {"fidelity=timed", "traffic0.present=true", "traffic0.base=0x80000000",
                                      "traffic0.size=256MiB", "traffic0.writes=30"};

Options with(Options settings, const Options& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

/// The lines about results; those that count cycles are about time.
std::string results(const std::string& console) {
  std::istringstream lines(console);
  std::string kept;
  for (std::string line; std::getline(lines, line);)
    if (line.find("cycles") == std::string::npos) kept += line + '\n';
  return kept;
}

TEST_F(TrafficRun, a_guest_computes_the_same_only_later) {
  const nlohmann::json alone = figures(firmware("digits64"), {"fidelity=timed"});
  const std::string expected = results(console);
  EXPECT_THAT(expected, HasSubstr("output bytes equal to the reference: 3600 of 3600\n"));
  double last = simulated(alone);
  for (const char* rate : {"200000000", "600000000"}) {
    const nlohmann::json loaded =
        figures(firmware("digits64"),
                with(kInTheProgramsMemory, {"bus.topology=shared", std::string("traffic0.rate=") + rate}));
    EXPECT_EQ(results(console), expected);
    EXPECT_GT(simulated(loaded), 1.01 * last) << rate;
    EXPECT_GT(waited(loaded, "behind_traffic0"), 10'000.0);
    last = simulated(loaded);
  }
  EXPECT_EQ(waited(alone, "behind_traffic0"), 0.0);
}

TEST_F(TrafficRun, bounds_are_those_of_the_program) {
  const nlohmann::json alone = figures(firmware("digits64"), {"fidelity=timed"});
  const nlohmann::json loaded = figures(firmware("digits64"), with(kInTheProgramsMemory, {"traffic1.present=true"}));
  for (const char* link : {"bus", "dram0", "dram1"}) {
    const auto bytes = [&](const nlohmann::json& figures) {
      return figures["ideal"]["groups"]["links"]["groups"][link]["values"]["bytes"]["value"].get<double>();
    };
    EXPECT_NEAR(bytes(loaded), bytes(alone), 100) << link << ": but for digits of cycle counts on the console";
  }
}

TEST_F(TrafficRun, in_functional_mode_nobody_waits) {
  const Options functional = {"fidelity=functional"};
  const nlohmann::json alone = figures(firmware("digits64"), functional);
  const nlohmann::json loaded =
      figures(firmware("digits64"), with(functional, {"traffic0.present=true", "traffic0.base=0x80000000"}));
  EXPECT_EQ(simulated(loaded), simulated(alone));
}

TEST_F(TrafficRun, in_functional_mode_it_measures_nothing_and_says_why) {
  const nlohmann::json generator =
      figures(firmware("digits64"), {"fidelity=functional", "traffic0.present=true", "traffic0.outstanding=64",
                                     "traffic0.rate=100000000"})["traffic0"];
  EXPECT_GT(generator["values"]["transactions"]["value"], 1'000);
  EXPECT_EQ(generator["values"]["offered"]["value"], 0.1);
  EXPECT_EQ(generator["values"]["not_measured"]["value"], "bandwidth, latency");
  EXPECT_THAT(generator["values"]["not_measured"]["description"].get<std::string>(), HasSubstr("functional mode"));
  for (const char* figure : {"bandwidth", "bandwidth_of_offered"}) EXPECT_FALSE(generator["values"].contains(figure));
  EXPECT_FALSE(generator["groups"]["read"]["values"].contains("latency_max"));
}

TEST_F(TrafficRun, two_runs_are_the_same) {
  const Options settings = with(kInTheProgramsMemory, {"traffic0.pattern=random", "traffic1.present=true",
                                                       "traffic1.pattern=strided", "dram0.preset=ddr4-2400"});
  EXPECT_TRUE(figures(firmware("digits64"), settings) == figures(firmware("digits64"), settings));
}

TEST_F(TrafficRun, no_quantum_and_no_order_of_calls_changes_a_figure) {
  const auto run = [&](const Options& more) {
    const Options two = with(kInTheProgramsMemory, {"traffic0.rate=300000000", "traffic1.present=true",
                                                    "traffic1.pattern=random", "traffic1.outstanding=8"});
    nlohmann::json result = figures(firmware("digits64"), with(two, more));
    result["bus"]["values"].erase("ordered");
    result.erase("configuration");
    return result;
  };
  for (const Options& machine : {Options{}, Options{"bus.topology=shared", "dram0.preset=ddr4-2400"},
                                 Options{"bus.arbitration=round-robin", "bus.outstanding=3", "bus.topology=shared"}}) {
    const nlohmann::json reference = run(machine);
    for (const char* other : {"cpu.quantum=1ns", "cpu.quantum=10ms"})
      EXPECT_TRUE(run(with(machine, {other})) == reference) << other;
    // How many accesses of the generators are under way when the run ends is counted otherwise.
    const nlohmann::json exact = run(with(machine, {"bus.sync=true"}));
    EXPECT_TRUE(exact["cpu"] == reference["cpu"]);
    EXPECT_TRUE(exact["bus"]["groups"]["cpu"] == reference["bus"]["groups"]["cpu"]);
    EXPECT_EQ(simulated(exact), simulated(reference));
  }
}

struct QuantumCase {
  const char* what;
  const char* program;
  Options machine;
};

const QuantumCase kQuantumCases[] = {
    {"who_waits_for_an_answer_of_dram_comes_after_it",
     "hello64",
     {"fidelity=timed",         "bus.topology=shared",      "bus.latency_cycles=0",     "bus.clock=3ns",
      "cpu.clock=35ns",         "dram0.preset=ddr3-1600",   "cpu.icache.size=16KiB",    "cpu.dcache.size=4KiB",
      "traffic0.present=true",  "traffic0.base=0xc4000000", "traffic0.size=64KiB",      "traffic0.burst=600",
      "traffic0.outstanding=2", "traffic0.writes=0",        "traffic0.pattern=random",  "traffic0.rate=1000000000",
      "traffic0.begin=1us",     "traffic1.present=true",    "traffic1.base=0x84000000", "traffic1.size=64KiB",
      "traffic1.burst=8",       "traffic1.outstanding=1",   "traffic1.writes=100",      "traffic1.pattern=random",
      "traffic1.rate=300000000"}},
    {"a_posted_write_is_answered_behind_a_hundred_reads",
     "digits64",
     {"fidelity=timed", "bus.outstanding=1", "bus.latency_cycles=5", "bus.width=32", "cpu.clock=2ns",
      "bus.arbitration=round-robin", "dram0.preset=lpddr4-3200", "cpu.icache.size=4KiB", "cpu.dcache.size=16KiB",
      "traffic0.present=true", "traffic0.base=0x84000000", "traffic0.size=1MiB", "traffic0.burst=4096",
      "traffic0.outstanding=64", "traffic0.writes=30", "traffic0.pattern=strided", "traffic0.rate=10000000",
      "traffic0.begin=100us"}},
    {"an_interrupt_in_the_middle_of_the_access_that_causes_it_counts_as_late",
     "digits64",
     {"fidelity=timed",           "bus.topology=shared",         "bus.latency_cycles=0",     "bus.width=32",
      "cpu.clock=35ns",           "bus.arbitration=round-robin", "dram0.preset=ddr4-2400",   "traffic0.present=true",
      "traffic0.base=0xc4000000", "traffic0.size=64KiB",         "traffic0.burst=100",       "traffic0.writes=100",
      "traffic0.rate=100000000",  "traffic1.present=true",       "traffic1.base=0x84000000", "traffic1.burst=64",
      "traffic1.outstanding=16",  "traffic1.writes=30",          "traffic1.rate=1000000000", "traffic1.begin=1ms"}},
};

struct Quantum : TrafficRun, testing::WithParamInterface<QuantumCase> {};

TEST_P(Quantum, shows_in_no_figure) {
  const auto run = [&](const Options& more) {
    nlohmann::json result = figures(firmware(GetParam().program), with(GetParam().machine, more));
    result["bus"]["values"].erase("ordered");
    result.erase("configuration");
    return result;
  };
  const nlohmann::json reference = run({});
  for (const char* other : {"cpu.quantum=1ns", "cpu.quantum=1us", "cpu.quantum=10ms"})
    EXPECT_EQ(nlohmann::json::diff(reference, run({other})), nlohmann::json::array()) << other;
}
INSTANTIATE_TEST_SUITE_P(Machines, Quantum, testing::ValuesIn(kQuantumCases),
                         [](const auto& one) { return std::string(one.param.what); });

TEST_F(TrafficRun, arbitration_decides_how_long_the_cpu_waits) {
  const auto time = [&](const Options& more) {
    return simulated(figures(firmware("digits64"), with(kInTheProgramsMemory, more)));
  };
  const double first_come = time({"bus.arbitration=first-come"});
  const double round_robin = time({"bus.arbitration=round-robin"});
  const double cpu_first = time({"bus.arbitration=fixed-priority"});
  const double cpu_last = time({"bus.arbitration=fixed-priority", "bus.priority=traffic0", "traffic0.rate=700000000"});
  EXPECT_LT(round_robin, first_come) << "the generator has four under way";
  EXPECT_LE(cpu_first, round_robin);
  EXPECT_GT(cpu_last, cpu_first);
}

TEST_F(TrafficRun, the_limit_of_accesses_under_way_holds_the_generator_and_the_cpu) {
  const Options settings = with(kInTheProgramsMemory, {"traffic0.outstanding=8"});
  const nlohmann::json any = figures(firmware("digits64"), settings);
  const nlohmann::json one = figures(firmware("digits64"), with(settings, {"bus.outstanding=1"}));
  const auto bandwidth = [](const nlohmann::json& figures) {
    return figures["traffic0"]["values"]["bandwidth"]["value"].get<double>();
  };
  EXPECT_GT(bandwidth(any), 0.75);
  EXPECT_LT(bandwidth(one), 0.6) << "a link that waits for each answer";
  EXPECT_EQ(waited(any, "outstanding"), 0.0);
  EXPECT_GT(waited(one, "outstanding"), 10'000.0);
}

TEST_F(TrafficRun, a_timeline_shows_when_it_had_transactions_under_way) {
  const std::string file = folder.path("timeline.json");
  const ProgramResult result = run_tinytpu_vp({"run", "-q", "--timeline", file, "--set", "traffic0.present=true",
                                               "--set", "traffic0.rate=10000000", firmware("digits64")});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  const nlohmann::json timeline = nlohmann::json::parse(folder.read(file));
  const auto& tracks = timeline["tracks"];
  const auto track =
      std::find_if(tracks.begin(), tracks.end(), [](const auto& one) { return one["name"] == "traffic0"; });
  ASSERT_NE(track, tracks.end());
  EXPECT_GT((*track)["spans"].size(), 1'000u);
}
#endif

}  // namespace
}  // namespace vp
