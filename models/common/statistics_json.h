#pragma once

#include <string>

#include "models/common/statistics.h"

namespace vp {

/// What Statistics::write_json() writes, as a string.
std::string json_text(const Statistics& tree);

}  // namespace vp
