#pragma once

#include "models/common/part.h"

namespace vp {

/// A generator of traffic.
const PartKind& traffic_kind();

}  // namespace vp
