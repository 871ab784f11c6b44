#include "models/memory/memory_timing.h"

namespace vp {

MemoryTiming::Answer FixedTiming::access(bool, std::uint64_t, unsigned size, Picoseconds arrival) {
  const Picoseconds streamed = streaming_time(size);
  return {arrival + latency_ + streamed, streamed};
}

std::optional<MemoryTiming::Fixed> FixedTiming::fixed() const { return Fixed{latency_, latency_, streaming_time(8)}; }

}  // namespace vp
