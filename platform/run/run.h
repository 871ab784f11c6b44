#pragma once

#include <functional>

#include "platform/board/machine_settings.h"
#include "platform/run/run_options.h"

namespace vp {

/// Boots the program of `options` on a machine of these settings, prints the report on standard error and returns the
/// exit code. `ready` is called when program and settings have been accepted, before anything runs. A 32-bit program
/// makes the CPU a 32-bit one unless the user has set cpu.isa. Throws UserError; nothing runs then. SystemC allows one
/// call a process.
int run_machine(const RunOptions& options, MachineSettings& settings, const std::function<void()>& ready);

}  // namespace vp
