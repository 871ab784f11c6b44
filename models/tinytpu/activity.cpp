#include "models/tinytpu/activity.h"

#include <stdexcept>

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

std::uint64_t Activity::stalled(Unit unit) const {
  std::uint64_t sum = 0;
  for (unsigned wait = 0; wait < static_cast<unsigned>(Wait::empty); ++wait)
    sum += waiting(unit, static_cast<Wait>(wait));
  return sum;
}

void Activity::report(Statistics& statistics) const {
  for (unsigned u = 0; u < kUnits; ++u) {
    const Unit unit = static_cast<Unit>(u);
    Statistics& group = statistics.group(kUnitNames[u].name, std::string("cycles of the ") + kUnitNames[u].description);
    if (busy(unit) + stalled(unit) + waiting(unit, Wait::empty) != total_)
      throw std::logic_error("tinyTPU: busy, stall and idle cycles do not add up");
    group.add("busy", busy(unit), "cycles", "cycles in which the unit was busy");
    group.add("stall", stalled(unit), "cycles",
              "cycles in which it had nothing to do although instructions were present");
    Statistics& causes = group.group("stall_cause", "stall cycles by cause");
    for (unsigned w = 0; w < static_cast<unsigned>(Wait::empty); ++w)
      causes.add(kWaitNames[w].name, waiting(unit, static_cast<Wait>(w)), "cycles", kWaitNames[w].description);
    group.add("idle", waiting(unit, Wait::empty), "cycles", "cycles without any instruction in front of the units");
    group.add("total", total_, "cycles", "busy + stall + idle");
  }
}

}  // namespace vp::tinytpu
