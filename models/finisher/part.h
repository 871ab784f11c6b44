#pragma once

#include "models/common/part.h"

namespace vp {

/// The register by which a guest ends its run.
const PartKind& finisher_kind();

}  // namespace vp
