#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/common/clock.h"
#include "models/common/latency_figures.h"

namespace vp {

/// All of a generator of traffic. What it measures comes from timed mode; a run without has none of it.
struct TrafficFigures {
  struct Direction {
    std::uint64_t transactions = 0;
    std::uint64_t bytes = 0;
    std::optional<LatencySummary> latency;

    template <typename List>
    void list(List& list) const {
      list.figure("transactions", transactions, "1", "");
      list.figure("bytes", bytes, "bytes", "");
      if (latency) latency->list(list);
    }
  };
  Picoseconds time = 0;
  std::optional<double> bandwidth;             ///< GB/s
  std::optional<double> offered;               ///< GB/s, if it has a rate
  std::optional<double> bandwidth_of_offered;  ///< percent
  std::optional<std::string> not_measured;     ///< in a run that was functional only
  Direction read;
  Direction write;

  template <typename List>
  void list(List& list) const {
    list.figure("transactions", read.transactions + write.transactions, "1", "reads and writes");
    list.figure("bytes", read.bytes + write.bytes, "bytes", "read and written");
    list.figure("time", time, "ps", "from its begin to its end or the last answer");
    list.figure("bandwidth", bandwidth, "GB/s", "bytes / time in timed mode, 1 GB = 10^9 bytes");
    list.figure("offered", offered, "GB/s", "what it would have moved if nothing had held it up");
    list.figure("bandwidth_of_offered", bandwidth_of_offered, "%", "bandwidth / offered");
    list.figure("not_measured", not_measured, "",
                "in functional mode, in which accesses do not wait for each other: left out");
    list.group("read", "reads", read);
    list.group("write", "writes", write);
  }
};

}  // namespace vp
