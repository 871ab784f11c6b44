#include "models/memory/memory_config.h"

namespace vp {

void MemoryConfig::declare(ParameterGroup g) {
  g.address("base", base, "first address");
  g.integer("size", size, 4096, std::uint64_t{1} << 36, "bytes", "size of the memory");
  g.time("latency", latency, 0, 1'000'000'000, "time of an access of one bus cycle");
  g.integer("bytes_per_cycle", bytes_per_cycle, 4, 1024, "bytes", "bandwidth: bytes in a cycle of the bus clock");
}

}  // namespace vp
