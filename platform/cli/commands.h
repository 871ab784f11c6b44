#pragma once

#include <string>
#include <vector>

namespace vp {

// The subcommands; one source file each, <name>_command.cpp.
int check_command(const std::vector<std::string>& arguments);
int params_command(const std::vector<std::string>& arguments);

}  // namespace vp
