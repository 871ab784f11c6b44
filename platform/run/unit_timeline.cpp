#include "platform/run/unit_timeline.h"

#include <algorithm>
#include <sstream>

#include "platform/files/whole_file.h"

namespace vp {

TinyTpuTimeline::TinyTpuTimeline(Timeline& timeline, Picoseconds clock_period)
    : timeline_(timeline), period_(clock_period) {
  for (unsigned unit = 0; unit < tinytpu::kUnits; ++unit)
    tracks_[unit] = timeline_.add_track(std::string("tpu.") + tinytpu::name_of(static_cast<tinytpu::Unit>(unit)));
}

void TinyTpuTimeline::spent(tinytpu::Wait wait, tinytpu::Edge first, tinytpu::Edge last,
                            const std::array<tinytpu::Edge, tinytpu::kUnits>& free_from) {
  // Cycle c is the interval that ends at edge c.
  const Picoseconds begin = first == 0 ? 0 : (first - 1) * period_;
  const Picoseconds end = last * period_;
  for (unsigned unit = 0; unit < tinytpu::kUnits; ++unit) {
    const Picoseconds free = free_from[unit] == 0 ? 0 : (free_from[unit] - 1) * period_;
    timeline_.add(tracks_[unit], begin, std::min(free, end), "busy");
    if (wait != tinytpu::Wait::empty) timeline_.add(tracks_[unit], std::max(begin, free), end, tinytpu::name_of(wait));
  }
  timeline_.set_end(end);
}

CpuTimeline::CpuTimeline(Timeline& timeline) : timeline_(timeline), track_(timeline.add_track("cpu")) {}

void CpuTimeline::slept(Picoseconds from, Picoseconds to) {
  timeline_.add(track_, awake_since_, from, "busy");
  timeline_.add(track_, from, to, "wait_for_interrupt");
  awake_since_ = to;
}

void CpuTimeline::finish(Picoseconds end) {
  timeline_.add(track_, awake_since_, end, "busy");
  timeline_.set_end(end);
}

void DataTimeline::moved(const std::string& unit, Picoseconds start, Picoseconds end) {
  auto track = tracks_.find(unit);
  if (track == tracks_.end()) track = tracks_.emplace(unit, timeline_.add_track(unit)).first;
  timeline_.add(track->second, start, end, "busy");
}

void write_timeline(const Timeline& timeline, const std::string& path) {
  if (path.empty()) return;
  std::ostringstream text;
  timeline.write_json(text);
  write_file(path, text.str());
}

}  // namespace vp
