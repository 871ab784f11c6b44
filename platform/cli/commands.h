#pragma once

#include <string>
#include <vector>

namespace vp {

// The subcommands; one source file each, <name>_command.cpp.
int asm_command(const std::vector<std::string>& arguments);
int check_command(const std::vector<std::string>& arguments);
int disasm_command(const std::vector<std::string>& arguments);  // in asm_command.cpp
int machine_command(const std::vector<std::string>& arguments);
int params_command(const std::vector<std::string>& arguments);
int registers_command(const std::vector<std::string>& arguments);
int report_command(const std::vector<std::string>& arguments);
int run_command(const std::vector<std::string>& arguments);
int sweep_command(const std::vector<std::string>& arguments);

}  // namespace vp
