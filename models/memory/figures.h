#pragma once

#include <cstdint>

#include "models/common/arrival_figures.h"
#include "models/common/latency_figures.h"

namespace vp {

/// Of a memory, whatever its timing.
struct MemoryFigures {
  ArrivalFigures arrivals;
  std::uint64_t read_bytes = 0;
  std::uint64_t write_bytes = 0;

  template <typename List>
  void list(List& list) const {
    arrivals.list(list);
    list.figure("read_bytes", read_bytes, "bytes", "read by transactions, host pointers not included");
    list.figure("write_bytes", write_bytes, "bytes", "written by transactions, host pointers not included");
  }
};

/// Of a memory with a fixed latency.
struct FixedTimingFigures {
  struct Direction {
    std::uint64_t transactions = 0;
    LatencySummary latency;

    template <typename List>
    void list(List& list) const {
      list.figure("transactions", transactions, "1", "calls of an initiator");
      latency.list(list);
    }
  };
  Direction read;
  Direction write;

  template <typename List>
  void list(List& list) const {
    list.group("read", "reads", read);
    list.group("write", "writes", write);
  }
};

}  // namespace vp
