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

void TrafficSource::report(Statistics& statistics, Picoseconds now) const {
  const Picoseconds until = std::max(std::min(now, end_), last_answer_);
  const Picoseconds time = until > config_.begin ? until - config_.begin : 0;
  const std::uint64_t moved = bytes(false) + bytes(true);
  const double reached = time ? static_cast<double>(moved) / (static_cast<double>(time) * 1e-12) : 0;
  statistics.add("transactions", latency_[0].count() + latency_[1].count(), "1", "reads and writes");
  statistics.add("bytes", moved, "bytes", "read and written");
  statistics.add("time", time, "ps", "from its begin to its end or the last answer");
  statistics.add("bandwidth", reached * 1e-9, "GB/s", "bytes / time, 1 GB = 10^9 bytes");
  if (config_.rate != 0) {
    const auto offered = static_cast<double>(config_.rate);
    statistics.add("offered", offered * 1e-9, "GB/s", "what it would have moved if nothing had held it up");
    statistics.add("bandwidth_of_offered", 100 * reached / offered, "%", "bandwidth / offered");
  }
  for (const bool write : {false, true}) {
    Statistics& one = statistics.group(write ? "write" : "read", write ? "writes" : "reads");
    one.add("transactions", latency_[write].count(), "1", "");
    one.add("bytes", bytes(write), "bytes", "");
    latency_[write].report(one, "from issue to answer");
  }
}

}  // namespace vp
