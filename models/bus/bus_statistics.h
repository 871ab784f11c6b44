#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/bus/link.h"
#include "models/common/latency_figures.h"
#include "models/common/statistics.h"

namespace vp {

/// Traffic between one initiator and one target.
struct BusTraffic {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t write_bytes = 0;

  void add(bool write, std::uint64_t bytes) {
    ++(write ? writes : reads);
    (write ? write_bytes : read_bytes) += bytes;
  }
  BusTraffic& operator+=(const BusTraffic& other) {
    reads += other.reads;
    writes += other.writes;
    read_bytes += other.read_bytes;
    write_bytes += other.write_bytes;
    return *this;
  }
};

/// What an initiator did through host pointers, which the bus cannot see, in one region.
struct DmiTraffic {
  std::uint64_t address = 0;  ///< any address of the region
  BusTraffic traffic;
};

/// An initiator's account of all its DMI accesses since the start, asked for when a report is written.
using DmiTrafficSource = std::function<std::vector<DmiTraffic>()>;

/// Adds a group an initiator with a group a target inside; matrix[initiator][target]. Pairs without traffic are left
/// out.
void report_traffic(Statistics& statistics, const std::vector<std::string>& initiators,
                    const std::vector<std::string>& targets, const std::vector<std::vector<BusTraffic>>& matrix);

// Timed mode.

/// Traffic through one port.
struct PortFigures {
  BusTraffic traffic;
  LatencyFigures latency[2];  ///< read, write

  void add(bool write, std::uint64_t bytes, Picoseconds time) {
    traffic.add(write, bytes);
    latency[write].add(time);
  }
  /// total: time of timed mode; peak: bytes a second that the port can carry.
  void report(Statistics& statistics, Picoseconds total, double peak, const std::string& latency_meaning) const;
};

/// Where the time of accesses went, in picoseconds.
struct AccessParts {
  Picoseconds hop = 0;
  Picoseconds waiting = 0;    ///< for links that others held
  Picoseconds held = 0;       ///< by the outstanding limit
  Picoseconds overtaken = 0;  ///< paid for earlier answers that were too early
  Picoseconds target = 0;
  Picoseconds beats = 0;  ///< of the bus, beyond those of the target

  Picoseconds total() const { return hop + waiting + held + overtaken + target + beats; }
  AccessParts& operator+=(const AccessParts& other) {
    hop += other.hop, waiting += other.waiting, held += other.held, overtaken += other.overtaken;
    target += other.target, beats += other.beats;
    return *this;
  }
};

/// For how long of a stretch of time something was in use. Spans that overlap count once.
class TimeUse {
 public:
  void begin(Picoseconds now) {
    began_ = until_ = now < until_ ? until_ : now;
    running_ = true;
  }
  void add(Picoseconds from, Picoseconds to) {
    from = from < until_ ? until_ : from;
    if (to <= from) return;
    used_ += to - from;
    until_ = to;
  }
  void end(Picoseconds now) {
    total_ = total(now);
    until_ = now < until_ ? until_ : now;
    running_ = false;
  }
  Picoseconds used() const { return used_; }
  /// Up to `now`, or to the last use if that is later.
  Picoseconds total(Picoseconds now) const {
    return running_ ? total_ + (now < until_ ? until_ : now) - began_ : total_;
  }

 private:
  Picoseconds began_ = 0, until_ = 0, used_ = 0, total_ = 0;
  bool running_ = false;
};

/// What an initiator waited for at one link.
struct LinkWaiting {
  explicit LinkWaiting(std::size_t initiators) : behind(initiators) {}
  std::vector<Picoseconds> behind;  ///< by the initiator that held the link
  Picoseconds held = 0;             ///< outstanding limit
  Picoseconds overtaken = 0;        ///< its turn moved back after it had been told
};

void report_parts(Statistics& statistics, const AccessParts& parts, const TimeUse& use, Picoseconds now);
/// waiting: by link.
void report_waiting(Statistics& statistics, const std::vector<LinkWaiting>& waiting,
                    const std::vector<std::string>& links, const std::vector<std::string>& initiators);
void report_link_times(Statistics& statistics, const Link::Times& times);

}  // namespace vp
