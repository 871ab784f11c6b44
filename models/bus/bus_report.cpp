// Figures of the bus, and the check that they add up.
#include <stdexcept>

#include "models/bus/bus_ports.h"
#include "models/common/tlm_time.h"

namespace vp {

std::vector<std::vector<BusTraffic>> Bus::all_traffic() const {
  std::vector<std::vector<BusTraffic>> matrix;
  for (const auto& port : initiators_) {
    std::vector<BusTraffic>& row = matrix.emplace_back(port->traffic);
    if (!port->dmi_traffic) continue;
    for (const DmiTraffic& part : port->dmi_traffic()) {
      const unsigned window = map_.find(part.address, 1);
      if (window == AddressMap::kNone)
        throw std::logic_error(port->label + " counted host-pointer accesses outside all targets");
      row[window] += part.traffic;
    }
  }
  return matrix;
}

BusTraffic Bus::traffic(const std::string& from, const std::string& to) const {
  const auto matrix = all_traffic();
  return matrix[initiator(from).index][map_.find(to)];
}

BusTraffic Bus::delivered(const std::string& target) const { return targets_[map_.find(target)]->delivered; }

void Bus::report(Statistics& statistics) const {
  statistics.add("bad_accesses", bad_access_count_, "1", "accesses that found no target or were refused");
  statistics.add("synchronisations", synchronisations_, "1", "accesses that waited for events due before they arrived");
  std::vector<std::string> initiators, targets, links;
  for (const auto& port : initiators_) initiators.push_back(port->label);
  for (const BusWindow& window : map_.windows()) targets.push_back(window.name);
  for (const auto& port : links_) links.push_back(port->label);
  report_traffic(statistics, initiators, targets, all_traffic());
  if (!ever_timed()) return;
  statistics.add("ordered", ordered_, "1", "accesses in exact order, which waited for their turn in the kernel");
  const Picoseconds now = kernel_time();
  const double peak = beats_.bytes / (static_cast<double>(config_.clock) * 1e-12);
  for (const auto& port : initiators_) {
    Statistics& group = statistics.group(port->label).group("timed", "its accesses through the bus in timed mode");
    const Picoseconds total = port->time.total(now);
    port->figures.report(group, total, peak, "from leaving the initiator to the answer");
    report_parts(group.group("time", "all of timed mode: the parts add up"), port->parts, port->time, now);
    std::vector<const LinkWaiting*> waiting;
    for (const auto& link : links_) waiting.push_back(&link->link.waiting(port->index));
    report_waiting(group.group("waiting", "for the links, by cause"), waiting, links, initiators);
    group.add("owed", std::uint64_t{0}, "ps", "of `overtaken`, what it has not paid yet: nothing, it is paid at once");
  }
  Statistics& all = statistics.group("links", "links to the targets in timed mode");
  for (const auto& port : links_) {
    const Link::Times times = port->link.times(now);
    if (times.busy == 0) continue;
    Statistics& group = all.group(port->label);
    port->figures.report(group, times.total, peak, "from arriving at the link to the answer");
    report_late_arrivals(group, port->link.late_arrivals());
    report_link_times(group.group("time", "all of timed mode: busy + waiting + idle = total"), times);
  }
}

bool Bus::ever_timed() const {
  return fidelity_ == Fidelity::timed || (!initiators_.empty() && initiators_[0]->time.total(kernel_time()) != 0);
}

std::string Bus::broken_conservation() const {
  const Picoseconds now = kernel_time();
  Picoseconds behind = 0, waited = 0, late = 0, shifted = 0;
  for (const auto& port : initiators_) {
    if (port->parts.total() != port->latency_sum)
      return port->label + ": the parts of its accesses' time do not add up";
    if (port->time.used() > port->time.total(now)) return port->label + ": busy for longer than the run";
    for (const auto& link : links_) {
      const LinkWaiting& one = link->link.waiting(port->index);
      for (const Picoseconds time : one.behind) behind += time;
      late += one.overtaken;
    }
    waited += port->parts.waiting;
    shifted += port->parts.overtaken;
  }
  const bool complete = stragglers_ == 0 && in_flight_ == 0;
  if (complete && (behind != waited || late != shifted))
    return "the waiting of the initiators is not the time for which others held the links";
  for (const auto& port : links_)
    if (!port->link.times(now).conserved()) return "link " + port->label + ": busy + waiting + idle is not the total";
  for (unsigned window = 0; window < targets_.size(); ++window) {
    BusTraffic in;
    for (const auto& port : initiators_) in += port->traffic[window];
    const BusTraffic& out = targets_[window]->delivered;
    if (in.read_bytes != out.read_bytes || in.write_bytes != out.write_bytes)
      return map_.windows()[window].name + ": bytes in are not bytes out";
  }
  return "";
}

}  // namespace vp
