#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/common/bounds.h"
#include "models/common/figures.h"

namespace vp {

/// Arrays of multiply-accumulate cells: what they did beside what nothing can beat.
struct ComputeFigures {
  double peak_macs_per_second = 0;
  std::uint64_t macs = 0;
  double reached_macs_per_second = 0;
  double macs_of_peak = 0;                      ///< percent
  std::optional<std::uint64_t> minimum_cycles;  ///< of several arrays, those of the one that took longest
  std::optional<std::uint64_t> cycles;
  std::optional<double> cycles_of_minimum;  ///< percent

  template <typename List>
  void list(List& list) const {
    list.figure("peak_macs_per_second", peak_macs_per_second, "MAC/s", "matrix width squared × clock");
    list.figure("macs", macs, "MAC", "multiply-accumulates done by the array, padding included");
    list.figure("reached_macs_per_second", reached_macs_per_second, "MAC/s",
                "multiply-accumulates over simulated time");
    list.figure("macs_of_peak", macs_of_peak, "%", "reached over peak");
    list.figure("minimum_cycles", minimum_cycles, "cycles", "closed-form least of the executed instructions");
    list.figure("cycles", cycles, "cycles", "taken by the tinyTPU");
    list.figure("cycles_of_minimum", cycles_of_minimum, "%", "taken over least; below 100 % the model is wrong");
  }
};

/// A link or memory.
struct LinkFigures {
  double peak_bandwidth = 0;  ///< bytes a second
  std::uint64_t bytes = 0;
  std::optional<double> reached_bandwidth;
  std::optional<double> of_peak;           ///< percent
  std::optional<std::string> beyond_peak;  ///< why there is neither of them
  double intensity = 0;                    ///< multiply-accumulates a byte

  template <typename List>
  void list(List& list) const {
    list.figure("peak_bandwidth", peak_bandwidth, "bytes/s", "width × clock");
    list.figure("bytes", bytes, "bytes", "moved in the run");
    list.figure("reached_bandwidth", reached_bandwidth, "bytes/s", "bytes over simulated time");
    list.figure("of_peak", of_peak, "%", "reached over peak bandwidth");
    list.figure("beyond_peak", beyond_peak, "", "more bytes than peak bandwidth allows: no rate is given");
    list.figure("intensity", intensity, "MAC/byte", "multiply-accumulates a byte moved");
  }
};

/// A part that moves data by itself.
struct MoverFigures {
  double peak_bandwidth = 0;  ///< bytes a second
  std::uint64_t bytes = 0;
  double reached_bandwidth = 0;
  double of_peak = 0;  ///< percent
  Picoseconds busy_time = 0;
  double share_of_run = 0;  ///< percent

  template <typename List>
  void list(List& list) const {
    list.figure("peak_bandwidth", peak_bandwidth, "bytes/s", "width × clock of its port");
    list.figure("bytes", bytes, "bytes", "moved from one place to another in the run");
    list.figure("reached_bandwidth", reached_bandwidth, "bytes/s", "bytes over the time in which it was busy");
    list.figure("of_peak", of_peak, "%", "reached over peak bandwidth");
    list.figure("busy_time", busy_time, "ps", "time in which a transfer was under way");
    list.figure("share_of_run", share_of_run, "%", "busy time over simulated time");
  }
};

/// Groups of one kind, each by the name of a part.
template <typename Group>
struct GroupsByPart {
  NamedGroups<Group> parts;

  template <typename List>
  void list(List& list) const {
    list.groups(Group::meaning(), parts);
  }
};

/// Bounds that no run can beat, beside what this one reached.
struct IdealFigures {
  struct Compute : ComputeFigures {
    static const char* meaning() { return "this array alone"; }
  };
  struct Link : LinkFigures {
    static const char* meaning() { return "roof of this link or memory"; }
  };
  struct Mover : MoverFigures {
    static const char* meaning() { return "what this part moved by itself"; }
  };
  std::optional<ComputeFigures> compute;       ///< all arrays together: peaks and work are sums
  std::optional<GroupsByPart<Compute>> units;  ///< of several arrays, each
  std::optional<GroupsByPart<Link>> links;
  std::optional<GroupsByPart<Mover>> movers;

  template <typename List>
  void list(List& list) const {
    if (compute) compute->list(list);
    list.group("units", "", units);
    list.group("links", "", links);
    list.group("movers", "", movers);
  }
};

/// What a run is held against: its figures beside their bounds. A figure above its bound shows that something is wrong.
/// Nothing for a machine that neither computes nor moves data by itself.
std::optional<IdealFigures> ideal_figures(const Bounds& bounds);

/// Adds the groups "bound" (run_bound.h) and "ideal" to a run's statistics. The report draws its roofline from the
/// latter.
void report_bounds(const Bounds& bounds, Statistics& root);

}  // namespace vp
