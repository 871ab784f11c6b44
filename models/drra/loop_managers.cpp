#include "models/drra/loop_managers.h"

namespace vp::drra {

void LoopManagers::arm(unsigned loop, unsigned body, unsigned end, unsigned count, int start, int step, Raccu& raccu) {
  if (!loops_[loop].active) ++active_;
  loops_[loop] = {true, body, end, count, step};
  raccu.write(iterator_register(loop), start);
}

std::optional<unsigned> LoopManagers::end_of_body(unsigned pc, Raccu& raccu) {
  if (active_ == 0) return std::nullopt;
  for (unsigned number = kLoops; number-- > 0;) {
    Loop& loop = loops_[number];
    if (!loop.active) continue;
    // An outer loop takes its step only together with all inner ones.
    if (loop.end != pc) return std::nullopt;
    const unsigned iterator = iterator_register(number);
    if (loop.left > 1) {
      --loop.left;
      raccu.write(iterator, raccu[iterator] + loop.step);
      return loop.body;
    }
    loop.active = false;
    --active_;
    raccu.write(iterator, 0);
  }
  return std::nullopt;
}

}  // namespace vp::drra
