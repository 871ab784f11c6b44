#pragma once

#include <cstdint>

namespace vp {

/// Instructions of this host for many numbers at once, each step with those before it. Whoever has ways of computing
/// with several of them takes the fastest one that the processor has and this allows; results are the same.
enum class HostLanes : std::uint8_t { plain, avx2, avx512, amx };

/// What may be used at most: all, unless the environment's VP_HOST_LANES says plain, avx2, avx512 or amx. UserError
/// if it says anything else.
HostLanes most_host_lanes();
/// The same of a text instead of the environment's; nullptr: all.
HostLanes most_host_lanes(const char* text);

inline bool may_use(HostLanes lanes) { return lanes <= most_host_lanes(); }

}  // namespace vp
