#include "models/memory/memory_timing.h"

namespace vp {

MemoryTiming::Answer FixedTiming::access(bool write, std::uint64_t, unsigned size, Picoseconds arrival, Caller) {
  const Picoseconds streamed = streaming_time(size);
  latency_of_[write].add(latency_ + streamed);
  return {arrival + latency_ + streamed, streamed};
}

std::optional<MemoryTiming::Fixed> FixedTiming::fixed() const { return Fixed{latency_, latency_, streaming_time(8)}; }

void FixedTiming::report(Statistics& statistics) const {
  for (const bool write : {false, true}) {
    Statistics& one = statistics.group(write ? "write" : "read", write ? "writes" : "reads");
    one.add("transactions", latency_of_[write].count(), "1", "calls of an initiator");
    latency_of_[write].report(one, "arrival to the last beat");
  }
}

}  // namespace vp
