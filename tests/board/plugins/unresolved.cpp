// A plug-in that needs what no program has.
#include "models/common/plugin.h"

namespace vp {
const char* name_from_nowhere();
}

namespace {
const vp::PartKind kUnresolved{vp::name_from_nowhere(), "cannot be", nullptr};
}

VP_PLUGIN(&kUnresolved)
