#pragma once

#include <cstdint>

#include "models/cpu/access_watch.h"
#include "models/cpu/code_store.h"
#include "models/cpu/debug_points.h"
#include "models/cpu/hart_context.h"
#include "models/cpu/stop_control.h"
#include "models/cpu/trap_unit.h"

namespace vp::cpu {

/// Where a hart stops for a debugger: before instructions, and behind single steps. The executor knows nothing of it:
/// the code store ends blocks before what stops the hart, so that the run loop comes by there.
template <typename Word>
class DebugUnit {
 public:
  DebugUnit(HartContext<Word>& hart, CodeStore<Word>& code, const TrapUnit<Word>& traps, StopControl& stop)
      : hart_(hart), code_(code), traps_(traps), stop_(stop) {}

  /// nullptr: there is no debugger.
  void set_points(const DebugPoints* points) {
    points_ = points;
    code_.set_points(points);
  }
  bool active() const { return points_ != nullptr; }
  /// The debugger lets the hart go on, by one instruction or one trap (`step`) or until something stops it. The
  /// instruction at which it stopped is not one to stop at again, unless the debugger has moved pc there.
  void resume(bool step);
  void pc_moved() { pc_moved_ = true; }

  /// Before an instruction, and behind the entry of an interrupt: whether the hart is to stop here. Then the reason has
  /// been given.
  bool holds();
  /// Where the hart goes on from a breakpoint, and in a step: one instruction, by a block that is not found otherwise.
  bool one_instruction() const { return stepping_ || progress() == resumed_at_; }
  /// Instructions have been executed, or not.
  void ran();

 private:
  std::uint64_t progress() const;
  bool stop(DebugStop::Reason reason);

  HartContext<Word>& hart_;
  CodeStore<Word>& code_;
  const TrapUnit<Word>& traps_;
  StopControl& stop_;
  const DebugPoints* points_ = nullptr;
  bool stepping_ = false;
  std::uint64_t resumed_at_ = ~std::uint64_t{0};  ///< progress() when the debugger let the hart go on
  Word resumed_pc_ = 0;
  bool pc_moved_ = false;
};

}  // namespace vp::cpu
