#pragma once

#include <cstdint>

#include "models/common/clock.h"
#include "models/common/fidelity.h"
#include "models/common/fidelity_figures.h"

namespace vp {

class Archive;

/// The mode of a machine, and how much of its time it spent in which.
class FidelityClock {
 public:
  /// The mode from `now` on: at the start of a run.
  void start(Fidelity fidelity, Picoseconds now);
  /// The guest changes it.
  void change(Fidelity fidelity, Picoseconds now);
  /// Which figures come from which mode, up to `now`.
  FidelityFigures figures(Picoseconds now) const;
  void persist(Archive& archive);

 private:
  Picoseconds time_in(Fidelity fidelity, Picoseconds now) const {
    return time_in_[static_cast<unsigned>(fidelity)] + (fidelity == fidelity_ ? now - since_ : 0);
  }

  Fidelity fidelity_ = Fidelity::functional;
  Picoseconds since_ = 0;
  Picoseconds time_in_[2] = {};  // by fidelity, up to since_
  std::uint64_t changes_ = 0;
};

}  // namespace vp
