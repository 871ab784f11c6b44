#pragma once

#include <string>

#include "models/common/statistics.h"
#include "models/drra/core.h"

namespace vp::drra {

/// Adds the figures of a fabric: cycles by cell and by resource, memory rows, findings. Cells that never did anything
/// are left out.
void report(const Core& core, Statistics& group);

/// Where a cell stands, for a run that was ended: its program counter with the instruction there, the cycle it goes on
/// in, and the streams that are under way.
std::string standing(const Cell& cell);

}  // namespace vp::drra
