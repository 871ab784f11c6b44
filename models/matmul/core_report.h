#pragma once

#include "models/common/statistics.h"
#include "models/matmul/core.h"

namespace vp::matmul {

/// Adds what a core has counted: instructions and clocks by thread and opcode, bytes, stores, errata that struck.
void report(const Core& core, Statistics& statistics);

}  // namespace vp::matmul
