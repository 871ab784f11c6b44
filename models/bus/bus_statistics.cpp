#include "models/bus/bus_statistics.h"

#include <algorithm>
#include <iterator>

namespace vp {
namespace {

double nanoseconds(Picoseconds time) { return static_cast<double>(time) * 1e-3; }

void add_time(Statistics& statistics, const std::string& name, Picoseconds time, const std::string& description) {
  statistics.add(name, nanoseconds(time), "ns", description);
}

}  // namespace

void TimeUse::add(Picoseconds from, Picoseconds to) {
  constexpr std::size_t kMostRecent = 128;
  from = std::max({from, began_, folded_until_});
  if (to <= from) return;
  until_ = std::max(until_, to);
  auto place = recent_.end();  // behind the spans that begin earlier; nearly always the end
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
  if (recent_.size() > kMostRecent) fold(kMostRecent / 2);
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

void report_traffic(Statistics& statistics, const std::vector<std::string>& initiators,
                    const std::vector<std::string>& targets, const std::vector<std::vector<BusTraffic>>& matrix) {
  for (std::size_t i = 0; i < initiators.size(); ++i) {
    Statistics& from = statistics.group(initiators[i], "accesses of this initiator by target, host pointers included");
    for (std::size_t t = 0; t < targets.size(); ++t) {
      const BusTraffic& traffic = matrix[i][t];
      if (traffic.reads + traffic.writes == 0) continue;
      Statistics& to = from.group(targets[t]);
      to.add("transactions", traffic.reads + traffic.writes, "1", "reads and writes");
      to.add("bytes", traffic.read_bytes + traffic.write_bytes, "bytes", "moved both ways");
      to.add("reads", traffic.reads, "1", "read transactions");
      to.add("writes", traffic.writes, "1", "write transactions");
      to.add("read_bytes", traffic.read_bytes, "bytes", "read");
      to.add("write_bytes", traffic.write_bytes, "bytes", "written");
    }
  }
}

void PortFigures::report(Statistics& statistics, Picoseconds total, double peak,
                         const std::string& latency_meaning) const {
  const std::uint64_t bytes = traffic.read_bytes + traffic.write_bytes;
  const double rate = total ? static_cast<double>(bytes) / (static_cast<double>(total) * 1e-12) : 0;
  statistics.add("transactions", traffic.reads + traffic.writes, "1", "reads and writes");
  statistics.add("bytes", bytes, "bytes", "moved both ways");
  statistics.add("bandwidth", rate * 1e-9, "GB/s", "bytes / time in timed mode, 1 GB = 10^9 bytes");
  statistics.add("bandwidth_of_peak", 100 * rate / peak, "%", "of bus width / bus clock period");
  for (const bool write : {false, true}) {
    Statistics& one = statistics.group(write ? "write" : "read", write ? "writes" : "reads");
    one.add("transactions", write ? traffic.writes : traffic.reads, "1", "");
    one.add("bytes", write ? traffic.write_bytes : traffic.read_bytes, "bytes", "");
    latency[write].report(one, latency_meaning);
  }
}

void report_parts(Statistics& statistics, const AccessParts& parts, const TimeUse& use, Picoseconds now) {
  add_time(statistics, "hop", parts.hop, "from the initiator to the link");
  add_time(statistics, "waiting", parts.waiting, "for links that were in use");
  add_time(statistics, "outstanding", parts.held, "held by the limit of outstanding accesses");
  add_time(statistics, "overtaken", parts.overtaken, "came later than one that had run ahead of the kernel: the shift");
  add_time(statistics, "target", parts.target, "in the targets");
  add_time(statistics, "beats", parts.beats, "beats of the bus beyond those of the target");
  add_time(statistics, "overlap", parts.total() - use.used(), "of all these, side by side with another access");
  add_time(statistics, "idle", use.total(now) - use.used(), "no access under way (host pointers included)");
  add_time(statistics, "total", use.total(now), "all parts less the overlap, and idle");
}

void report_waiting(Statistics& statistics, const std::vector<const LinkWaiting*>& waiting,
                    const std::vector<std::string>& links, const std::vector<std::string>& initiators) {
  for (std::size_t link = 0; link < waiting.size(); ++link) {
    const LinkWaiting& one = *waiting[link];
    Picoseconds sum = one.held + one.overtaken;
    for (const Picoseconds time : one.behind) sum += time;
    if (sum == 0) continue;
    Statistics& group = statistics.group(links[link]);
    for (std::size_t i = 0; i < initiators.size(); ++i)
      if (one.behind[i] != 0) add_time(group, "behind_" + initiators[i], one.behind[i], "it held the link");
    add_time(group, "outstanding", one.held, "limit of outstanding accesses");
    add_time(group, "overtaken", one.overtaken, "came later than one that had run ahead of the kernel");
  }
}

void report_link_times(Statistics& statistics, const Link::Times& times) {
  add_time(statistics, "busy", times.busy, "beats");
  add_time(statistics, "waiting", times.waiting, "stood still while the outstanding limit held an access");
  add_time(statistics, "idle", times.idle, "nothing to do");
  add_time(statistics, "total", times.total, "");
  statistics.add("busy_share",
                 times.total ? 100 * static_cast<double>(times.busy) / static_cast<double>(times.total) : 0, "%",
                 "busy / total");
}

void report_late_arrivals(Statistics& statistics, const Link::LateArrivals& late) {
  if (late.number == 0) return;
  Statistics& group = statistics.group("late_arrivals", "accesses that came later than one that had run ahead of them");
  group.add("number", late.number, "1", "of such accesses");
  add_time(group, "worst", late.worst, "the most by which one was shifted");
  add_time(group, "sum", late.sum, "by which all were shifted");
}

}  // namespace vp
