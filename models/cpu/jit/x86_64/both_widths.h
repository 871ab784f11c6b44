#pragma once

#include <cstdint>

#include "models/cpu/jit/x86_64/assembler.h"

// Stands at the end of every source that defines members of Assembler: makes them for both widths of registers. Of
// sources that are compiled as one, it stands behind the first, and the members of the others are made where they are
// used.

namespace vp::cpu::x86_64 {

template class Assembler<std::uint32_t>;
template class Assembler<std::uint64_t>;

}  // namespace vp::cpu::x86_64
