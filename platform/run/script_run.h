#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "models/common/clock.h"
#include "models/matmul/config.h"
#include "platform/run/instruction_file.h"

namespace vp {

/// Scripts for the MatMul device, run one after the other on one device without CPU and UART.
struct ScriptRunOptions {
  std::vector<std::string> scripts;          ///< files
  std::optional<std::uint64_t> max_cycles;   ///< of the device's clock, for each script
  Picoseconds max_time = kNever;             ///< simulated, for each script
  std::chrono::duration<double> timeout{0};  ///< wall clock, zero for none
  std::string stats_file;                    ///< empty: none
  std::optional<InstructionLogRequest> instruction_log;
};

/// Parses all scripts, then runs them and prints messages, cycles, errata on `out`. Returns the exit code: 3 when a
/// thread hangs or never ends, 4 at a limit, 130 when interrupted; the scripts behind it are not run then. Throws
/// UserError.
int run_matmul_scripts(const ScriptRunOptions& options, const matmul::MatmulConfig& config, std::ostream& out);

}  // namespace vp
