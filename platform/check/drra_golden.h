#pragma once

#include "platform/check/golden_format.h"

namespace vp {

/// "drra-golden-1": programs of the DRRA fabric with every write of registers and memories by cycle. Those recorded
/// from hardware are judged; derived ones are compared and printed, and skipped where they differ.
GoldenFormat drra_golden_format();
/// "drra-dpu-unit-1": sequences of inputs and outputs of the DPU alone.
GoldenFormat drra_dpu_format();

}  // namespace vp
