#pragma once

#include "models/common/parameters.h"

namespace vp {

/// Settings `bus.*`.
struct BusConfig {
  Picoseconds clock = 10'000;
  unsigned width = 64;
  unsigned latency_cycles = 1;
  Picoseconds timeout = 1'000'000'000;

  void declare(ParameterGroup g);
};

}  // namespace vp
