#include "models/tensil/config.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "models/common/error.h"

namespace vp::tensil {

void TensilConfig::set_architecture(const Architecture& made) {
  architecture = made;
  for (const Preset& preset : presets())
    if (difference(preset.architecture, made).empty()) axi_width = preset.axi_width;
  axi_width = std::clamp(std::min(axi_width, made.vector_bytes() * 8), 32u, 1024u);
}

void TensilConfig::take_architecture(const std::string& text) {
  arch = text == "none" ? "" : text;
  if (arch.empty()) return;
  for (const Preset& preset : presets())
    if (text == preset.name) return set_architecture(preset.architecture);
  std::ifstream file(text);
  if (!file)
    throw UserError("'" + text.substr(0, 80) + "' is neither a board of Tensil's nor a .tarch file that can be read");
  std::ostringstream content;
  content << file.rdbuf();
  set_architecture(parse_architecture(content.str(), text));
}

void TensilConfig::declare(const ParameterGroup& group) {
  declare_in_machine(group);
  group.integer("read_latency", read_latency, 0, 100'000, "cycles", "of DRAM reads beyond memory that never waits");
  group.integer("write_latency", write_latency, 0, 100'000, "cycles", "of DRAM write responses, likewise");
}

void TensilConfig::declare_in_machine(const ParameterGroup& group) {
  architecture.declare(group);
  group.choice("encoding", encoding, {{"v1", Encoding::v1}, {"v2", Encoding::v2}},
               "v1: 4-bit opcode and NoOp; v2: thread id, 3-bit opcode and Wait");
  group.choice("on_error", on_error, {{"stop", OnError::stop}, {"hardware", OnError::hardware}},
               "an illegal instruction or an address beyond a memory ends the run, or does what the hardware does");
  group.integer("axi_width", axi_width, 32, 1024, "bits", "width of the DRAM ports");
  group.clock("clock", clock_period, "clock of the TCU");
}

void TensilConfig::check(const std::string& part) const {
  architecture.check(part);
  if ((axi_width & (axi_width - 1)) != 0)
    throw UserError(part + ".axi_width is " + std::to_string(axi_width) + ", but must be a power of two");
  if (architecture.vector_bytes() * 8 % axi_width != 0)
    throw UserError(part + ".axi_width is " + std::to_string(axi_width) + ", but a vector of " +
                    std::to_string(architecture.vector_bytes() * 8) + " bits is no whole number of such beats");
}

}  // namespace vp::tensil
