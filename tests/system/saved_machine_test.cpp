// Machines are saved in the middle of programs and restored in another process, which goes on from there.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <iostream>
#include <sstream>
#include <systemc>

#include "models/common/archive.h"
#include "models/common/error.h"
#include "models/common/tlm_time.h"
#include "platform/run/kernel_messages.h"
#include "platform/run/machine_run.h"
#include "tests/platform/temporary_folder.h"
#include "tests/support/dice.h"

namespace vp {
namespace {

/// SystemC elaborates once a process and its time only moves forward: each machine gets a process of its own.
void in_a_process(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    int code = 1;
    try {
      work();
      code = testing::Test::HasFailure() ? 1 : 0;
    } catch (const std::exception& error) {
      std::cerr << error.what() << std::endl;
    }
    std::cout.flush();
    _exit(code);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "the process failed";
}

/// The figures that are the same in every run, however far the CPU runs ahead, and how the run ended.
std::string figures_of(MachineRun& machine, const MachineEnd& end) {
  Statistics statistics;
  machine.report(statistics);
  std::stringstream all;
  statistics.write_text(all);
  std::ostringstream figures;
  for (std::string line; std::getline(all, line);)
    if (line.find("cpu.synchronisations") != 0 && line.find("bus.ordered") != 0) figures << line << '\n';
  figures << end.time << ' ' << end.exit_code << ' ' << end.sentence << '\n';
  for (const Finding& finding : machine.findings()) figures << finding.time << ' ' << finding.text << '\n';
  const FidelityFigures modes = machine.fidelity();
  figures << modes.functional_time << ' ' << modes.timed_time << '\n';
  return figures.str();
}

/// One program on one machine.
class Scenario {
 public:
  Scenario(const std::string& program, std::vector<std::string> settings)
      : program_(TINYTPU_VP_FIRMWARE_FOLDER "/" + program + ".elf"), settings_of_test_(std::move(settings)) {}

  /// Runs without a pause; returns the time it took.
  Picoseconds run_through() {
    in_a_process([&] {
      const auto machine = build("through");
      const MachineEnd end = machine->run();
      finish(*machine, end, "through");
      folder_.write("through.time", std::to_string(end.time));
    });
    return std::stoull("0" + read("through.time"));
  }

