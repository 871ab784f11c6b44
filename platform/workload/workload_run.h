#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "models/common/clock.h"
#include "models/tinytpu/config.h"
#include "platform/workload/job_list.h"

namespace vp {
class MachineSettings;
}

namespace vp::workload {

/// What a workload's run is asked to do, apart from the machine's own settings.
struct WorkloadOptions {
  std::string file;         ///< SCALE-Sim's formats
  std::uint64_t batch = 0;  ///< images; 0: one, or for a list of products what M says
  Mover mover = Mover::cpu;
  std::optional<std::uint64_t> feed_gap;     ///< cycles of the TPU; none: as measured
  std::chrono::duration<double> timeout{0};  ///< wall clock, zero for none
  Picoseconds max_time = kNever;             ///< simulated: layers that end later are left out
  std::string stats_file;                    ///< empty: none
};

/// Estimates the workload on this machine, which must be timed, and prints the table on `out`, warnings on `err`.
/// Returns the exit code; throws UserError. `ready` is called when everything that can be refused has been. Once a
/// process.
int run_workload(const WorkloadOptions& options, const MachineSettings& settings, const tinytpu::TinyTpuConfig& config,
                 const std::function<void()>& ready, std::ostream& out, std::ostream& err);

}  // namespace vp::workload
