#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/common/fidelity_figures.h"
#include "platform/report/ideal_bounds.h"

namespace vp {

/// How a run of the machine ended, and how long it took.
struct MachineRunFigures {
  std::string end;
  std::string sentence;
  std::uint64_t exit_code = 0;
  Picoseconds simulated_time = 0;
  std::uint64_t instructions = 0;
  double wall_time = 0;  ///< seconds
  std::optional<double> mips;

  template <typename List>
  void list(List& list) const {
    list.figure("end", end, "", sentence);
    list.figure("exit_code", exit_code, "1", "exit code of tinytpu-vp");
    list.figure("simulated_time", simulated_time, "ps", "simulated time");
    list.figure("instructions", instructions, "1", "instructions retired by the CPU");
    list.figure("wall_time", wall_time, "s", "time of the host, without start-up", Repeats::never);
    list.figure("mips", mips, "MIPS", "million instructions a second of the host", Repeats::never);
  }
};

/// Of a tinyTPU program without a CPU.
struct ProgramRunFigures {
  std::uint64_t exit_code = 0;
  std::uint64_t cycles = 0;
  double simulated_time = 0;  ///< ns
  std::optional<std::uint64_t> runtime;
  std::optional<std::uint64_t> hazards;  ///< if they are looked for
  // Of a network.
  std::optional<std::uint64_t> vectors;
  std::optional<std::uint64_t> passes;
  std::optional<double> cycles_per_vector;
  std::optional<double> time_per_vector;  ///< ns

  template <typename List>
  void list(List& list) const {
    list.figure("exit_code", exit_code, "1", "exit code of tinytpu-vp");
    list.figure("cycles", cycles, "cycles",
                "from the first push to the last event; of a network, from the first fetch to the last synchronize");
    list.figure("simulated_time", simulated_time, "ns", "simulated time");
    list.figure("runtime", runtime, "cycles", "runtime counter at the last synchronize");
    list.figure("hazards", hazards, "1", "events the hardware does not interlock");
    list.figure("vectors", vectors, "1", "input vectors of the network");
    list.figure("passes", passes, "1", "passes through the array, of as many vectors as it is wide");
    list.figure("cycles_per_vector", cycles_per_vector, "cycles", "cycles of the network over its vectors");
    list.figure("time_per_vector", time_per_vector, "ns", "time of the network over its vectors");
  }
};

/// Of scripts on the MatMul device.
struct ScriptRunFigures {
  std::uint64_t exit_code = 0;
  std::uint64_t cycles = 0;
  double simulated_time = 0;  ///< ns

  template <typename List>
  void list(List& list) const {
    list.figure("exit_code", exit_code, "1", "exit code of tinytpu-vp");
    list.figure("cycles", cycles, "cycles", "clocks of the device");
    list.figure("simulated_time", simulated_time, "ns", "simulated time");
  }
};

/// Of the MatMul device alone at a line of the host; it takes as long as the host lets it.
struct SerialRunFigures {
  std::string end;
  std::uint64_t exit_code = 0;
  double simulated_time = 0;  ///< ns

  template <typename List>
  void list(List& list) const {
    list.figure("end", end, "", "how the run ended");
    list.figure("exit_code", exit_code, "1", "exit code of tinytpu-vp");
    list.figure("simulated_time", simulated_time, "ns", "simulated time", Repeats::never);
  }
};

/// The groups of a run's statistics that belong to no part; those of the parts stand beside them, by the parts' names.
struct RunTree {
  std::optional<MachineRunFigures> machine_run;
  std::optional<ProgramRunFigures> program_run;
  std::optional<ScriptRunFigures> script_run;
  std::optional<SerialRunFigures> serial_run;
  std::optional<FidelityFigures> fidelity;
  std::optional<IdealFigures> ideal;

  template <typename List>
  void list(List& list) const {
    static constexpr const char* kRun = "run";
    static constexpr const char* kMeaning = "the run as a whole";
    list.group(kRun, kMeaning, machine_run);
    list.group(kRun, kMeaning, program_run);
    list.group(kRun, kMeaning, script_run);
    list.group(kRun, kMeaning, serial_run);
    list.group(kRun, kMeaning, fidelity);
    list.group("ideal", "bounds that no run can beat, beside what this one reached", ideal);
  }
};

/// The group in which a report notes every parameter of the machine, by its full name.
inline constexpr const char* kConfigurationGroup = "configuration";

}  // namespace vp
