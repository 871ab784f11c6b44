#pragma once

#include <cstdint>
#include <string>

#include "models/common/clock.h"

namespace vp {

/// Which figures of a run come from which mode.
struct FidelityFigures {
  std::string modes;  ///< "functional", "timed", "functional and timed"
  Picoseconds functional_time = 0;
  Picoseconds timed_time = 0;
  std::uint64_t changes = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("fidelity", modes, "", "the modes that produced these figures");
    list.figure("functional_time", functional_time, "ps", "simulated time in functional mode");
    list.figure("timed_time", timed_time, "ps", "simulated time in timed mode");
    list.figure("fidelity_changes", changes, "1", "changes of the mode by the guest");
  }
};

}  // namespace vp
