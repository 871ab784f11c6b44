#include "models/tensil/config.h"

#include <algorithm>

#include "models/common/error.h"

namespace vp::tensil {

void TensilConfig::set_architecture(const Architecture& made) {
  architecture = made;
  for (const Preset& preset : presets())
    if (difference(preset.architecture, made).empty()) axi_width = preset.axi_width;
  axi_width = std::clamp(std::min(axi_width, made.vector_bytes() * 8), 32u, 1024u);
}

void TensilConfig::declare(const ParameterGroup& group) {
  architecture.declare(group);
  group.choice("encoding", encoding, {{"v1", Encoding::v1}, {"v2", Encoding::v2}},
               "v1: 4-bit opcode and NoOp; v2: thread id, 3-bit opcode and Wait");
  group.choice("on_error", on_error, {{"stop", OnError::stop}, {"hardware", OnError::hardware}},
               "an illegal instruction or an address beyond a memory ends the run, or does what the hardware does");
  group.integer("axi_width", axi_width, 32, 1024, "bits", "width of the DRAM ports");
  group.clock("clock", clock_period, "clock of the TCU");
  group.integer("read_latency", read_latency, 0, 100'000, "cycles", "of DRAM reads beyond memory that never waits");
  group.integer("write_latency", write_latency, 0, 100'000, "cycles", "of DRAM write responses, likewise");
}

void TensilConfig::check() const {
  architecture.check("tensil");
  if ((axi_width & (axi_width - 1)) != 0)
    throw UserError("tensil.axi_width is " + std::to_string(axi_width) + ", but must be a power of two");
  if (architecture.vector_bytes() * 8 % axi_width != 0)
    throw UserError("tensil.axi_width is " + std::to_string(axi_width) + ", but a vector of " +
                    std::to_string(architecture.vector_bytes() * 8) + " bits is no whole number of such beats");
}

}  // namespace vp::tensil
