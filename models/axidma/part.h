#pragma once

#include "models/common/part.h"

namespace vp {

/// A DMA engine between memory and streams of other parts: AXI DMA, direct register mode.
const PartKind& axidma_kind();

}  // namespace vp
