#pragma once

#include <cstdint>
#include <vector>

#include "platform/loader/debug_info.h"
#include "platform/loader/symbol_table.h"

namespace vp {

/// Return addresses from the innermost caller outwards of a 64-bit program that keeps frame pointers, as a Linux kernel
/// does: below s0 stand the return address and the caller's s0. It ends where an address has no symbol or a frame does
/// not lie above the one before. A few dozens at most.
std::vector<std::uint64_t> frame_chain(const StoppedHart& hart, const SymbolTable& symbols);

}  // namespace vp
