#pragma once

#include <cstdint>

#include "models/common/clock.h"

namespace vp {

/// How well the accesses of several initiators that run ahead of the kernel arrived in order at a target.
struct ArrivalFigures {
  std::uint64_t late_arrivals = 0;
  Picoseconds latest_arrival = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("late_arrivals", late_arrivals, "1", "accesses that arrived earlier in time than one before them");
    list.figure("latest_arrival", latest_arrival, "ps", "the most by which such an access was late");
  }
};

}  // namespace vp
