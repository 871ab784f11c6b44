#include "platform/board/fidelity_clock.h"

#include <string>

#include "models/common/archive.h"

namespace vp {

void FidelityClock::start(Fidelity fidelity, Picoseconds now) {
  time_in_[static_cast<unsigned>(fidelity_)] += now - since_;
  since_ = now;
  fidelity_ = fidelity;
}

void FidelityClock::change(Fidelity fidelity, Picoseconds now) {
  ++changes_;
  start(fidelity, now);
}

FidelityFigures FidelityClock::figures(Picoseconds now) const {
  std::string modes;
  for (const Fidelity fidelity : {Fidelity::functional, Fidelity::timed})
    if (time_in(fidelity, now) != 0) modes += (modes.empty() ? "" : " and ") + std::string(name_of(fidelity));
  return {modes.empty() ? name_of(fidelity_) : modes, time_in(Fidelity::functional, now), time_in(Fidelity::timed, now),
          changes_};
}

void FidelityClock::persist(Archive& archive) {
  archive("fidelity", fidelity_, Fidelity::timed)("since", since_)("time_in", time_in_)("changes", changes_);
}

}  // namespace vp
