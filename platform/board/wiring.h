#pragma once

#include "models/common/outline.h"

namespace vp {

class MachineSettings;

/// Checks what parts are to each other. Throws UserError: a window without address, windows that overlap, an interrupt
/// input that is not there or has two lines, a line to a part that is no part of the machine or not of the right sort.
/// A line to a part that is left out is unplugged, which is allowed.
void check_wiring(const MachineSettings& machine, const Outline& outline);

}  // namespace vp
