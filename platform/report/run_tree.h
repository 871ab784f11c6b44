#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/common/fidelity_figures.h"
#include "platform/report/ideal_bounds.h"
#include "platform/report/workload_figures.h"

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

  template <typename List>
  void list(List& list) const {
    list.figure("exit_code", exit_code, "1", "exit code of tinytpu-vp");
    list.figure("cycles", cycles, "cycles", "from the first push to the last event");
    list.figure("simulated_time", simulated_time, "ns", "simulated time");
    list.figure("runtime", runtime, "cycles", "runtime counter at the last synchronize");
  }
};

/// Of a workload's layers on the tinyTPU: exact cycles, and time with the movement that was estimated.
struct WorkloadRunFigures {
  std::uint64_t exit_code = 0;
  std::uint64_t cycles = 0;
  double simulated_time = 0;  ///< ns

  template <typename List>
  void list(List& list) const {
    list.figure("exit_code", exit_code, "1", "exit code of tinytpu-vp");
    list.figure("cycles", cycles, "cycles", "of the tinyTPU, all layers");
    list.figure("simulated_time", simulated_time, "ns", "compute and movement of all layers: an estimate");
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
  std::optional<WorkloadRunFigures> workload_run;
  std::optional<ScriptRunFigures> script_run;
  std::optional<SerialRunFigures> serial_run;
  std::optional<FidelityFigures> fidelity;
  std::optional<IdealFigures> ideal;
  std::optional<WorkloadFigures> workload;

  template <typename List>
  void list(List& list) const {
    static constexpr const char* kRun = "run";
    static constexpr const char* kMeaning = "the run as a whole";
    list.group(kRun, kMeaning, machine_run);
    list.group(kRun, kMeaning, program_run);
    list.group(kRun, kMeaning, workload_run);
    list.group(kRun, kMeaning, script_run);
    list.group(kRun, kMeaning, serial_run);
    list.group(kRun, kMeaning, fidelity);
    list.group("ideal", "bounds that no run can beat, beside what this one reached", ideal);
    list.group("workload", "a network's layers on the tinyTPU", workload);
  }
};

/// The group in which a report notes every parameter of the machine, by its full name.
inline constexpr const char* kConfigurationGroup = "configuration";

}  // namespace vp
