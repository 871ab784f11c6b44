#include "models/tensil/unit_tracks.h"

#include <algorithm>

namespace vp::tensil {
namespace {

constexpr const char* kNames[] = {".array", ".simd", ".moves", ".dram0", ".dram1"};

/// The unit that an activity keeps busy, an index of kNames; nothing for what keeps none.
std::optional<unsigned> unit_of(Activity activity) {
  switch (activity) {
    case Activity::mat_mul:
    case Activity::load_weight:
      return 0;
    case Activity::simd:
    case Activity::load_lut:
      return 1;
    case Activity::accumulator_move:
      return 2;
    case Activity::dram0_read:
    case Activity::dram0_write:
      return 3;
    case Activity::dram1_read:
    case Activity::dram1_write:
      return 4;
    default:
      return std::nullopt;
  }
}

}  // namespace

UnitTracks::UnitTracks(std::string part, TimelineSink& timeline) : part_(std::move(part)), timeline_(timeline) {
  timeline.at_end([this](Picoseconds) {
    for (Unit& unit : units_) draw(unit);
  });
}

void UnitTracks::add(Activity activity, Picoseconds start, Picoseconds end) {
  const std::optional<unsigned> number = unit_of(activity);
  if (!number) return;
  Unit& unit = units_[*number];
  if (!unit.track) unit.track = timeline_.add_track(part_ + kNames[*number]);
  start = std::max(start, unit.end);  // queued SIMD instructions overlap
  if (start >= end) return;
  if (unit.activity != activity || start != unit.end) {
    draw(unit);
    unit.activity = activity;
    unit.start = start;
  }
  unit.end = end;
}

void UnitTracks::draw(Unit& unit) {
  if (unit.start < unit.end) timeline_.add(*unit.track, unit.start, unit.end, name_of(unit.activity));
}

}  // namespace vp::tensil
