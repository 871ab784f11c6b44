#pragma once

#include "models/common/clock.h"

namespace vp {

/// Who accesses a memory, for callers that run on local times of their own. With the default, requests of all callers
/// are one stream.
struct Caller {
  unsigned id = 0;          ///< small number, one a caller
  Picoseconds settled = 0;  ///< kernel time: no caller will come with an earlier arrival
};

}  // namespace vp
