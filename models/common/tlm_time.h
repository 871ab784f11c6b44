#pragma once

#include <systemc>

#include "models/common/clock.h"
#include "models/common/horizon.h"

namespace vp {

/// Conversions between SystemC's time and ours. They rely on the kernel's time resolution being 1 ps, its default; the
/// sockets check that when they are made.
inline Picoseconds from_sc_time(const sc_core::sc_time& time) { return time.value(); }
inline sc_core::sc_time to_sc_time(Picoseconds time) { return sc_core::sc_time::from_value(time); }
/// The kernel's present time.
inline Picoseconds kernel_time() { return from_sc_time(sc_core::sc_time_stamp()); }

/// Notifies at once. Nobody waits any more once the simulation has stopped, when what was under way is still brought to
/// its end for the figures.
inline void notify_now(sc_core::sc_event& event) {
  if (sc_core::sc_get_status() == sc_core::SC_RUNNING) event.notify();
}

/// Reports an error of ours if the kernel's resolution is not 1 ps.
void check_time_resolution();

/// Lets the kernel catch up with a thread's local time: waits until `time` (no wait if that is past), then gives
/// devices their delta cycles until every visible event due by then has been delivered. Call from an SC_THREAD only. An
/// event that is never delivered is an error of ours and reported as such.
void synchronize(const Horizon& horizon, Picoseconds time);

}  // namespace vp
