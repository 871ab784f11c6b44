#pragma once

#include <cstddef>
#include <vector>

#include "models/common/clock.h"

namespace vp {

/// The earliest time at which any device or timer will become visible from outside (an interrupt, a completion). An
/// initiator may run ahead of the kernel up to it, and no further. Each source of visible events owns one slot.
/// There is one Horizon a platform; it is passed by reference to whoever needs it.
class Horizon {
 public:
  class Slot;

  /// Time of the earliest visible event, kNever if none is planned.
  Picoseconds earliest() const { return earliest_; }

 private:
  std::size_t add() {
    times_.push_back(kNever);
    return times_.size() - 1;
  }
  void set(std::size_t slot, Picoseconds time) {
    const Picoseconds before = times_[slot];
    times_[slot] = time;
    if (time <= earliest_) {
      earliest_ = time;
    } else if (before == earliest_) {
      earliest_ = kNever;
      for (Picoseconds t : times_) earliest_ = t < earliest_ ? t : earliest_;
    }
  }

  std::vector<Picoseconds> times_;
  Picoseconds earliest_ = kNever;
};

/// One source's entry in the horizon. The source keeps it at the time of its next undelivered visible event and sets it
/// to kNever (or the following event) when it delivers.
class Horizon::Slot {
 public:
  explicit Slot(Horizon& horizon) : horizon_(horizon), index_(horizon.add()) {}
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;
  void set(Picoseconds time) { horizon_.set(index_, time); }

 private:
  Horizon& horizon_;
  std::size_t index_;
};

}  // namespace vp
