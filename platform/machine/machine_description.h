#pragma once

#include "models/bootrom/device_tree.h"
#include "platform/machine/machine_config.h"

namespace vp {

/// What the device tree tells the guest about a machine of this configuration.
MachineDescription describe_machine(const MachineConfig& config);

}  // namespace vp
