#pragma once

#include "platform/check/golden_format.h"

namespace vp {

/// Recorded runs of DRAM simulators: a configuration file of DRAMsim3 or DRAMSys with its cases. The request lists
/// (`traces/`) and the index belong to them and have no cases of their own. See models/memory/dram/README.md for what
/// is judged.
GoldenFormat dram_golden_format();

}  // namespace vp
