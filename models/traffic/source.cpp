#include "models/traffic/source.h"

#include <algorithm>

namespace vp {
namespace {

/// It asks for nothing further ahead than this: what is asked for keeps a run alive, and somebody else may go.
constexpr Picoseconds kForesight = 10'000'000;

}  // namespace

TrafficSource::TrafficSource(const TrafficConfig& config, Picoseconds bus_cycle)
    : config_(config),
      end_(config.end == 0 ? kNever : config.end),
      transactions_(config),
      schedule_(config, bus_cycle),
      under_way_(config.outstanding) {}

Picoseconds TrafficSource::plan(MasterPort& port) {
  const Picoseconds now = port.now();
  for (;;) {
    const Picoseconds next = schedule_.next();
    const Picoseconds at = std::max(next, now);
    port.plan(at < end_ ? next : kNever);
    if (next == kNever || at >= end_) return kNever;
    if (somebody_else_ && !somebody_else_()) {
      port.plan(kNever);
      return kNever;
    }
    if (at - now > kForesight) return now + kForesight;
    const auto [address, write] = transactions_.next();
    const std::size_t place = schedule_.issue(at);
    under_way_[place].write = write;
    port.issue({write, address, nullptr, config_.burst, place, at, kNoPc});
  }
}

void TrafficSource::completed(MasterPort::Tag tag, Picoseconds time) {
  const Transaction& transaction = under_way_[tag];
  schedule_.answered(tag, time);
  latency_[transaction.write].add(time - transaction.issued);
  last_answer_ = time;
  if (observer_) observer_(transaction.issued, time);
}

TrafficFigures TrafficSource::figures(Picoseconds now) const {
  const Picoseconds until = std::max(std::min(now, end_), last_answer_);
  TrafficFigures figures;
  figures.time = until > config_.begin ? until - config_.begin : 0;
  const std::uint64_t moved = bytes(false) + bytes(true);
  const double reached = figures.time ? static_cast<double>(moved) / (static_cast<double>(figures.time) * 1e-12) : 0;
  figures.bandwidth = reached * 1e-9;
  if (config_.rate != 0) {
    const auto offered = static_cast<double>(config_.rate);
    figures.offered = offered * 1e-9;
    figures.bandwidth_of_offered = 100 * reached / offered;
  }
  figures.read = {latency_[0].count(), bytes(false), latency_[0].summary("from issue to answer")};
  figures.write = {latency_[1].count(), bytes(true), latency_[1].summary("from issue to answer")};
  return figures;
}

}  // namespace vp
