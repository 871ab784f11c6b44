#include "models/common/tlm_time.h"

namespace vp {

void check_time_resolution() {
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS))
    SC_REPORT_FATAL("vp/time", "the time resolution of the kernel must be 1 ps");
}

void synchronize(const Horizon& horizon, Picoseconds time) {
  // Deltas that one instant may take; a chain of devices needs a handful.
  constexpr int kMaximumDeltas = 10'000;
  const Picoseconds now = kernel_time();
  if (time > now) sc_core::wait(to_sc_time(time - now));
  for (int deltas = 0; horizon.earliest() <= time; ++deltas) {
    if (deltas == kMaximumDeltas) SC_REPORT_FATAL("vp/horizon", "a visible event that is due is never delivered");
    sc_core::wait(sc_core::SC_ZERO_TIME);
  }
}

}  // namespace vp
