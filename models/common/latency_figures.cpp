#include "models/common/latency_figures.h"

#include <algorithm>

#include "models/common/archive.h"

namespace vp {

LatencySummary LatencyFigures::summary(std::string meaning) const {
  LatencySummary summary;
  summary.meaning = std::move(meaning);
  summary.least = count_ ? static_cast<double>(least_) * 1e-3 : 0;
  summary.mean = mean() * 1e-3;
  summary.greatest = static_cast<double>(greatest_) * 1e-3;
  std::copy(histogram_.begin(), histogram_.end(), summary.histogram.by_bucket.begin());
  return summary;
}

void LatencyFigures::persist(Archive& archive) {
  archive("count", count_)("sum", sum_)("least", least_)("greatest", greatest_)("histogram", histogram_);
}

}  // namespace vp
