#include "models/tinytpu/activity.h"

#include <stdexcept>

#include "models/tinytpu/figures.h"

namespace vp::tinytpu {
namespace {

struct Named {
  const char* name;
  const char* description;
};
constexpr Named kUnitNames[kUnits] = {
    {"read_weights", "weight loader"}, {"matrix_multiply", "systolic array"}, {"activate", "activation unit"}};
constexpr Named kWaitNames[kWaits] = {
    {"fill", "instructions were on their way to the units"},
    {"weights_busy", "the next instruction, a read_weights, waited for the weight loader"},
    {"multiply_busy", "the next instruction, a multiply or activate, waited for the systolic array"},
    {"activate_busy", "the next instruction, an activate, waited for the activation unit"},
    {"synchronize", "a synchronize waited for all units to finish"},
    {"successor", "a read_weights waited in the look-ahead stage for a successor"},
    {"idle", "no instruction was present"},
};

}  // namespace

const char* name_of(Unit unit) { return kUnitNames[static_cast<unsigned>(unit)].name; }
const char* name_of(Wait wait) { return kWaitNames[static_cast<unsigned>(wait)].name; }
const char* meaning_of(Unit unit) { return kUnitNames[static_cast<unsigned>(unit)].description; }
const char* meaning_of(Wait wait) { return kWaitNames[static_cast<unsigned>(wait)].description; }

std::uint64_t Activity::stalled(Unit unit) const {
  std::uint64_t sum = 0;
  for (unsigned wait = 0; wait < static_cast<unsigned>(Wait::empty); ++wait)
    sum += waiting(unit, static_cast<Wait>(wait));
  return sum;
}

CycleFigures Activity::figures() const {
  CycleFigures figures;
  for (unsigned u = 0; u < kUnits; ++u) {
    const Unit unit = static_cast<Unit>(u);
    if (busy(unit) + stalled(unit) + waiting(unit, Wait::empty) != total_)
      throw std::logic_error("tinyTPU: busy, stall and idle cycles do not add up");
    figures.units[u] = {busy(unit), stalled(unit), {waiting_[u]}, waiting(unit, Wait::empty), total_};
  }
  return figures;
}

}  // namespace vp::tinytpu
