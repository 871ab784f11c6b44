#pragma once

#include <iosfwd>

#include "platform/board/machine_settings.h"

namespace vp {

/// The machine as a file for --machine: its parts in their order with what is not a default of their kind, and the
/// bus. It makes the same machine again.
void write_machine(const MachineSettings& machine, std::ostream& out);

}  // namespace vp
