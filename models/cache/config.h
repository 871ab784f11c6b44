#pragma once

#include <cstdint>
#include <string>

#include "models/common/parameters.h"

namespace vp {

/// Which line of a full set makes room.
enum class Replacement : std::uint8_t { kLru, kRandom };
/// Where a store that hits goes: only into the cache until the line is evicted, or to memory at once as well.
enum class WritePolicy : std::uint8_t { kBack, kThrough };

/// Settings of one cache; `cpu.icache.*` and `cpu.dcache.*` on the command line.
struct CacheConfig {
  bool present = true;
  std::uint64_t size = 32 * 1024;  ///< bytes
  unsigned line = 64;              ///< bytes
  unsigned ways = 4;
  Replacement replacement = Replacement::kLru;
  std::uint64_t seed = 1;  ///< of random replacement
  WritePolicy write_policy = WritePolicy::kBack;
  bool write_allocate = true;  ///< a store that misses brings the line in
  bool write_buffer = true;    ///< writes to memory go on while the CPU does; without, it waits for their end
  unsigned hit_cycles = 0;     ///< clock cycles that a load or store which hits adds to those of its class

  std::uint64_t sets() const { return size / line / ways; }
  /// Declares what every cache has; data caches have their write policy and hit time, too.
  void declare_common(const ParameterGroup& group);
  void declare_data(const ParameterGroup& group);
  /// Throws UserError, naming `cache` ("cpu.dcache"), if size, line and ways do not make a power of two of sets.
  void check(const std::string& cache) const;
};

}  // namespace vp
