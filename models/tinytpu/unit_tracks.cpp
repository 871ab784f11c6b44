#include "models/tinytpu/unit_tracks.h"

#include <algorithm>

namespace vp::tinytpu {

UnitTracks::UnitTracks(const std::string& name, TimelineSink& timeline, Picoseconds clock_period)
    : timeline_(timeline), period_(clock_period) {
  for (unsigned unit = 0; unit < kUnits; ++unit)
    tracks_[unit] = timeline_.add_track(name + "." + name_of(static_cast<Unit>(unit)));
}

void UnitTracks::spent(Wait wait, Edge first, Edge last, const std::array<Edge, kUnits>& free_from) {
  // Cycle c is the interval that ends at edge c.
  const Picoseconds begin = first == 0 ? 0 : (first - 1) * period_;
  const Picoseconds end = last * period_;
  for (unsigned unit = 0; unit < kUnits; ++unit) {
    const Picoseconds free = free_from[unit] == 0 ? 0 : (free_from[unit] - 1) * period_;
    timeline_.add(tracks_[unit], begin, std::min(free, end), "busy");
    if (wait != Wait::empty) timeline_.add(tracks_[unit], std::max(begin, free), end, name_of(wait));
  }
  timeline_.set_end(end);
}

}  // namespace vp::tinytpu
