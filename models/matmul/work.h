#pragma once

#include <string>
#include <vector>

#include "models/matmul/core.h"

namespace vp::matmul {

/// What the core's threads do and what waits to be sent, a line each, for a person at a debugger.
std::vector<std::string> work_of(const Core& core);

}  // namespace vp::matmul
