#pragma once

#include <cstdint>

#include "models/common/parameters.h"

namespace vp {

/// Settings of one memory, for example `dram0.*`.
struct MemoryConfig {
  std::uint64_t base = 0x8000'0000;
  std::uint64_t size = 256u << 20;
  Picoseconds latency = 50'000;
  unsigned bytes_per_cycle = 8;

  void declare(ParameterGroup g);
};

}  // namespace vp
