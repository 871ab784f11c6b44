#pragma once

#include <map>
#include <string>
#include <vector>

#include "platform/sweep/plan.h"
#include "platform/sweep/point_figures.h"

namespace vp {

/// Which swept parameters changed any simulated figure: points that differ in one parameter only are compared.
class SweepEffects {
 public:
  /// A point with the figures of its run.
  void add(const SweepPoint& point, const Figures& figures);

  /// A sentence for the user, empty if every parameter changed something or nothing can be said: no simulated figure
  /// differs between the points, or these parameters changed none.
  std::string sentence() const;

 private:
  struct Outcome {
    Settings settings;
    std::string figures;  ///< digest of all simulated figures
  };
  bool has_effect(const std::string& name, bool& is_known) const;

  std::vector<Outcome> outcomes_;
};

}  // namespace vp
