#pragma once

#include <string>
#include <vector>

#include "platform/gdb/target.h"

namespace vp::gdb {

// What a client reads about its target, as XML (GDB manual, appendices "Target Descriptions", "Memory Map Format" and
// "Thread List Format").

/// Architecture and registers.
std::string target_description(const Target& target);
/// Memory and windows of devices; what lies in none of them is not there.
std::string memory_map(const std::vector<TargetMemory>& memory);
/// The one hart.
std::string thread_list(const std::string& name, const std::string& text);

}  // namespace vp::gdb
