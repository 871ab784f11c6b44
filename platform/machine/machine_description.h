#pragma once

#include "models/common/device_tree.h"
#include "platform/machine/machine_config.h"

namespace vp {

/// The device tree of a machine of this configuration.
DeviceTreeNode describe_machine(const MachineConfig& config);

}  // namespace vp
