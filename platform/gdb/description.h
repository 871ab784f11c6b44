#pragma once

#include <string>
#include <vector>

#include "platform/gdb/target.h"

namespace vp::gdb {

// What a client reads about its target, as XML (GDB manual, appendices "Target Descriptions", "Memory Map Format" and
// "Thread List Format").

/// Architecture and registers.
std::string target_description(const Target& target);
/// Memory and windows of devices, none of which overlap. What lies between them is given as memory, too: a program's
/// page tables may lead from there to anywhere, and GDB would not even ask.
std::string memory_map(std::vector<TargetMemory> memory, unsigned xlen);
/// The one hart.
std::string thread_list(const std::string& name, const std::string& text);

}  // namespace vp::gdb
