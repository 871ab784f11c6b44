#pragma once

#include <string>
#include <vector>

#include "models/common/plugin.h"

namespace vp {

/// Loads a shared library and gives the kinds of parts that it brings; it stays loaded. Throws UserError: no such file
/// or none that can be loaded, no entry point, built against another version.
std::vector<const PartKind*> load_plugin(const std::string& path);

}  // namespace vp
