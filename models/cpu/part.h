#pragma once

#include "models/common/part.h"

namespace vp {

/// The host CPU that runs the user's program.
const PartKind& cpu_kind();

}  // namespace vp
