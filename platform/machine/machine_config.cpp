#include "platform/machine/machine_config.h"

namespace vp {

void MachineConfig::declare(ParameterTable& table) {
  const ParameterGroup root(table);
  cpu.declare(root.group("cpu"));
  tpu.declare(root.group("tpu"));
}

}  // namespace vp
