#pragma once

#include <string>
#include <vector>

#include "models/memory/dram/config.h"

namespace vp::dram {

/// Names of the built-in channels, in order of speed.
std::vector<std::string> preset_names();

/// The built-in channel of that name; throws UserError with the nearest name.
ChannelConfig preset(const std::string& name);

}  // namespace vp::dram
