#include "models/common/host_lanes.h"

#include <cstdlib>
#include <string>

#include "models/common/error.h"

namespace vp {

HostLanes most_host_lanes() { return most_host_lanes(std::getenv("VP_HOST_LANES")); }

HostLanes most_host_lanes(const char* text) {
  constexpr const char* kNames[] = {"plain", "avx2", "avx512", "amx"};
  if (!text) return HostLanes::amx;
  for (unsigned lanes = 0; lanes < 4; ++lanes)
    if (std::string(text) == kNames[lanes]) return static_cast<HostLanes>(lanes);
  throw UserError("the environment's VP_HOST_LANES is '" + std::string(text).substr(0, 80) +
                  "'; it can be plain, avx2, avx512 or amx");
}

}  // namespace vp
