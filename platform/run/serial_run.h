#pragma once

#include <chrono>
#include <iosfwd>
#include <optional>
#include <string>

#include "models/common/clock.h"
#include "models/common/host_link.h"
#include "models/matmul/config.h"
#include "platform/run/instruction_file.h"

namespace vp {

/// The MatMul device alone, its serial line at a pseudo-terminal or TCP port of this host.
struct SerialRunOptions {
  SerialTarget target;                       ///< pty or tcp
  std::optional<Picoseconds> max_time;       ///< simulated
  std::chrono::duration<double> timeout{0};  ///< wall clock, zero for none
  std::string stats_file;                    ///< empty: none
  std::optional<InstructionLogRequest> instruction_log;
  bool report = true;  ///< print the report at the end
};

/// Serves the device until Ctrl-C or a limit; address, errata and report go to `out`. Returns the exit code; throws
/// UserError.
int run_matmul_device(const SerialRunOptions& options, const matmul::MatmulConfig& config, std::ostream& out);

}  // namespace vp
