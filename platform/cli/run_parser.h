#pragma once

#include "platform/cli/options.h"

namespace vp {

/// The options of `run`; a sweep reads the command of its points with it, so that it refuses what `run` would refuse.
OptionParser make_run_parser();

/// Throws UserError for what `run` would refuse of these options whatever the machine is: combinations without a
/// meaning, values out of range.
void check_run_command(const boost::program_options::variables_map& values);

}  // namespace vp
