// A plug-in with a kind of a name that is taken.
#include "models/common/plugin.h"

namespace {
const vp::PartKind kUart{"uart", "another UART", nullptr};
}

VP_PLUGIN(&kUart)
