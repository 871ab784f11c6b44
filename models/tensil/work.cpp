// What waits in a TCU and what it does, for a person at a debugger.
#include "models/common/wording.h"
#include "models/tensil/asm.h"
#include "models/tensil/sequencer.h"

namespace vp::tensil {

std::vector<std::string> Sequencer::work(Picoseconds now) const {
  std::vector<std::string> lines;
  lines.push_back(counted(core_.figures().instructions, "instruction") + " executed" +
                  (ended() > now ? "; computed ahead, to cycle " + std::to_string(core_.timing().cycles()) : ""));
  if (core_.stopped())
    lines.push_back("stopped at program counter " + std::to_string(core_.stopped()->program_counter) + ": " +
                    core_.stopped()->reason);
  if (next_) lines.push_back("waits for a transfer: " + disassemble(core_.layout(), *next_));
  lines.push_back("instruction stream: " + counted(bytes_.size(), "byte") + " of the next instruction, " +
                  counted(source_ == nullptr ? 0 : source_->available(), "byte") + " more to be taken" +
                  (source_ != nullptr && source_->active() ? ", a transfer brings them" : ""));
  for (unsigned number = 0; number < 2; ++number) {
    const DramMove* const move = ports_[number].current();
    lines.push_back("dram" + std::to_string(number) + ": " +
                    (move != nullptr
                         ? disassemble(core_.layout(), move->instruction) + ", " + counted(move->bytes.size(), "byte")
                     : ports_[number].responses_missing() ? "write responses missing"
                                                          : "free"));
  }
  return lines;
}

}  // namespace vp::tensil
