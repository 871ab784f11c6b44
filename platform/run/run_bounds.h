#pragma once

#include "models/common/parameters.h"
#include "models/common/statistics.h"
#include "platform/machine/machine_config.h"

namespace vp {

/// Adds the group "configuration": every parameter with its present value as text, by its full name. It lets a report
/// say what machine produced its figures.
void report_configuration(const ParameterTable& table, Statistics& root);

/// Adds the group "ideal" (see add_ideal_bounds) to the statistics of a run of the machine, from the figures that are
/// already in `root`: rows and instructions of "tpu", bytes of "bus" but for those of traffic generators. Nothing is
/// added for a machine without tinyTPU.
void report_bounds(const MachineConfig& config, Picoseconds time, Statistics& root);

/// The same for a tinyTPU alone, whose figures are in root's group "tpu".
void report_bounds(const tinytpu::TinyTpuConfig& config, Picoseconds time, Statistics& root);

}  // namespace vp
