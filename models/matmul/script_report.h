#pragma once

#include <iosfwd>

#include "models/common/clock.h"
#include "models/matmul/core_config.h"
#include "models/matmul/script_runner.h"

namespace vp::matmul {

/// Prints what a script did: its matrices as the device sent them, clocks by thread and by instruction, how it ended,
/// and every defect of the hardware that struck. period: of the device's clock.
void print(std::ostream& out, const ScriptResult& result, const CoreConfig& config, Picoseconds period);

}  // namespace vp::matmul
