#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "models/common/clock.h"
#include "models/common/timeline_sink.h"

namespace vp {

/// What the units of the machine did when, for the report's picture. Devices hand over spans of time in which a unit
/// was "busy" or waited for a named cause; a gap is idle. The number of spans is bounded: a track that grows past its
/// limit is coarsened, in that a slice of time shows how long the unit was in each state, but not when, and the file
/// says how long a slice is.
///
///     {"schema":"tinytpu-vp-timeline-1","end_ps":…,
///      "tracks":[{"name":"tpu.matrix_multiply","resolution_ps":…,"spans":[[start_ps,end_ps,"busy"],…],
///                 "marks":[[time_ps,"text"],…],"more_marks":…}]}
///
/// resolution_ps is 0 where every span is exact. Of the marks of a track the first ones are kept, all are counted;
/// a track without any has none of these two members.
class Timeline : public TimelineSink {
 public:
  /// spans_per_track: at least 16.
  explicit Timeline(std::size_t spans_per_track = 20000, std::size_t marks_per_track = 5000);

  /// A new track; names show in the order of their making.
  Track add_track(const std::string& name) override;
  /// The unit was in `state` from `start` to `end` (ps, end exclusive). Spans of a track come in the order of time; the
  /// part of a span before the end of the one before it is cut away.
  void add(Track track, Picoseconds start, Picoseconds end, const std::string& state) override;
  void mark(Track track, Picoseconds time, const std::string& text) override;
  /// The picture ends at this time at least (it also covers every span).
  void set_end(Picoseconds end) override;
  void at_end(std::function<void(Picoseconds)> complete) override { completions_.push_back(std::move(complete)); }
  /// The run has ended: lets the units complete their tracks.
  void finish(Picoseconds end);

  void write_json(std::ostream& out) const;

  struct Span {
    Picoseconds start;
    Picoseconds end;
    std::uint32_t state;  ///< index into the names of states
  };
  const std::vector<Span>& spans(Track track) const { return tracks_[track].spans; }
  const std::string& state_name(std::uint32_t state) const { return states_[state]; }
  Picoseconds resolution(Track track) const { return tracks_[track].resolution; }

 private:
  struct Mark {
    Picoseconds time;
    std::string text;
  };
  struct Lane {
    std::string name;
    Picoseconds resolution = 0;
    Picoseconds end = 0;  // of the last span as it came
    std::vector<Span> spans;
    std::vector<Mark> marks;
    std::uint64_t more_marks = 0;
  };
  std::uint32_t state_index(const std::string& name);
  void coarsen(Lane& lane) const;
  std::vector<Span> packed(const std::vector<Span>& spans, Picoseconds slice) const;

  std::size_t limit_;
  std::size_t most_marks_;
  Picoseconds end_ = 0;
  std::vector<Lane> tracks_;
  std::vector<std::string> states_;
  std::vector<std::function<void(Picoseconds)>> completions_;
};

}  // namespace vp
