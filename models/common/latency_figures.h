#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/common/clock.h"
#include "models/common/statistics.h"

namespace vp {

/// Least, mean and greatest latency of many accesses, and how they are spread.
class LatencyFigures {
 public:
  void add(Picoseconds latency) {
    ++count_;
    sum_ += latency;
    least_ = latency < least_ ? latency : least_;
    greatest_ = latency > greatest_ ? latency : greatest_;
    ++histogram_[bucket(latency)];
  }
  std::uint64_t count() const { return count_; }
  Picoseconds sum() const { return sum_; }
  /// Picoseconds; 0 without accesses.
  double mean() const { return count_ ? static_cast<double>(sum_) / static_cast<double>(count_) : 0; }

  /// Adds latency_min, latency_mean, latency_max and the group latency_histogram; `meaning` says from when to when.
  void report(Statistics& statistics, const std::string& meaning) const;

 private:
  static constexpr unsigned kBuckets = 24;
  static unsigned bucket(Picoseconds latency) {
    unsigned bucket = 0;
    for (Picoseconds ns = latency / 1000; ns != 0 && bucket + 1 < kBuckets; ns >>= 1) ++bucket;
    return bucket;
  }

  std::uint64_t count_ = 0;
  Picoseconds sum_ = 0;
  Picoseconds least_ = kNever;
  Picoseconds greatest_ = 0;
  std::array<std::uint64_t, kBuckets>
      histogram_{};  // [0]: below 1 ns; [i]: 2^(i-1) to below 2^i ns; the last: all above
};

}  // namespace vp
