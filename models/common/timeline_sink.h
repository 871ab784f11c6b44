#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "models/common/clock.h"

namespace vp {

/// Where parts tell what their units did when, for the report's picture.
class TimelineSink {
 public:
  using Track = std::size_t;

  virtual ~TimelineSink() = default;
  /// A new track; names show in the order of their making. A unit that may never do anything makes its track with its
  /// first span.
  virtual Track add_track(const std::string& name) = 0;
  /// The unit was in `state` ("busy", or what it waited for) from `start` to `end` (ps, end exclusive). Spans of a
  /// track come in the order of time.
  virtual void add(Track track, Picoseconds start, Picoseconds end, const std::string& state) = 0;
  /// Something happened at this time: an instruction, an interrupt. Marks of a track come in the order of time.
  virtual void mark(Track track, Picoseconds time, const std::string& text) = 0;
  /// The picture ends at this time at least.
  virtual void set_end(Picoseconds end) = 0;
  /// Called with the time at which the run has ended, to complete a track.
  virtual void at_end(std::function<void(Picoseconds)> complete) = 0;
};

}  // namespace vp
