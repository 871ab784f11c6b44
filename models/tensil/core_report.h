#pragma once

#include "models/common/statistics.h"
#include "models/tensil/core.h"

namespace vp::tensil {

/// The core's figures so far.
void report(const Core& core, Statistics& statistics);

/// Useful multiply-accumulates by those that the array could have done in `cycles`.
double efficiency(const Core& core, std::uint64_t cycles);

}  // namespace vp::tensil
