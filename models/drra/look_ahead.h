#pragma once

#include <algorithm>
#include <memory>

#include "models/drra/core.h"

namespace vp::drra {

/// A fabric at a time, and what will become of it. Nothing outside can know when a run ends but by doing it; so a
/// second fabric does it beforehand, and takes the first one's place when its time has come. Whoever looks inside
/// before that finds the first one, brought up to the present; whoever changes something there makes the second one
/// begin again. With nobody looking, a run is done once.
class LookAhead {
 public:
  explicit LookAhead(const DrraConfig& config);

  const DrraConfig& config() const { return present_->config(); }
  /// As of the latest time that was asked for.
  const Core& present() const { return *present_; }
  /// Brings the present to the end of this cycle; an earlier one is ignored.
  void advance_to(Cycle cycle);
  /// The present, to be changed: the future is unknown then.
  Core& change() {
    looked_ = false;
    span_ = kShortestSpan;
    return *present_;
  }
  /// The present, which from now on does everything itself, so that an observer is told of each event once.
  Core& watch() {
    watched_ = true;
    return *present_;
  }
  /// Looks ahead for the end of the run under way. Returns the cycle after which the fabric is done or, if the end
  /// is not in sight, the one after which to look again; kNever while it is done.
  Cycle look();
  void persist(Archive& archive);

 private:
  static constexpr Cycle kShortestSpan = 256;
  /// Longest, for all cells together: a few hundredths of a second of the host.
  static constexpr Cycle kLongestWork = 1 << 18;

  std::unique_ptr<Core> present_, ahead_;
  bool watched_ = false;        // the other one is thrown away when its time has come
  bool looked_ = false;         // the other one is ahead_, and its time has not come
  Cycle span_ = kShortestSpan;  // of the next look; it doubles while nobody disturbs
};

}  // namespace vp::drra
