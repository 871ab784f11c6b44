#include "models/tinytpu/unit_tracks.h"

#include <algorithm>

#include "models/tinytpu/asm.h"

namespace vp::tinytpu {

UnitTracks::UnitTracks(const std::string& name, TimelineSink& timeline, Picoseconds clock_period)
    : timeline_(timeline), period_(clock_period), instructions_(timeline.add_track(name + ".instructions")) {
  for (unsigned unit = 0; unit < kUnits; ++unit)
    tracks_[unit] = timeline_.add_track(name + "." + name_of(static_cast<Unit>(unit)));
}

void UnitTracks::issued(const Issue& issue) {
  under_way_ = issue.instruction.kind() != InstructionKind::synchronize;
  timeline_.mark(instructions_, issue.edge * period_, disassemble(issue.instruction));
}

void UnitTracks::spent(Wait wait, Edge first, Edge last, const std::array<Edge, kUnits>& free_from) {
  if (wait != Wait::empty) program_goes_on();
  // Cycle c is the interval that ends at edge c.
  const Picoseconds begin = first == 0 ? 0 : (first - 1) * period_;
  const Picoseconds end = last * period_;
  for (unsigned unit = 0; unit < kUnits; ++unit) {
    const Picoseconds free = free_from[unit] == 0 ? 0 : (free_from[unit] - 1) * period_;
    timeline_.add(tracks_[unit], begin, std::min(free, end), "busy");
    const Picoseconds waits_from = std::max(begin, free);
    if (waits_from >= end) continue;
    if (wait != Wait::empty) {
      timeline_.add(tracks_[unit], waits_from, end, name_of(wait));
    } else if (under_way_) {
      if (open_[unit].end == 0) open_[unit].begin = waits_from;
      open_[unit].end = end;
    }
  }
  timeline_.set_end(end);
}

void UnitTracks::program_goes_on() {
  for (unsigned unit = 0; unit < kUnits; ++unit)
    if (open_[unit].end != 0) timeline_.add(tracks_[unit], open_[unit].begin, open_[unit].end, name_of(Wait::host));
  open_ = {};
}

void UnitTracks::reset() {
  under_way_ = false;
  open_ = {};
}

}  // namespace vp::tinytpu
