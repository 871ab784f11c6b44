#pragma once

#include <string>
#include <vector>

#include "models/drra/core.h"

namespace vp::drra {

/// Where the cells stand that run, a line each, for a person at a debugger.
std::vector<std::string> work_of(const Core& fabric);

}  // namespace vp::drra
