#include "platform/report/timeline.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <utility>

namespace vp {

namespace {

constexpr std::size_t kSmallestLimit = 16;

/// As a string of JSON. Texts may quote a program's symbols, which may be any bytes.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Adds a span or lengthens the last one.
void append(std::vector<Timeline::Span>& spans, const Timeline::Span& span) {
  if (!spans.empty() && spans.back().end == span.start && spans.back().state == span.state)
    spans.back().end = span.end;
  else
    spans.push_back(span);
}

}  // namespace

Timeline::Timeline(std::size_t spans_per_track, std::size_t marks_per_track)
    : limit_(std::max(spans_per_track, kSmallestLimit)), most_marks_(marks_per_track) {}

Timeline::Track Timeline::add_track(const std::string& name) {
  tracks_.push_back({name, 0, 0, {}, {}, 0});
  return tracks_.size() - 1;
}

void Timeline::finish(Picoseconds end) {
  for (const auto& complete : completions_) complete(end);
}

void Timeline::set_end(Picoseconds end) { end_ = std::max(end_, end); }

std::uint32_t Timeline::state_index(const std::string& name) {
  const auto at = std::find(states_.begin(), states_.end(), name);
  if (at != states_.end()) return static_cast<std::uint32_t>(at - states_.begin());
  states_.push_back(name);
  return static_cast<std::uint32_t>(states_.size() - 1);
}

void Timeline::add(Track track, Picoseconds start, Picoseconds end, const std::string& state) {
  if (track >= tracks_.size()) throw std::logic_error("timeline: no such track");
  Lane& lane = tracks_[track];
  start = std::max(start, lane.end);
  if (start >= end) return;
  lane.end = end;
  append(lane.spans, {start, end, state_index(state)});
  set_end(end);
  if (lane.spans.size() > limit_) coarsen(lane);
}

void Timeline::mark(Track track, Picoseconds time, const std::string& text) {
  if (track >= tracks_.size()) throw std::logic_error("timeline: no such track");
  Lane& lane = tracks_[track];
  if (lane.marks.size() < most_marks_)
    lane.marks.push_back({time, text});
  else
    ++lane.more_marks;
  set_end(time);
}

/// Slices are a power of two long, so that a later, coarser pass joins whole slices of this one. Half of the limit at
/// most remains, so that the work is amortised over the spans that follow.
void Timeline::coarsen(Lane& lane) const {
  Picoseconds slice = std::max<Picoseconds>(lane.resolution, 1);
  while (lane.end / slice >= limit_ / 4) slice *= 2;
  lane.spans = packed(lane.spans, slice);
  for (; lane.spans.size() > limit_ / 2 && slice <= lane.end; lane.spans = packed(lane.spans, slice)) slice *= 2;
  lane.resolution = slice;
}

/// The same time in each state in each slice, one span a state from the beginning of the slice on.
std::vector<Timeline::Span> Timeline::packed(const std::vector<Span>& spans, Picoseconds slice) const {
  std::vector<Span> coarse;
  std::vector<Picoseconds> filled(states_.size(), 0);  // of the present slice, by state
  Picoseconds begin = 0;
  const auto flush = [&] {
    Picoseconds at = begin;
    for (std::uint32_t state = 0; state < filled.size(); ++state) {
      if (filled[state] != 0) append(coarse, {at, at + filled[state], state});
      at += std::exchange(filled[state], 0);
    }
  };
  for (const Span& span : spans) {
    for (Picoseconds at = span.start; at < span.end;) {
      const Picoseconds bin = at / slice * slice;
      if (bin != begin) {
        flush();
        begin = bin;
      }
      // A long span fills many slices at once.
      const Picoseconds whole = at == bin ? (span.end - at) / slice * slice : 0;
      if (whole > slice) {
        append(coarse, {at, at + whole, span.state});
        at += whole;
        begin = at;
        continue;
      }
      const Picoseconds next = std::min(span.end, bin + slice);
      filled[span.state] += next - at;
      at = next;
    }
  }
  flush();
  return coarse;
}

void Timeline::write_json(std::ostream& out) const {
  // By hand, line by line: the file may hold some hundred thousand spans.
  out << "{\"schema\":\"tinytpu-vp-timeline-1\",\"end_ps\":" << end_ << ",\"tracks\":[";
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    const Lane& lane = tracks_[t];
    out << (t ? ",\n" : "\n") << "{\"name\":" << quoted(lane.name) << ",\"resolution_ps\":" << lane.resolution
        << ",\"spans\":[";
    for (std::size_t i = 0; i < lane.spans.size(); ++i) {
      const Span& span = lane.spans[i];
      out << (i ? "," : "") << '[' << span.start << ',' << span.end << ',' << quoted(states_[span.state]) << ']';
    }
    out << ']';
    if (!lane.marks.empty() || lane.more_marks != 0) {
      out << ",\"marks\":[";
      for (std::size_t i = 0; i < lane.marks.size(); ++i)
        out << (i ? "," : "") << '[' << lane.marks[i].time << ',' << quoted(lane.marks[i].text) << ']';
      out << "],\"more_marks\":" << lane.more_marks;
    }
    out << '}';
  }
  out << "\n]}\n";
}

}  // namespace vp
