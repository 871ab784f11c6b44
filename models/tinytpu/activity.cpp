#include "models/tinytpu/activity.h"

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
    {"waiting_for_host", "a program was under way, and the host had not pushed its next instruction"},
    {"idle", "no program was under way"},
};
constexpr Named kHeldUpNames[kHeldUps] = {
    {"weights", "the weight loader was at work"},
    {"multiply", "the systolic array was at work"},
    {"activate", "the activation unit was at work"},
    {"synchronize", "a synchronize waited for the last rows of units that had done their work"},
    {"issue", "an instruction was on its way to the units"},
    {"host_feed", "the host had not pushed the next instruction"},
    {"idle", "no program was under way"},
};

}  // namespace

const char* name_of(Unit unit) { return kUnitNames[static_cast<unsigned>(unit)].name; }
const char* name_of(Wait wait) { return kWaitNames[static_cast<unsigned>(wait)].name; }
const char* name_of(HeldUp cause) { return kHeldUpNames[static_cast<unsigned>(cause)].name; }
const char* meaning_of(HeldUp cause) { return kHeldUpNames[static_cast<unsigned>(cause)].description; }
const char* meaning_of(Unit unit) { return kUnitNames[static_cast<unsigned>(unit)].description; }
const char* meaning_of(Wait wait) { return kWaitNames[static_cast<unsigned>(wait)].description; }

void Activity::reset() {
  for (unsigned unit = 0; unit < kUnits; ++unit) waiting_[static_cast<unsigned>(Wait::empty)][unit] += open_[unit];
  held_up_[static_cast<unsigned>(HeldUp::idle)] += open_cycles_;
  open_ = {};
  open_cycles_ = 0;
  under_way_ = false;
}

std::uint64_t Activity::waiting(Unit unit, Wait wait) const {
  const auto u = static_cast<unsigned>(unit);
  return waiting_[static_cast<unsigned>(wait)][u] + (wait == Wait::empty ? open_[u] : 0);
}

std::uint64_t Activity::held_up(HeldUp cause) const {
  return held_up_[static_cast<unsigned>(cause)] + (cause == HeldUp::idle ? open_cycles_ : 0);
}

std::uint64_t Activity::stalled(Unit unit) const {
  std::uint64_t sum = 0;
  for (unsigned wait = 0; wait < static_cast<unsigned>(Wait::empty); ++wait)
    sum += waiting(unit, static_cast<Wait>(wait));
  return sum;
}

std::string Activity::broken_conservation() const {
  for (unsigned u = 0; u < kUnits; ++u) {
    const Unit unit = static_cast<Unit>(u);
    if (busy(unit) + stalled(unit) + waiting(unit, Wait::empty) != total_)
      return std::string("busy, stall and idle cycles of ") + name_of(unit) + " do not add up";
  }
  std::uint64_t sum = 0;
  for (unsigned cause = 0; cause < kHeldUps; ++cause) sum += held_up(static_cast<HeldUp>(cause));
  return sum == total_ ? "" : "the cycles by what held the device up do not add up";
}

CycleFigures Activity::figures() const {
  CycleFigures figures;
  for (unsigned u = 0; u < kUnits; ++u) {
    const Unit unit = static_cast<Unit>(u);
    UnitFigures& one = figures.units[u];
    one = {busy(unit), stalled(unit), {}, waiting(unit, Wait::empty), total_};
    for (unsigned wait = 0; wait < kWaits; ++wait)
      one.stall_cause.cycles[wait] = waiting(unit, static_cast<Wait>(wait));
  }
  for (unsigned cause = 0; cause < kHeldUps; ++cause)
    figures.held_up.cycles[cause] = held_up(static_cast<HeldUp>(cause));
  return figures;
}

}  // namespace vp::tinytpu
