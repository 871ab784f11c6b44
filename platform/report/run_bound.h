#pragma once

#include <optional>
#include <string>

#include "models/common/bounds.h"

namespace vp {

/// What bounded a run: of all that can, what was in use for the largest share of its time. Each share is exact; the
/// shares of a CPU and of arrays overlap, since they work side by side.
struct BoundFigures {
  std::string by;        ///< "host_feed", "cpu", "bus", "dram", "sleep", "multiply", "weights", a mover's name …
  std::string sentence;  ///< for a person
  double share = 0;      ///< percent of the time

  template <typename List>
  void list(List& list) const {
    list.figure("by", by, "", sentence);
    list.figure("share", share, "%", "of the time in which it was in use");
  }
};

/// Nothing for a run that took no time, or without CPU and array.
std::optional<BoundFigures> bound_figures(const Bounds& bounds);

}  // namespace vp
