#pragma once

#include "platform/check/golden_format.h"

namespace vp {

/// Programs of the Tensil TCU with all its memories before and after: known by `layout` and `programs`. Each encoding
/// in a file is a case. Where the file holds cycles of the hardware description, a line tells ours beside them, and an
/// error beyond what models/tensil/README.md promises fails the case.
GoldenFormat tensil_golden_format();

}  // namespace vp
