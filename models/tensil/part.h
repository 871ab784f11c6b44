#pragma once

#include "models/common/part.h"

namespace vp {

/// Tensil's Tensor Compute Unit, whose instructions come over a stream.
const PartKind& tensil_kind();

}  // namespace vp
