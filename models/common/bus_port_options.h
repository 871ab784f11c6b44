#pragma once

#include "models/common/clock.h"

namespace vp {

/// Width and clock of one port of the bus, a master's or a target's; 0: the bus's own. A beat of an access takes the
/// longest of the three on its way: master port, link, target port.
struct BusPortOptions {
  unsigned width = 0;  ///< bits, a power of two from 8 on
  Picoseconds clock = 0;
};

}  // namespace vp
