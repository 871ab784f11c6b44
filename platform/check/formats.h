#pragma once

#include "platform/check/golden_format.h"

namespace vp {

/// All formats that `check` understands. A device's golden format is one file pair <device>_golden.{h,cpp} in this
/// folder and one entry in formats.cpp.
const std::vector<GoldenFormat>& golden_formats();

}  // namespace vp
