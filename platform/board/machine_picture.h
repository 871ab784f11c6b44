#pragma once

#include <iosfwd>

#include "platform/board/machine_settings.h"

namespace vp {

/// The machine as a picture (SVG): masters on the left of the bus, targets on its right in the order of their
/// addresses, serial lines, and a lane for each interrupt controller. A row a part, so that nothing overlaps, however
/// many there are.
void draw_machine(const MachineSettings& machine, std::ostream& out);

}  // namespace vp
