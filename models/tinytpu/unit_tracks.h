#pragma once

#include <array>
#include <string>

#include "models/common/timeline_sink.h"
#include "models/tinytpu/core.h"

namespace vp::tinytpu {

/// Draws a tinyTPU into a timeline: its instructions as marks, and its three units, busy or waiting for a cause in the
/// words of its statistics.
class UnitTracks : public CoreObserver {
 public:
  /// Tracks "<name>.instructions" and "<name>.<unit>". timeline must outlive this object.
  UnitTracks(const std::string& name, TimelineSink& timeline, Picoseconds clock_period);

  void fetched(std::uint64_t, Edge) override {}
  void issued(const Issue& issue) override;
  void spent(Wait wait, Edge first, Edge last, const std::array<Edge, kUnits>& free_from) override;
  void reset() override;

 private:
  /// Without an instruction since `begin`: it waits for the host if another one of the program follows.
  struct Open {
    Picoseconds begin = 0;
    Picoseconds end = 0;
  };
  void program_goes_on();

  TimelineSink& timeline_;
  Picoseconds period_;
  TimelineSink::Track instructions_;  ///< marks when they are handed to their units
  std::array<TimelineSink::Track, kUnits> tracks_;
  bool under_way_ = false;  ///< as Activity knows it
  std::array<Open, kUnits> open_{};
};

}  // namespace vp::tinytpu
