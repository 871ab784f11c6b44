// What waits in a tinyTPU's queues and what its units do, for a person at a debugger.
#include <algorithm>

#include "models/common/wording.h"
#include "models/tinytpu/asm.h"
#include "models/tinytpu/device.h"

namespace vp::tinytpu {

std::vector<std::string> TinyTpuDevice::work(Picoseconds now) {
  core_.advance_to(clock_.edge_at_or_before(now));
  const Sequencer& sequencer = core_.sequencer();
  const Edge next = sequencer.next_edge();
  std::vector<std::string> lines;
  unsigned waiting = core_.config().fifo_depth;
  for (unsigned lane = 0; lane < 3; ++lane) waiting = std::min(waiting, sequencer.fill(lane));
  lines.push_back("cycle " + std::to_string(next) + "; FIFO: " + std::to_string(waiting) + " of " +
                  counted(core_.config().fifo_depth, "instruction"));
  for (unsigned lane = 0; lane < 3; ++lane)
    if (const unsigned extra = sequencer.fill(lane) - waiting; extra != 0)
      lines.push_back("lane " + std::to_string(lane) + " has " + counted(extra, "word") + " without the others");
  for (const Sequencer::Inside& one : sequencer.inside())
    lines.push_back("#" + std::to_string(one.number) + " in the " + one.place + ": " + disassemble(one.instruction));
  if (const auto wait = sequencer.held() ? std::optional(Wait::successor) : sequencer.waits_for())
    lines.push_back("held up: " + std::string(meaning_of(*wait)));
  for (unsigned unit = 0; unit < kUnits; ++unit) {
    const Edge free = sequencer.free_from(static_cast<Unit>(unit));
    lines.push_back(std::string(meaning_of(static_cast<Unit>(unit))) + ": " +
                    (free > next ? "busy for " + counted(free - next, "cycle") : "free"));
  }
  return lines;
}

}  // namespace vp::tinytpu
