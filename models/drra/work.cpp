#include "models/drra/work.h"

#include "models/common/wording.h"

namespace vp::drra {

std::vector<std::string> work_of(const Core& fabric) {
  std::vector<std::string> lines = {"cycle " + std::to_string(fabric.cycle()) + ": " +
                                    (fabric.done() ? "nothing runs" : "runs")};
  for (unsigned index = 0; index < fabric.cells(); ++index) {
    const Cell& cell = fabric.cell(index);
    if (!cell.live) continue;
    const std::string name = "cell " + std::to_string(cell.row) + "." + std::to_string(cell.column) + ": ";
    const Cycle next = cell.sequencer.next();
    if (next == kNever)
      lines.push_back(name + "its sequencer rests, streams go on");
    else
      lines.push_back(name + "at " + std::to_string(cell.sequencer.pc()) + ", " + to_text(cell.sequencer.current()) +
                      (next > fabric.cycle() + 1 ? ", in " + counted(next - fabric.cycle(), "cycle") : ""));
  }
  return lines;
}

}  // namespace vp::drra
