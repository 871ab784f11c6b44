#pragma once

#include "models/common/part.h"

namespace vp {

/// A DRRA fabric on the bus.
const PartKind& drra_kind();

}  // namespace vp
