#include "platform/report/timeline.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>

namespace vp {

namespace {

constexpr std::size_t kSmallestLimit = 16;

/// Adds a span or lengthens the last one.
void append(std::vector<Timeline::Span>& spans, const Timeline::Span& span) {
  if (!spans.empty() && spans.back().end == span.start && spans.back().state == span.state)
    spans.back().end = span.end;
  else
    spans.push_back(span);
}

}  // namespace

Timeline::Timeline(std::size_t spans_per_track) : limit_(std::max(spans_per_track, kSmallestLimit)) {}

Timeline::Track Timeline::add_track(const std::string& name) {
  tracks_.push_back({name, 0, {}});
  return tracks_.size() - 1;
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
  if (!lane.spans.empty()) start = std::max(start, lane.spans.back().end);
  if (start >= end) return;
  append(lane.spans, {start, end, state_index(state)});
  set_end(end);
  if (lane.spans.size() > limit_) coarsen(lane);
}

/// Slices are a power of two long, so that a later, coarser pass joins whole slices of this one. A quarter of the limit
/// remains, so that the work is amortised over the spans that follow.
void Timeline::coarsen(Lane& lane) const {
  const Picoseconds last = lane.spans.back().end;
  Picoseconds slice = std::max<Picoseconds>(lane.resolution, 1);
  while (last / slice >= limit_ / 4) slice *= 2;
  lane.resolution = slice;

  std::vector<Span> coarse;
  std::vector<Picoseconds> filled(states_.size(), 0);  // of the present slice, by state
  Picoseconds begin = 0;
  const auto flush = [&] {
    Picoseconds idle = slice;
    for (const Picoseconds time : filled) idle -= time;
    const auto most = std::max_element(filled.begin(), filled.end());
    if (*most > 0 && *most >= idle)
      append(coarse, {begin, std::min(begin + slice, last), static_cast<std::uint32_t>(most - filled.begin())});
    std::fill(filled.begin(), filled.end(), 0);
  };
  for (const Span& span : lane.spans) {
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
  lane.spans = std::move(coarse);
}

void Timeline::write_json(std::ostream& out) const {
  // By hand, line by line: the file may hold some hundred thousand spans.
  out << "{\"schema\":\"tinytpu-vp-timeline-1\",\"end_ps\":" << end_ << ",\"tracks\":[";
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    const Lane& lane = tracks_[t];
    out << (t ? ",\n" : "\n") << "{\"name\":" << nlohmann::json(lane.name).dump()
        << ",\"resolution_ps\":" << lane.resolution << ",\"spans\":[";
    for (std::size_t i = 0; i < lane.spans.size(); ++i) {
      const Span& span = lane.spans[i];
      out << (i ? "," : "") << '[' << span.start << ',' << span.end << ',' << nlohmann::json(states_[span.state]).dump()
          << ']';
    }
    out << "]}";
  }
  out << "\n]}\n";
}

}  // namespace vp
