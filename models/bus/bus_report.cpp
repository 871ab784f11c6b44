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

BusFigures Bus::figures() const {
  BusFigures figures;
  figures.bad_accesses = bad_access_count_;
  figures.synchronisations = synchronisations_;
  const auto traffic = all_traffic();
  for (const auto& port : initiators_) {
    InitiatorFigures& one = figures.initiators.emplace_back(port->label, InitiatorFigures()).second;
    for (std::size_t target = 0; target < traffic[port->index].size(); ++target) {
      const BusTraffic& between = traffic[port->index][target];
      if (between.reads + between.writes != 0)
        one.targets.push_back(
            {map_.windows()[target].name, {between.reads, between.writes, between.read_bytes, between.write_bytes}});
    }
    if (ever_timed()) one.timed = timed_figures(*port);
  }
  if (!ever_timed()) return figures;
  figures.ordered = ordered_;
  figures.links.emplace();
  const Picoseconds now = kernel_time();
  for (const auto& port : links_) {
    const Link::Times times = port->link.times(now);
    if (times.busy == 0) continue;
    LinkReportFigures& link = figures.links->used.emplace_back(port->label, LinkReportFigures()).second;
    link.port = port->figures.figures(times.total, peak(), "from arriving at the link to the answer");
    link.time = time_figures(times);
    const Link::LateArrivals& late = port->link.late_arrivals();
    if (late.number != 0)
      link.late_arrivals = LateArrivalFigures{late.number, nanoseconds(late.worst), nanoseconds(late.sum)};
  }
  return figures;
}

TimedInitiatorFigures Bus::timed_figures(const InitiatorPort& port) const {
  const Picoseconds now = kernel_time();
  TimedInitiatorFigures figures;
  figures.port = port.figures.figures(port.time.total(now), peak(), "from leaving the initiator to the answer");
  figures.time = time_figures(port.parts, port.time, now);
  for (std::size_t link = 0; link < links_.size(); ++link) {
    const LinkWaiting& waiting = links_[link]->link.waiting(port.index);
    LinkWaitingFigures one{{}, nanoseconds(waiting.held), nanoseconds(waiting.overtaken)};
    for (const auto& holder : initiators_)
      if (waiting.behind[holder->index] != 0)
        one.behind.emplace_back(holder->label, nanoseconds(waiting.behind[holder->index]));
    if (!one.behind.empty() || waiting.held + waiting.overtaken != 0)
      figures.waiting.links.push_back({links_[link]->label, std::move(one)});
  }
  return figures;
}

/// Bytes a second that a port can carry.
double Bus::peak() const { return beats_.bytes / (static_cast<double>(config_.clock) * 1e-12); }

void Bus::report(Statistics& statistics) const { write_figures(figures(), statistics); }

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
