#include "models/memory/memory_config.h"

#include "models/common/error.h"

namespace vp {

void MemoryConfig::declare(ParameterGroup g) {
  g.integer("size", size, 4096, std::uint64_t{1} << 36, "bytes", "size of the memory");
  g.time("latency", latency, 0, 1'000'000'000, "time of an access of one bus cycle");
  g.integer("bytes_per_cycle", bytes_per_cycle, 4, 1024, "bytes", "bandwidth: bytes in a cycle of the bus clock");
  channel.declare(g);
}

std::optional<dram::ChannelConfig> MemoryConfig::resolve_channel() const {
  channel.check();
  if (channel.fixed()) return std::nullopt;
  dram::ChannelConfig config = channel.resolve();
  if (size >> 20 > config.size_mib)
    throw UserError("DRAM '" + config.name + "' holds " + std::to_string(config.size_mib) +
                    " MiB, less than the memory's size of " + std::to_string(size >> 20) + " MiB.");
  return config;
}

}  // namespace vp
