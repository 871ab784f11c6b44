#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "models/common/clock.h"
#include "models/common/parameters.h"
#include "models/tinytpu/config.h"
#include "platform/run/instruction_file.h"

namespace vp {

/// A tinyTPU program without a CPU: the performance engineer's short path.
struct ProgramRunOptions {
  std::string program;            ///< file of assembly text or 80-bit words; empty if `network` is given
  std::vector<unsigned> network;  ///< a fully connected network as the original's scripts lay it out
  std::string weights;            ///< file for the weight buffer; empty: zeros. "*.bin" is binary, else text
  std::string inputs;             ///< file for the unified buffer; likewise
  std::string results;            ///< where the changed rows of the unified buffer go as text; empty: standard output
  std::uint64_t feed_gap = 12;    ///< cycles between two pushes, at least; 12 is the fastest AXI master
  std::optional<std::uint64_t> max_cycles;
  Picoseconds max_time = kNever;             ///< simulated
  std::chrono::duration<double> timeout{0};  ///< wall clock, zero for none
  std::string stats_file;                    ///< empty: none
  std::string timeline_file;                 ///< what the units did when, for a report; empty: none
  std::optional<InstructionLogRequest> instruction_log;
  const ParameterTable* parameters = nullptr;  ///< noted in the statistics file; nullptr: none
};

/// Runs the program and prints cycles, results and hazards on `out`. Returns the exit code; throws UserError.
int run_tpu_program(const ProgramRunOptions& options, const tinytpu::TinyTpuConfig& config, std::ostream& out);

/// Runs the network once for each matrix width, feeding as `options` says, and prints the table that the original's
/// documentation shows: instruction count and duration in whole microseconds. Weights and inputs are zero, since time
/// does not depend on them.
int print_network_table(const ProgramRunOptions& options, const tinytpu::TinyTpuConfig& config,
                        const std::vector<unsigned>& widths, std::ostream& out);

}  // namespace vp
