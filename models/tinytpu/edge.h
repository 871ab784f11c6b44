#pragma once

#include <cstdint>

namespace vp::tinytpu {

/// Number of a rising clock edge of the TPU. "Cycle c" is the interval that ends at edge c.
using Edge = std::uint64_t;

/// Later than any event.
inline constexpr Edge kNoEdge = ~Edge{0};

}  // namespace vp::tinytpu
