#pragma once

#include <map>
#include <string>

#include "models/tinytpu/core.h"
#include "platform/report/timeline.h"

namespace vp {

/// Draws the three units of a tinyTPU into a timeline: busy, or waiting for a cause, in the words of its statistics.
class TinyTpuTimeline : public tinytpu::CoreObserver {
 public:
  /// timeline must outlive this object.
  TinyTpuTimeline(Timeline& timeline, Picoseconds clock_period);

  void fetched(std::uint64_t, tinytpu::Edge) override {}
  void issued(const tinytpu::Issue&) override {}
  void spent(tinytpu::Wait wait, tinytpu::Edge first, tinytpu::Edge last,
             const std::array<tinytpu::Edge, tinytpu::kUnits>& free_from) override;

 private:
  Timeline& timeline_;
  Picoseconds period_;
  std::array<Timeline::Track, tinytpu::kUnits> tracks_;
};

/// Draws the host CPU: asleep in wfi ("wait_for_interrupt") or busy.
class CpuTimeline {
 public:
  explicit CpuTimeline(Timeline& timeline);
  void slept(Picoseconds from, Picoseconds to);
  /// The run is over: the CPU was busy since it last slept.
  void finish(Picoseconds end);

 private:
  Timeline& timeline_;
  Timeline::Track track_;
  Picoseconds awake_since_ = 0;
};

/// Draws links of the bus and DRAM channels: busy while they move data. A unit has a track from its first data on.
class DataTimeline {
 public:
  explicit DataTimeline(Timeline& timeline) : timeline_(timeline) {}
  void moved(const std::string& unit, Picoseconds start, Picoseconds end);

 private:
  Timeline& timeline_;
  std::map<std::string, Timeline::Track> tracks_;
};

/// Writes the file that a report reads. Nothing for an empty path. Throws UserError.
void write_timeline(const Timeline& timeline, const std::string& path);

}  // namespace vp
