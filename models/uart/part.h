#pragma once

#include "models/common/part.h"

namespace vp {

/// A serial port: a console on the host, or the end of another part's line.
const PartKind& uart_kind();

}  // namespace vp