  /// Runs and saves at the first quiet moments from these times on.
  void run_and_save(const std::vector<Picoseconds>& points) {
    in_a_process([&] {
      const auto machine = build("saved");
      for (std::size_t i = 0; i < points.size(); ++i) {
        // The quiet moment before it may have been long in coming.
        if (points[i] > kernel_time()) sc_core::sc_start(to_sc_time(points[i] - kernel_time()));
        if (!machine->quiet()) expect_refusal(*machine);
        ASSERT_TRUE(machine->run_until_quiet(10'000'000'000));
        machine->flush_consoles();
        folder_.write(place(i, "state"), save_state(*machine));
        folder_.write(place(i, "time"), std::to_string(kernel_time()));
        folder_.write(place(i, "output"), output("saved"));
      }
      finish(*machine, machine->run(), "saved");
    });
  }

  void run_without_a_quiet_moment(Picoseconds from) {
    in_a_process([&] {
      const auto machine = build("busy");
      sc_core::sc_start(to_sc_time(from));
      ASSERT_FALSE(machine->run_until_quiet(10'000'000));
      expect_refusal(*machine);
    });
  }

  /// A machine that has executed nothing takes over at point i.
  void restore_and_run(std::size_t i) {
    in_a_process([&] {
      const std::string name = "restored" + std::to_string(i);
      const auto machine = build(name);
      machine->cpu().hold();
      sc_core::sc_start(to_sc_time(std::stoull("0" + read(place(i, "time")))));
      const std::string state = read(place(i, "state"));
      load_state(*machine, state);
      ASSERT_EQ(state_difference(*machine, state), "");
      finish(*machine, machine->run(), name);
    });
    EXPECT_EQ(read(place(i, "output")) + output("restored" + std::to_string(i)), output("saved"));
    EXPECT_EQ(figures("restored" + std::to_string(i)), figures("saved"));
  }

  std::string output(const std::string& name) const { return read(name + ".console"); }
  std::string figures(const std::string& name) const { return read(name + ".figures"); }

 private:
  static std::string place(std::size_t i, const std::string& what) { return std::to_string(i) + "." + what; }
  static void expect_refusal(MachineRun& machine) {
    try {
      save_state(machine);
      ADD_FAILURE() << "saved with an access under way";
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find("an access is under way that has not been answered yet"),
                std::string::npos)
          << error.what();
    }
  }
  std::string read(const std::string& name) const { return TemporaryFolder::read(folder_.path(name)); }
  std::unique_ptr<MachineRun> build(const std::string& name) {
    tame_kernel_messages();
    MachineSources sources;
    sources.assignments = settings_of_test_;
    sources.assignments.push_back("uart0.input=");
    sources.assignments.push_back("uart0.output=" + folder_.path(name + ".console"));
    settings_ = std::make_unique<MachineSettings>(sources);
    ElfProgram program = read_elf(program_);
    fit_segments(program, loadable_ranges(settings_->outline()), program_);
    auto machine = std::make_unique<MachineRun>(*settings_);
    machine->load(std::move(program));
    return machine;
  }
  void finish(MachineRun& machine, const MachineEnd& end, const std::string& name) {
    machine.flush_consoles();
    folder_.write(name + ".figures", figures_of(machine, end));
  }

  std::string program_;
  std::vector<std::string> settings_of_test_;
  TemporaryFolder folder_;
  std::unique_ptr<MachineSettings> settings_;
};

/// Saves `points` times, spread over the run at times that are no multiples of anything.
void expect_restored_runs_end_equal(const std::string& program, const std::string& fidelity, unsigned points,
                                    std::vector<std::string> settings = {}) {
  SCOPED_TRACE(program + ", " + fidelity);
  settings.push_back("fidelity=" + fidelity);
  Scenario scenario(program, std::move(settings));
  const Picoseconds end = scenario.run_through();
  ASSERT_GT(end, 0u);
  std::vector<Picoseconds> times;
  // Not close to the end: the CPU may be far ahead of the kernel, in the access that ends the run.
  for (unsigned i = 0; i < points; ++i) times.push_back((2 * i + 1) * end / (2 * points) * 4 / 5 + i * 12'347);
  scenario.run_and_save(times);
  EXPECT_EQ(scenario.output("saved"), scenario.output("through"));
  EXPECT_EQ(scenario.figures("saved"), scenario.figures("through")) << "saving disturbs nothing";
  for (unsigned i = 0; i < points; ++i) {
    SCOPED_TRACE(times[i]);
    scenario.restore_and_run(i);
  }
}

TEST(SavedMachine, digits_goes_on_in_another_process) { expect_restored_runs_end_equal("digits64", "functional", 8); }
TEST(SavedMachine, digits_in_timed_mode_goes_on_in_another_process) {
  expect_restored_runs_end_equal("digits64", "timed", 8);
}
TEST(SavedMachine, digits_with_a_dram_of_rows_and_banks_goes_on_in_another_process) {
  expect_restored_runs_end_equal("digits64", "timed", 6, {"dram0.preset=ddr3-1600", "bus.topology=shared"});
}
TEST(SavedMachine, the_self_test_goes_on_in_another_process) {
  expect_restored_runs_end_equal("selftest64", "functional", 6);
  expect_restored_runs_end_equal("selftest64", "timed", 6);
}
TEST(SavedMachine, a_conversation_with_the_matmul_device_goes_on_in_another_process) {
  expect_restored_runs_end_equal("matmul64", "functional", 6);
  expect_restored_runs_end_equal("matmul64", "timed", 6);
}
TEST(SavedMachine, a_run_that_changes_its_fidelity_goes_on_in_another_process) {
  expect_restored_runs_end_equal("region64", "functional", 8);
}

using Settings = std::vector<std::string>;

/// Both beside the program's data, one in bursts and at a rate, the other as fast as it can.
const Settings kOneGenerator = {"traffic0.present=true", "traffic0.base=0x84000000", "traffic0.rate=200000000",
                                "traffic0.writes=30",    "traffic0.outstanding=8",   "traffic0.pattern=random"};
const Settings kTwoGenerators = {"traffic0.present=true", "traffic0.base=0x84000000", "traffic0.rate=200000000",
                                 "traffic0.writes=30",    "traffic1.present=true",    "traffic1.base=0x84000000",
                                 "traffic1.burst=1024"};  // fills its link

TEST(SavedMachine, one_with_a_generator_of_traffic_goes_on_in_another_process) {
  expect_restored_runs_end_equal("digits64", "functional", 3, kOneGenerator);
  expect_restored_runs_end_equal("digits64", "timed", 3, kOneGenerator);
}
TEST(SavedMachine, one_with_two_generators_goes_on_in_another_process) {
  expect_restored_runs_end_equal("region64", "functional", 4, kTwoGenerators);
  expect_restored_runs_end_equal("hello64", "timed", 4, kTwoGenerators);
}
TEST(SavedMachine, one_with_generators_that_share_its_bus_goes_on_in_another_process) {
  Settings shared = kTwoGenerators;
  shared.insert(shared.end(), {"bus.topology=shared", "dram0.preset=ddr4-2400"});
  expect_restored_runs_end_equal("hello64", "timed", 4, shared);
}
TEST(SavedMachine, one_with_a_dma_engine_goes_on_in_another_process_in_the_middle_of_its_copies) {
  const Settings cdma = {"cdma0.kind=cdma", "cdma0.base=0x4E200000", "cdma0.interrupt=6"};
  expect_restored_runs_end_equal("cdma_test64", "functional", 6, cdma);
  expect_restored_runs_end_equal("cdma_test64", "timed", 6, cdma);
  expect_restored_runs_end_equal("drra_demo64", "timed", 6, {"drra.present=true"});
  Settings loaded = cdma;
  loaded.insert(loaded.end(), kOneGenerator.begin(), kOneGenerator.end());
  expect_restored_runs_end_equal("digits_cdma64", "timed", 4, loaded);
}
TEST(SavedMachine, one_with_virtio_devices_goes_on_in_another_process_in_the_middle_of_their_requests) {
  const Settings virtio = {"blk0.kind=virtio-blk", "blk0.base=0x10008000", "blk0.interrupt=16",
                           "rng0.kind=virtio-rng", "rng0.base=0x10009000", "rng0.interrupt=17"};
  expect_restored_runs_end_equal("virtio_test64", "functional", 6, virtio);
  expect_restored_runs_end_equal("virtio_test64", "timed", 6, virtio);
}
TEST(SavedMachine, one_with_a_tensil_tcu_goes_on_in_another_process) {
  const Settings tcu = {"axidma0.kind=axidma",  "axidma0.base=0x40400000", "axidma0.mm2s_interrupt=3",
                        "axidma0.mm2s=tensil0", "tensil0.kind=tensil",     "bus.latency_cycles=20"};
  expect_restored_runs_end_equal("tensil_demo64", "timed", 12, tcu);
  expect_restored_runs_end_equal("tensil_demo64", "functional", 6, tcu);
  Settings sampled = tcu;
  sampled.insert(sampled.end(), {"axidma1.kind=axidma", "axidma1.base=0x40410000", "axidma1.s2mm=tensil0"});
  expect_restored_runs_end_equal("tensil_hal64", "timed", 3, sampled);
}

/// Generators and DMA engines of any number and kind, on any bus.
Settings random_machine(Dice& dice) {
  Settings settings;
  const auto set = [&](const std::string& parameter, const std::string& value) {
    settings.push_back(parameter);
    settings.back() += "=" + value;
  };
  for (unsigned i = dice.from_to(1, 3); i > 0; --i) {
    const std::string generator = "generator" + std::to_string(i) + ".";
    set(generator + "kind", "traffic");
    set(generator + "base", dice.one_of({"0x80000000", "0x84000000", "0xc8000000"}));
    set(generator + "pattern", dice.one_of({"sequential", "random"}));
    set(generator + "burst", dice.one_of({"8", "64", "600", "4096"}));
    set(generator + "outstanding", dice.one_of({"1", "4", "64"}));
    set(generator + "writes", dice.one_of({"0", "50"}));
    set(generator + "rate", dice.one_of({"10000000", "100000000"}));
    set(generator + "begin", dice.one_of({"0s", "700us"}));
  }
  for (const char* cdma : {"cdma0.", "cdma1."}) {
    set(cdma + std::string("kind"), "cdma");
    set(cdma + std::string("base"), cdma[4] == '0' ? "0x4E200000" : "0x4E210000");
    set(cdma + std::string("interrupt"), cdma[4] == '0' ? "6" : "26");
    set(cdma + std::string("clock"), dice.one_of({"10ns", "7ns", "100ns"}));
    set(cdma + std::string("outstanding"), dice.one_of({"1", "8"}));
  }
  set("bus.topology", dice.one_of({"crossbar", "shared"}));
  set("bus.arbitration", dice.one_of({"first-come", "fixed-priority", "round-robin"}));
  set("bus.latency_cycles", dice.one_of({"0", "1", "3"}));
  set("bus.outstanding", dice.one_of({"0", "3"}));
  set("dram0.preset", dice.one_of({"fixed", "ddr3-1600"}));
  return settings;
}

class SavedMachineOfSeed : public testing::TestWithParam<unsigned> {};

TEST_P(SavedMachineOfSeed, goes_on_in_another_process) {
  Dice dice(GetParam());
  const Settings settings = random_machine(dice);
  SCOPED_TRACE(testing::PrintToString(settings));
  expect_restored_runs_end_equal(dice.one_of({"hello64", "digits_cdma64"}), dice.one_of({"functional", "timed"}), 2,
                                 settings);
}
INSTANTIATE_TEST_SUITE_P(Seeds, SavedMachineOfSeed, testing::Range(1u, 13u));

TEST(SavedMachine, one_whose_links_always_have_somebody_waiting_is_never_quiet_and_says_so) {
  Scenario scenario("hello64", {"fidelity=timed", "traffic0.present=true", "traffic0.base=0x84000000",
                                "bus.arbitration=round-robin"});
  scenario.run_without_a_quiet_moment(100'000'000);
}

}  // namespace
}  // namespace vp
