#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/bus/figures.h"
#include "models/bus/link.h"
#include "models/common/latency_figures.h"

namespace vp {

class Archive;

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
  void persist(Archive& archive);
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

// Timed mode.

/// Traffic through one port.
struct PortFigures {
  BusTraffic traffic;
  LatencyFigures latency[2];  ///< read, write

  void add(bool write, std::uint64_t bytes, Picoseconds time) {
    traffic.add(write, bytes);
    latency[write].add(time);
  }
  void persist(Archive& archive);
  /// total: time of timed mode; peak: bytes a second that the port can carry.
  BusPortFigures figures(Picoseconds total, double peak, const std::string& latency_meaning) const;
};

/// Where the time of accesses went, in picoseconds.
struct AccessParts {
  Picoseconds hop = 0;
  Picoseconds waiting = 0;    ///< for links that others held
  Picoseconds held = 0;       ///< by the outstanding limit
  Picoseconds overtaken = 0;  ///< it came later than one that had run ahead (LinkGrant::late)
  Picoseconds target = 0;
  Picoseconds beats = 0;  ///< of the bus, beyond those of the target

  void persist(Archive& archive);
  Picoseconds total() const { return hop + waiting + held + overtaken + target + beats; }
  AccessParts& operator+=(const AccessParts& other) {
    hop += other.hop, waiting += other.waiting, held += other.held, overtaken += other.overtaken;
    target += other.target, beats += other.beats;
    return *this;
  }
};

/// For how long of a stretch of time something was in use. Spans that overlap count once; they may come in any order,
/// but not later than some dozens of others behind them, unless these say that others are under way.
class TimeUse {
 public:
  void begin(Picoseconds now) {
    fold(recent_.size());
    began_ = until_ = now < until_ ? until_ : now;
    running_ = true;
  }
  void add(Picoseconds from, Picoseconds to, bool others_under_way = false);
  void end(Picoseconds now) {
    total_ = total(now);
    until_ = now < until_ ? until_ : now;
    running_ = false;
  }
  Picoseconds used() const;
  void persist(Archive& archive);
  /// Up to `now`, or to the last use if that is later.
  Picoseconds total(Picoseconds now) const {
    return running_ ? total_ + (now < until_ ? until_ : now) - began_ : total_;
  }

 private:
  struct Span {
    Picoseconds from, to;
    void persist(Archive& archive);
  };
  void fold(std::size_t count);

  std::vector<Span> recent_;  // apart from each other, in order
  Picoseconds folded_until_ = 0;
  Picoseconds began_ = 0, until_ = 0, used_ = 0, total_ = 0;
  bool running_ = false;
};

inline double nanoseconds(Picoseconds time) { return static_cast<double>(time) * 1e-3; }

AccessTimeFigures time_figures(const AccessParts& parts, const TimeUse& use, Picoseconds now);
LinkTimeFigures time_figures(const Link::Times& times);

}  // namespace vp
