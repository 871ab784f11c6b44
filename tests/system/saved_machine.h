#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/archive.h"
#include "models/common/error.h"
#include "models/common/main_stack.h"
#include "models/common/tlm_time.h"
#include "platform/run/kernel_messages.h"
#include "platform/run/machine_run.h"
#include "tests/platform/temporary_folder.h"

namespace vp {

/// SystemC elaborates once a process and its time only moves forward: each machine gets a process of its own.
inline void in_a_process(const std::function<void()>& work) {
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

/// Lets the kernel run for so long.
inline void advance(Picoseconds time) {
  sc_core::sc_start(to_sc_time(time));
  restore_main_stack();
}

/// The figures that are the same in every run, however far the CPU runs ahead, and how the run ended.
inline std::string figures_of(MachineRun& machine, const MachineEnd& end) {
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

/// Makes the program for a machine.
using MadeProgram = std::function<ElfProgram(const MachineSettings&)>;

/// One program on one machine.
class Scenario {
 public:
  Scenario(MadeProgram program, std::vector<std::string> settings)
      : program_(std::move(program)), settings_of_test_(std::move(settings)) {}

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
        if (points[i] > kernel_time()) advance(points[i] - kernel_time());
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
      advance(from);
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
      advance(std::stoull("0" + read(place(i, "time"))));
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
    ElfProgram program = program_(*settings_);
    auto machine = std::make_unique<MachineRun>(*settings_);
    machine->load(std::move(program));
    return machine;
  }
  void finish(MachineRun& machine, const MachineEnd& end, const std::string& name) {
    machine.flush_consoles();
    folder_.write(name + ".figures", figures_of(machine, end));
  }

  MadeProgram program_;
  std::vector<std::string> settings_of_test_;
  TemporaryFolder folder_;
  std::unique_ptr<MachineSettings> settings_;
};

/// Saves `points` times, spread over the run at times that are no multiples of anything.
inline void expect_restored_runs_end_equal(MadeProgram program, unsigned points, std::vector<std::string> settings) {
  Scenario scenario(std::move(program), std::move(settings));
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

}  // namespace vp
