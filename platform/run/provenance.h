#pragma once

#include <string>

#include "platform/report/run_tree.h"

namespace vp {

/// Where the figures of this process come from. `program`: path of what was run, which is read once more; may be empty.
ProvenanceFigures provenance_of(const std::string& program);

}  // namespace vp
