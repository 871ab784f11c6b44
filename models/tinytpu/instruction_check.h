#pragma once

#include "models/tinytpu/config.h"
#include "models/tinytpu/hazards.h"
#include "models/tinytpu/sequencer.h"

namespace vp::tinytpu {

/// Looks at one instruction by itself: rows beyond a memory, more rows than it has, no effect.
void check_instruction(const Issue& issue, const TinyTpuConfig& config, HazardReport& report);

}  // namespace vp::tinytpu
