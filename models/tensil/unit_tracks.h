#pragma once

#include <array>
#include <optional>
#include <string>

#include "models/common/timeline_sink.h"
#include "models/tensil/activity.h"

namespace vp::tensil {

/// Draws the units of a TCU into a timeline: array, SIMD ALUs, moves of accumulators, both DRAM ports. What follows
/// without a gap is one span.
class UnitTracks {
 public:
  UnitTracks(std::string part, TimelineSink& timeline);
  void add(Activity activity, Picoseconds start, Picoseconds end);

 private:
  struct Unit {
    std::optional<TimelineSink::Track> track;
    Activity activity = Activity::no_op;
    Picoseconds start = 0, end = 0;  ///< of the span that is not drawn yet
  };
  void draw(Unit& unit);

  const std::string part_;
  TimelineSink& timeline_;
  std::array<Unit, 5> units_;
};

}  // namespace vp::tensil
