#pragma once

#include <chrono>
#include <vector>

#include "models/common/bounds.h"
#include "platform/workload/job_list.h"

namespace vp {
class MachineSettings;
}

namespace vp::workload {

/// What the jobs took on the machine, in the order of the list.
struct Measurement {
  std::vector<MeasuredJob> jobs;  ///< empty: the run was ended
  HardwareCost cost;              ///< of the machine
  int exit_code = 0;
  std::string sentence;  ///< why it was ended
};

/// Runs the mover on this machine, which must be timed: its CPU, caches, bus, memories, CDMA and whatever else loads
/// the bus tell what each job takes. `jobs` gets the cycles. Once a process, since SystemC elaborates once. `timeout`:
/// of wall-clock time, zero for none. Throws UserError: what the board refuses; a machine without a CPU, or whose
/// memory is not where the mover needs it.
Measurement measure(const std::vector<mover_job>& jobs, const MachineSettings& settings,
                    std::chrono::duration<double> timeout);

}  // namespace vp::workload
