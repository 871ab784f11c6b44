// What an AXI DMA does, for a person at a debugger.
#include "models/axidma/core.h"
#include "models/common/wording.h"

namespace vp::axidma {

std::vector<std::string> Core::work() const {
  const auto state = [this](Side side) -> std::string {
    const Channel& one = channels_[static_cast<unsigned>(side)];
    if (one.busy) return "a transfer is under way, ";
    if (one.registers.halted) return "halted, ";
    return "runs, without a transfer, ";
  };
  std::vector<std::string> lines;
  lines.push_back("MM2S: " + state(Side::mm2s) + counted(mm2s_.left_to_take(), "byte") +
                  " to be taken by the stream, " + counted(mm2s_.available(), "byte") + " of them here");
  lines.push_back("S2MM: " + state(Side::s2mm) +
                  (s2mm_.under_way() ? "room for " + counted(s2mm_.room(), "byte") + " more" : "takes nothing"));
  if (reset_end_) lines.push_back("a soft reset is under way");
  return lines;
}

}  // namespace vp::axidma
