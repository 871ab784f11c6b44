#pragma once

#include "models/common/part.h"

namespace vp {

/// A DMA engine that copies from memory to memory: AXI CDMA, simple mode.
const PartKind& cdma_kind();

}  // namespace vp
