#include "models/common/latency_figures.h"

namespace vp {

void LatencyFigures::report(Statistics& statistics, const std::string& meaning) const {
  statistics.add("latency_min", count_ ? static_cast<double>(least_) * 1e-3 : 0, "ns", meaning);
  statistics.add("latency_mean", mean() * 1e-3, "ns", "sum of the latencies / transactions");
  statistics.add("latency_max", static_cast<double>(greatest_) * 1e-3, "ns", "");
  Statistics& histogram = statistics.group("latency_histogram", "transactions by latency");
  for (unsigned i = 0; i < kBuckets; ++i)
    if (histogram_[i] != 0)
      histogram.add("from_" + std::to_string(i == 0 ? 0 : 1u << (i - 1)) + "_ns", histogram_[i], "1",
                    i + 1 == kBuckets ? "and above" : "to below " + std::to_string(1u << i) + " ns");
}

}  // namespace vp
