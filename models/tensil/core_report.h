#pragma once

#include "models/common/statistics.h"
#include "models/tensil/core.h"

namespace vp::tensil {

/// The core's figures so far.
void report(const Core& core, Statistics& statistics);

/// The core's figures in a machine, where it has stood for `total` cycles; group `time` accounts for them.
void report_in_machine(const Core& core, std::uint64_t total, const std::uint64_t (&bursts)[2][2],
                       Statistics& statistics);

/// Useful multiply-accumulates by those that the array could have done in `cycles`.
double efficiency(const Core& core, std::uint64_t cycles);

}  // namespace vp::tensil
