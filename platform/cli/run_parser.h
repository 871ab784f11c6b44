#pragma once

#include "platform/cli/options.h"

namespace vp {

/// The options of `run`; a sweep reads the command of its points with it, so that it refuses what `run` would refuse.
OptionParser make_run_parser();

}  // namespace vp
