#pragma once

#include <iosfwd>

#include "models/tensil/model_file.h"
#include "platform/board/machine_settings.h"
#include "platform/run/tensil_run.h"

namespace vp {

/// Runs a compiled network on a TCU of a machine, in the CPU's place: the CPUs of the machine are left out, and what
/// Tensil's driver does by registers and memory is done by the host, in no simulated time. The instructions come
/// through the DMA engine that leads to the first TCU, data over the bus; the end of a frame is its probe in DRAM0.
/// Prints as run_tensil_model() does. Returns the exit code; throws UserError: no TCU, no engine or no memory for it,
/// another architecture than the model's.
int run_tensil_machine(const TensilRunOptions& options, const tensil::Model& model, MachineSettings& settings,
                       std::ostream& out);

/// Leaves the CPUs out. Throws UserError.
void leave_processors_out(MachineSettings& settings);

}  // namespace vp
