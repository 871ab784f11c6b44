#include "models/bus/bus_statistics.h"

#include <algorithm>

namespace vp {

BusPortFigures PortFigures::figures(Picoseconds total, double peak, const std::string& latency_meaning) const {
  const std::uint64_t bytes = traffic.read_bytes + traffic.write_bytes;
  const double rate = total ? static_cast<double>(bytes) / (static_cast<double>(total) * 1e-12) : 0;
  BusPortFigures figures;
  figures.bandwidth = rate * 1e-9;
  figures.bandwidth_of_peak = 100 * rate / peak;
  figures.read = {traffic.reads, traffic.read_bytes, latency[0].summary(latency_meaning)};
  figures.write = {traffic.writes, traffic.write_bytes, latency[1].summary(latency_meaning)};
  return figures;
}

AccessTimeFigures time_figures(const AccessParts& parts, const TimeUse& use, Picoseconds now) {
  AccessTimeFigures figures;
  figures.hop = nanoseconds(parts.hop);
  figures.waiting = nanoseconds(parts.waiting);
  figures.outstanding = nanoseconds(parts.held);
  figures.overtaken = nanoseconds(parts.overtaken);
  figures.target = nanoseconds(parts.target);
  figures.beats = nanoseconds(parts.beats);
  figures.overlap = nanoseconds(parts.total() - use.used());
  figures.idle = nanoseconds(use.total(now) - use.used());
  figures.total = nanoseconds(use.total(now));
  return figures;
}

LinkTimeFigures time_figures(const Link::Times& times) {
  const double share = times.total ? 100 * static_cast<double>(times.busy) / static_cast<double>(times.total) : 0;
  return {nanoseconds(times.busy), nanoseconds(times.waiting), nanoseconds(times.idle), nanoseconds(times.total),
          share};
}

void TimeUse::add(Picoseconds from, Picoseconds to, bool others_under_way) {
  constexpr std::size_t kMostRecent = 128;
  from = std::max({from, began_, folded_until_});
  if (to <= from) return;
  until_ = std::max(until_, to);
  if (!recent_.empty() && recent_.back().to < from &&
      (recent_.size() < kMostRecent || others_under_way)) {  // nearly always
    recent_.push_back({from, to});
    return;
  }
  auto place = recent_.end();  // behind the spans that begin earlier
  while (place != recent_.begin() && std::prev(place)->from > from) --place;
  if (place != recent_.begin() && std::prev(place)->to >= from)
    --place;
  else
    place = recent_.insert(place, {from, to});
  place->to = std::max(place->to, to);
  auto next = std::next(place);
  while (next != recent_.end() && next->from <= place->to) {
    place->to = std::max(place->to, next->to);
    ++next;
  }
  recent_.erase(std::next(place), next);
  if (recent_.size() > kMostRecent && !others_under_way) fold(recent_.size() - kMostRecent / 2);
}

/// Counts the first ones for good.
void TimeUse::fold(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    used_ += recent_[i].to - recent_[i].from;
    folded_until_ = recent_[i].to;
  }
  recent_.erase(recent_.begin(), recent_.begin() + static_cast<std::ptrdiff_t>(count));
}

Picoseconds TimeUse::used() const {
  Picoseconds used = used_;
  for (const Span& span : recent_) used += span.to - span.from;
  return used;
}

}  // namespace vp
