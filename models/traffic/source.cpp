#include "models/traffic/source.h"

#include <algorithm>

#include "models/common/archive.h"

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
  ++answered_[transaction.write];
  if (timed_since_ <= transaction.issued) latency_[transaction.write].add(time - transaction.issued);
  last_answer_ = time;
  if (observer_) observer_(transaction.issued, time);
}

void TrafficSource::set_fidelity(Fidelity fidelity, Picoseconds now) {
  if ((fidelity == Fidelity::timed) == (timed_since_ != kNever)) return;
  if (timed_since_ != kNever) timed_before_ += working_time(timed_since_, now);
  timed_since_ = fidelity == Fidelity::timed ? now : kNever;
}

/// Of the time since then, what lies between its begin and its end or the last answer.
Picoseconds TrafficSource::working_time(Picoseconds since, Picoseconds now) const {
  const Picoseconds from = std::max(since, config_.begin), until = std::max(std::min(now, end_), last_answer_);
  return until > from ? until - from : 0;
}

TrafficFigures TrafficSource::figures(Picoseconds now) const {
  TrafficFigures figures;
  figures.time = working_time(0, now);
  const Picoseconds timed = timed_before_ + (timed_since_ == kNever ? 0 : working_time(timed_since_, now));
  const bool measured = timed_since_ != kNever || timed_before_ != 0;
  const double reached = timed ? static_cast<double>(measured_bytes()) / (static_cast<double>(timed) * 1e-12) : 0;
  if (measured)
    figures.bandwidth = reached * 1e-9;
  else
    figures.not_measured = "bandwidth, latency";
  if (config_.rate != 0) {
    const auto offered = static_cast<double>(config_.rate);
    figures.offered = offered * 1e-9;
    if (measured) figures.bandwidth_of_offered = 100 * reached / offered;
  }
  figures.read = direction(false, measured);
  figures.write = direction(true, measured);
  return figures;
}

TrafficFigures::Direction TrafficSource::direction(bool write, bool measured) const {
  TrafficFigures::Direction figures{answered_[write], answered_[write] * config_.burst, std::nullopt};
  if (measured) figures.latency = latency_[write].summary("from issue to answer, in timed mode");
  return figures;
}

void TrafficSource::Transaction::persist(Archive& archive) { archive("write", write)("issued", issued); }

void TrafficSource::persist(Archive& archive) {
  archive("transactions", transactions_)("schedule", schedule_).fixed("under_way", under_way_);
  archive("answered", answered_)("latency", latency_)("last_answer", last_answer_);
  archive("timed_since", timed_since_)("timed_before", timed_before_);
}

}  // namespace vp
