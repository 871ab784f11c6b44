#include "models/memory/memory_timing.h"

#include "models/common/archive.h"
#include "models/common/figures.h"

namespace vp {

MemoryTiming::Answer FixedTiming::access(bool write, std::uint64_t, unsigned size, Picoseconds arrival) {
  const Picoseconds streamed = streaming_time(size);
  latency_of_[write].add(latency_ + streamed);
  return {arrival + latency_ + streamed, streamed};
}

std::optional<MemoryTiming::Fixed> FixedTiming::fixed() const { return Fixed{latency_, latency_, streaming_time(8)}; }

FixedTimingFigures FixedTiming::figures() const {
  const auto direction = [this](bool write) {
    return FixedTimingFigures::Direction{latency_of_[write].count(),
                                         latency_of_[write].summary("arrival to the last beat")};
  };
  return {direction(false), direction(true)};
}

void FixedTiming::report(Statistics& statistics) const { write_figures(figures(), statistics); }

void FixedTiming::persist(Archive& archive) { archive("read", latency_of_[0])("write", latency_of_[1]); }

}  // namespace vp
