#pragma once

#include "models/common/part.h"

namespace vp {

/// The boot ROM, where the CPU starts.
const PartKind& bootrom_kind();

}  // namespace vp
