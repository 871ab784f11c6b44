#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "models/common/clock.h"
#include "models/common/parameters.h"
#include "models/common/stop_request.h"
#include "models/tinytpu/config.h"
#include "models/tinytpu/network.h"
#include "platform/run/instruction_file.h"

namespace vp {

/// A tinyTPU program without a CPU: the performance engineer's short path.
struct ProgramRunOptions {
  std::string part = "tpu";                 ///< the tinyTPU's name in the machine
  std::string program;                      ///< file of assembly text or 80-bit words; empty if `network` is given
  std::optional<tinytpu::Network> network;  ///< a program that is generated
  std::string weights;                      ///< file for the weight buffer; empty: zeros. "*.bin" is binary, else text
  std::string inputs;                       ///< file for the unified buffer; likewise
  std::string results;          ///< where the changed rows of the unified buffer go as text; empty: standard output
  std::uint64_t feed_gap = 12;  ///< cycles between two pushes, at least; 12 is the fastest AXI master
  std::optional<std::uint64_t> max_cycles;
  Picoseconds max_time = kNever;             ///< simulated
  std::chrono::duration<double> timeout{0};  ///< wall clock, zero for none
  std::string stats_file;                    ///< empty: none
  std::string timeline_file;                 ///< what the units did when, for a report; empty: none
  std::optional<InstructionLogRequest> instruction_log;
  const ParameterTable* parameters = nullptr;  ///< noted in the statistics file; nullptr: none
};

/// How a program ended.
struct ProgramOutcome {
  tinytpu::ProgramRun run;
  int exit_code = 0;
  std::string sentence;  ///< why not by itself; empty otherwise
};

/// Feeds the program to a core whose buffers are loaded, up to the limits of `options`. stop: outlives the core's use.
ProgramOutcome execute_program(tinytpu::Core& core, const std::vector<tinytpu::Instruction>& program,
                               const ProgramRunOptions& options, StopRequest& stop);

/// Runs the program and prints cycles, results and hazards on `out`. A network that does not fit the buffers is for the
/// caller to refuse (network_run.h). Returns the exit code; throws UserError.
int run_tpu_program(const ProgramRunOptions& options, const tinytpu::TinyTpuConfig& config, std::ostream& out);

}  // namespace vp
