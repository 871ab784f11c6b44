#pragma once

#include <array>
#include <string>

#include "models/common/timeline_sink.h"
#include "models/tinytpu/core.h"

namespace vp::tinytpu {

/// Draws the three units of a tinyTPU into a timeline: busy, or waiting for a cause, in the words of its statistics.
class UnitTracks : public CoreObserver {
 public:
  /// Tracks "<name>.<unit>". timeline must outlive this object.
  UnitTracks(const std::string& name, TimelineSink& timeline, Picoseconds clock_period);

  void fetched(std::uint64_t, Edge) override {}
  void issued(const Issue&) override {}
  void spent(Wait wait, Edge first, Edge last, const std::array<Edge, kUnits>& free_from) override;

 private:
  TimelineSink& timeline_;
  Picoseconds period_;
  std::array<TimelineSink::Track, kUnits> tracks_;
};

}  // namespace vp::tinytpu
