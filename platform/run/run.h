#pragma once

#include <functional>

#include "platform/board/machine_settings.h"
#include "platform/loader/elf_file.h"
#include "platform/run/run_options.h"

namespace vp {

/// Makes the program and the machine fit each other: a 32-bit program makes the CPU a 32-bit one unless the user has
/// set cpu.isa, and every segment must lie in a memory. Throws UserError, which names `path`.
void fit_program(ElfProgram& program, const std::string& path, MachineSettings& settings);

/// A Linux kernel with what boots it, in the machine's first memory, with the machine's device tree. Throws UserError.
ElfProgram place_linux(const std::string& kernel, const RunOptions::LinuxBoot& boot, const MachineSettings& settings);

/// Boots the program of `options` on a machine of these settings, prints the report on standard error and returns the
/// exit code. `ready` is called when program and settings have been accepted, before anything runs. Throws UserError;
/// nothing runs then. SystemC allows one call a process.
int run_machine(const RunOptions& options, MachineSettings& settings, const std::function<void()>& ready);

}  // namespace vp
