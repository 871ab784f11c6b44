#pragma once

#include "models/common/parameters.h"
#include "models/cpu/config.h"
#include "models/tinytpu/config.h"

namespace vp {

/// Everything the machine is built from, with the defaults of the architecture's memory map.
struct MachineConfig {
  cpu::CpuConfig cpu;
  tinytpu::TinyTpuConfig tpu;

  /// Declares all parameters; they are bound to this object.
  void declare(ParameterTable& table);
};

/// A machine's configuration together with its parameters by name. Neither copied nor moved, since the table refers to
/// the configuration.
struct MachineSettings {
  MachineConfig config;
  ParameterTable table;

  MachineSettings() { config.declare(table); }
  MachineSettings(const MachineSettings&) = delete;
  MachineSettings& operator=(const MachineSettings&) = delete;
};

}  // namespace vp
