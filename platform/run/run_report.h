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

/// The figures of each region that the program has named, in the group "regions".
void report_regions(const MachineRun& machine, Statistics& root);

/// What the text for a person is made from.
struct RunText {
  const MachineEnd& end;
  FidelityFigures fidelity;
  Bounds bounds;
  const std::vector<RegionAccount::Region>& regions;
  std::vector<Finding> findings;
  std::uint64_t instructions = 0;
  double wall_seconds = 0;
  bool generated_code = false;  ///< Core::generates_code()
};

/// The text for a person, a line a subject: how the run ended and when, what functional mode does to its times, where
/// the time of CPU and arrays went, what bounded it, the same of each region, the first findings of its devices, the
/// host's speed. In full detail every figure of the tree that is not zero follows.
void print_report(const RunText& run, const Statistics& statistics, ReportDetail detail, std::ostream& out);

}  // namespace vp
