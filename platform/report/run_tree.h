#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/common/fidelity_figures.h"
#include "models/common/time_account.h"
#include "platform/report/ideal_bounds.h"
#include "platform/report/run_bound.h"
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

/// Of a device alone, where a machine's mode of fidelity means nothing.
struct AloneFigures {
  std::string fidelity = "cycle-exact device without a CPU";

  template <typename List>
  void list(List& list) const {
    list.figure("fidelity", fidelity, "", "what these figures are of");
  }
};

/// Where the time of a CPU went.
struct HostAccountFigures {
  Picoseconds total = 0;
  Picoseconds busy = 0;
  Picoseconds bus = 0;
  Picoseconds memory = 0;
  Picoseconds idle = 0;

  template <typename List>
  void list(List& list) const {
    const std::string stall = time_account::kStallPrefix;
    list.figure(time_account::kTotal, total, "ps", "busy + stalls + idle");
    list.figure(time_account::kBusy, busy, "ps", "executing instructions");
    list.figure(stall + "bus", bus, "ps", "waiting for single accesses: devices, uncached memory");
    list.figure(stall + "memory", memory, "ps", "waiting for lines of its caches, or for memory without them");
    list.figure(time_account::kIdle, idle, "ps", "asleep in wfi");
  }
};

/// Where the cycles of an array went.
struct ArrayAccountFigures {
  struct HeldUpBy {
    std::vector<std::pair<std::string, std::uint64_t>> causes;

    template <typename List>
    void list(List& list) const {
      for (const auto& [cause, cycles] : causes)
        list.figure(cause, cycles, "cycles", "in which this held the array up");
    }
  };
  double total = 0;  ///< of its clock; the ends of a region are no clock edges
  double busy = 0;
  double host_feed = 0;
  double idle = 0;
  HeldUpBy held_up_by;

  template <typename List>
  void list(List& list) const {
    const std::string stall = time_account::kStallPrefix;
    list.figure(time_account::kTotal, total, "cycles", "busy + stalls + idle");
    list.figure(time_account::kBusy, busy, "cycles", "at work on a program");
    list.figure(stall + "host_feed", host_feed, "cycles", "waiting for the next instruction of a program");
    list.figure(time_account::kIdle, idle, "cycles", "without a program");
    list.group("held_up_by", "cycles with a program under way, by what held the array up", held_up_by);
  }
};

/// A region that the program has named.
struct RegionFigures {
  std::uint64_t entries = 0;
  Picoseconds first_entered = 0;
  Picoseconds simulated_time = 0;
  std::uint64_t instructions = 0;
  NamedGroups<HostAccountFigures> hosts;
  NamedGroups<ArrayAccountFigures> arrays;
  std::optional<BoundFigures> bound;
  std::optional<IdealFigures> ideal;

  template <typename List>
  void list(List& list) const {
    list.figure("entries", entries, "1", "times that it was entered");
    list.figure("first_entered", first_entered, "ps", "simulated time of the first");
    list.figure("simulated_time", simulated_time, "ps", "spent in it");
    list.figure("instructions", instructions, "1", "instructions retired in it");
    list.groups("where the time of the CPU went", hosts);
    list.groups("cycles with a program under way, by what held the array up", arrays);
    list.group("bound", "what bounded it", bound);
    list.group("ideal", "bounds that nothing can beat, beside what was reached", ideal);
  }
};

struct RegionsFigures {
  NamedGroups<RegionFigures> regions;

  template <typename List>
  void list(List& list) const {
    list.groups("a region that the program has named", regions);
  }
};

/// Where a report comes from.
struct ProvenanceFigures {
  std::string program;
  std::optional<std::string> program_sha256;  ///< of a file
  std::string command_line;
  std::string version;
  std::string build;
  std::string date;

  template <typename List>
  void list(List& list) const {
    list.figure("program", program, "", "path of the program", Repeats::never);
    list.figure("program_sha256", program_sha256, "", "SHA-256 of the program", Repeats::never);
    list.figure("command_line", command_line, "", "as tinytpu-vp was called", Repeats::never);
    list.figure("version", version, "", "of tinytpu-vp", Repeats::never);
    list.figure("build", build, "", "build ID of the executable", Repeats::never);
    list.figure("date", date, "", "when the run began, in UTC", Repeats::never);
  }
};

/// The groups of a run's statistics that belong to no part; those of the parts stand beside them, by the parts' names.
struct RunTree {
  RunTree() = default;
  ~RunTree();  // compiled once, as it is long
  RunTree(const RunTree&) = delete;
  RunTree& operator=(const RunTree&) = delete;

  std::optional<MachineRunFigures> machine_run;
  std::optional<ProgramRunFigures> program_run;
  std::optional<WorkloadRunFigures> workload_run;
  std::optional<ScriptRunFigures> script_run;
  std::optional<SerialRunFigures> serial_run;
  std::optional<FidelityFigures> fidelity;
  std::optional<AloneFigures> alone;
  std::optional<IdealFigures> ideal;
  std::optional<BoundFigures> bound;
  std::optional<RegionsFigures> regions;
  std::optional<ProvenanceFigures> provenance;
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
    list.group(kRun, kMeaning, alone);
    list.group("bound", "what bounded the run", bound);
    list.group("ideal", "bounds that no run can beat, beside what this one reached", ideal);
    list.group("regions", "what happened in the regions that the program has named", regions);
    list.group("provenance", "where these figures come from", provenance);
    list.group("workload", "a network's layers on the tinyTPU", workload);
  }
};

/// As for any struct of figures; compiled once, since every way of running ends in it.
void write_figures(const RunTree& figures, Statistics& into);

/// The group in which a report notes every parameter of the machine, by its full name.
inline constexpr const char* kConfigurationGroup = "configuration";

}  // namespace vp
