#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/common/bounds.h"
#include "models/common/figures.h"

namespace vp {

/// Arrays of multiply-accumulate cells: what they did beside what nothing can beat. Mapped work is what the cells did,
/// useful work what the workload asked for; the rest is padding to whole tiles and passes.
struct ComputeFigures {
  double peak_macs_per_second = 0;
  std::uint64_t mapped_macs = 0;
  double mapped_macs_per_second = 0;
  double mapped_of_peak = 0;                     ///< percent
  std::optional<std::uint64_t> useful_macs;      ///< where the workload is known, of all arrays
  std::optional<double> useful_macs_per_second;  ///< likewise
  std::optional<double> useful_of_peak;          ///< percent
  std::optional<double> mapping_efficiency;      ///< percent
  std::optional<std::uint64_t> minimum_cycles;   ///< of several arrays, those of the one that took longest
  std::optional<std::uint64_t> cycles;
  std::optional<double> cycles_of_minimum;  ///< percent

  template <typename List>
  void list(List& list) const {
    list.figure("peak_macs_per_second", peak_macs_per_second, "MAC/s", "matrix width squared × clock");
    list.figure("mapped_macs", mapped_macs, "MAC", "multiply-accumulates done by the array, padding included");
    list.figure("mapped_macs_per_second", mapped_macs_per_second, "MAC/s",
                "multiply-accumulates over simulated time, padding included");
    list.figure("mapped_of_peak", mapped_of_peak, "%", "the same over peak, padding included");
    list.figure("useful_macs", useful_macs, "MAC", "multiply-accumulates that the workload asks for");
    list.figure("useful_macs_per_second", useful_macs_per_second, "MAC/s",
                "useful multiply-accumulates over simulated time");
    list.figure("useful_of_peak", useful_of_peak, "%", "useful multiply-accumulates a second over peak");
    list.figure("mapping_efficiency", mapping_efficiency, "%",
                "useful over mapped multiply-accumulates; the rest is padding to whole tiles and passes");
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
  double intensity = 0;  ///< useful multiply-accumulates a byte, mapped ones where the useful are not known

  template <typename List>
  void list(List& list) const {
    list.figure("peak_bandwidth", peak_bandwidth, "bytes/s", "width × clock");
    list.figure("bytes", bytes, "bytes", "moved in the run");
    list.figure("reached_bandwidth", reached_bandwidth, "bytes/s", "bytes over simulated time");
    list.figure("of_peak", of_peak, "%", "reached over peak bandwidth");
    list.figure("beyond_peak", beyond_peak, "", "more bytes than peak bandwidth allows: no rate is given");
    list.figure("intensity", intensity, "MAC/byte",
                "useful multiply-accumulates a byte moved, mapped ones where useful_macs is not known");
  }
};

/// A part that moves data by itself.
struct MoverFigures {
  double peak_bandwidth = 0;  ///< bytes a second
  std::uint64_t bytes = 0;
  double reached_bandwidth = 0;
  double of_peak = 0;  ///< percent
  Picoseconds busy_time = 0;
  Picoseconds moving_time = 0;
  Picoseconds waiting_time = 0;
  double share_of_run = 0;  ///< percent

  template <typename List>
  void list(List& list) const {
    list.figure("peak_bandwidth", peak_bandwidth, "bytes/s", "width × clock of its port");
    list.figure("bytes", bytes, "bytes", "moved from one place to another in the run");
    list.figure("reached_bandwidth", reached_bandwidth, "bytes/s", "bytes over the time in which it was busy");
    list.figure("of_peak", of_peak, "%", "reached over peak bandwidth");
    list.figure("busy_time", busy_time, "ps", "time in which a transfer was under way");
    list.figure("moving_time", moving_time, "ps", "of that, what its port takes for the bytes at its peak");
    list.figure("waiting_time", waiting_time, "ps", "and the rest, in which it waited for bus and memory");
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
