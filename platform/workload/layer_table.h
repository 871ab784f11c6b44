#pragma once

#include <iosfwd>

#include "platform/report/workload_figures.h"

namespace vp::workload {

/// Writes a line a layer and one for all of them, with a header.
void print_layer_table(const WorkloadFigures& figures, std::ostream& out);

}  // namespace vp::workload
