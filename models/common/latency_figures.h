#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/common/clock.h"

namespace vp {

class Archive;

/// Latencies of many accesses as a report shows them.
struct LatencySummary {
  struct Histogram {
    std::array<std::uint64_t, 24> by_bucket{};  ///< as LatencyFigures counts them

    template <typename List>
    void list(List& list) const {
      for (unsigned i = 0; i < by_bucket.size(); ++i)
        if (by_bucket[i] != 0)
          list.figure("from_" + std::to_string(i == 0 ? 0 : 1u << (i - 1)) + "_ns", by_bucket[i], "1",
                      i + 1 == by_bucket.size() ? "and above" : "to below " + std::to_string(1u << i) + " ns");
    }
  };
  std::string meaning;  ///< from when to when
  double least = 0;     ///< ns
  double mean = 0;      ///< ns
  double greatest = 0;  ///< ns
  Histogram histogram;

  template <typename List>
  void list(List& list) const {
    list.figure("latency_min", least, "ns", meaning);
    list.figure("latency_mean", mean, "ns", "sum of the latencies / transactions");
    list.figure("latency_max", greatest, "ns", "");
    list.group("latency_histogram", "transactions by latency", histogram);
  }
};

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
  void persist(Archive& archive);
  /// Picoseconds; 0 without accesses.
  double mean() const { return count_ ? static_cast<double>(sum_) / static_cast<double>(count_) : 0; }

  /// For a report; `meaning` says from when to when.
  LatencySummary summary(std::string meaning) const;

 private:
  static constexpr unsigned kBuckets = 24;
  static unsigned bucket(Picoseconds latency) {
    const Picoseconds ns = latency / 1000;
    const unsigned bits = ns == 0 ? 0 : 64 - static_cast<unsigned>(__builtin_clzll(ns));
    return bits < kBuckets ? bits : kBuckets - 1;
  }

  std::uint64_t count_ = 0;
  Picoseconds sum_ = 0;
  Picoseconds least_ = kNever;
  Picoseconds greatest_ = 0;
  std::array<std::uint64_t, kBuckets>
      histogram_{};  // [0]: below 1 ns; [i]: 2^(i-1) to below 2^i ns; the last: all above
};

}  // namespace vp
