#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "models/common/statistics.h"
#include "platform/run/machine_run.h"
#include "platform/run/run_options.h"

namespace vp {

/// The figures of the run itself, in the group "run": how it ended, simulated and wall-clock time, instructions, host
/// speed, modes.
void report_run(const MachineRun& machine, const MachineEnd& end, double wall_seconds, Statistics& root);

/// The text for a person: how the run ended, what functional mode does to its times, the first findings of its devices,
/// then every figure of the tree that is not zero, in the detail asked for.
void print_report(const MachineEnd& end, const FidelityFigures& fidelity, const std::vector<Finding>& findings,
                  const Statistics& statistics, ReportDetail detail, std::ostream& out);

}  // namespace vp
