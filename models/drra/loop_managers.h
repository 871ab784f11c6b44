#pragma once

#include <array>
#include <optional>

#include "models/drra/raccu.h"

namespace vp::drra {

/// The four linked loop managers of a cell. A higher number is an inner loop; loops may share their end.
class LoopManagers {
 public:
  /// The LOOP instruction with its count, start and step; the body begins at `body`. Restarts a loop in progress.
  void arm(unsigned loop, unsigned body, unsigned end, unsigned count, int start, int step, Raccu& raccu);
  /// The instruction at `pc` was the last cycle of a body, perhaps: takes the steps of all loops that end there. The
  /// start of the body that is to be repeated, if one is.
  std::optional<unsigned> end_of_body(unsigned pc, Raccu& raccu);
  bool active(unsigned loop) const { return loops_[loop].active; }
  void clear() {
    loops_ = {};
    active_ = 0;
  }
  void persist(Archive& archive);

 private:
  struct Loop {
    bool active = false;
    unsigned body = 0, end = 0;
    unsigned left = 0;  ///< repetitions, the present one included
    int step = 0;
    void persist(Archive& archive);
  };
  std::array<Loop, kLoops> loops_{};
  unsigned active_ = 0;
};

}  // namespace vp::drra
