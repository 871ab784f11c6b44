#pragma once

#include "models/common/part.h"

namespace vp {

/// Random-access memory that programs can be loaded into.
const PartKind& memory_kind();

}  // namespace vp
