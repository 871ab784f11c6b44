#pragma once

#include "models/common/clock.h"

namespace vp {

/// How a device without SystemC asks to be called at the time of its next event that is visible from outside. There is
/// one next event; the later call replaces the earlier. In the machine it is an EventTimer, in a unit test whatever
/// suits.
class VisibleTimer {
 public:
  virtual ~VisibleTimer() = default;
  /// Absolute time of the next event; kNever: none.
  virtual void set(Picoseconds when) = 0;
};

}  // namespace vp
