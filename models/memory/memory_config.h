#pragma once

#include <cstdint>
#include <optional>

#include "models/common/parameters.h"
#include "models/memory/dram/config.h"

namespace vp {

/// Settings of one memory, for example `dram0.*`.
struct MemoryConfig {
  std::uint64_t size = 256u << 20;
  Picoseconds latency = 50'000;
  unsigned bytes_per_cycle = 8;
  dram::ChannelOptions channel;  ///< in timed mode; functional mode is always latency and bytes_per_cycle

  void declare(ParameterGroup g);
  /// The DRAM channel chosen; nothing for preset `fixed`. Throws UserError: impossible timing, a file that cannot be
  /// read, a channel smaller than the memory.
  std::optional<dram::ChannelConfig> resolve_channel() const;
};

}  // namespace vp
