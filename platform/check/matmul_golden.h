#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "platform/check/golden_format.h"

namespace vp {

/// Recorded runs of the MatMul device, one case a file: every byte on the line with the clock of its start bit, cycles
/// by thread and instruction, memory at the end, settled and hang flags.
GoldenFormat matmul_golden_format();

}  // namespace vp
