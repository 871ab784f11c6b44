#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "models/cpu/handler_flow.h"
#include "models/cpu/hart_context.h"

namespace vp {
class Archive;
}

namespace vp::cpu {

/// Interrupts and exceptions: when they are taken, what entering a handler and leaving it does, and what has been
/// taken.
template <typename Word>
class TrapUnit {
 public:
  TrapUnit(HartContext<Word>& hart, HandlerFlow& flow) : hart_(hart), s_(hart.state), flow_(flow) {}

  void set_hook(std::function<void(const TrapRecord&)> hook) { hook_ = std::move(hook); }
  void reset() { handler_known_ = supervisor_handler_known_ = false; }
  /// mtvec (stvec) has been written.
  void set_handler_known(Mode mode) { (mode == Mode::kMachine ? handler_known_ : supervisor_handler_known_) = true; }

  /// An interrupt is pending, enabled, and not masked: a mode looks at its own bit in mstatus, and is always
  /// interruptible by a higher one, never by a lower one.
  bool interrupt_ready() const { return (s_.mip & s_.mie) != 0 && deliverable() != 0; }
  /// Enters the handler of the pending interrupt of the highest priority, or of the fault that the hart's instruction
  /// ended in. False if there is none that could do anything: mtvec was (stvec, of what is delegated) was never
  /// written, or the trap is the handler's own first instruction (or its fetch), which would trap forever, or the same
  /// exception has come again and again without any return from a trap.
  bool take_interrupt();
  bool take_fault();
  /// mret, sret.
  void return_from_machine();
  void return_from_supervisor();

  const TrapRecord& last() const { return last_; }
  const TrapRecord& before() const { return before_; }
  const std::array<std::uint64_t, kCauses>& exceptions() const { return exceptions_; }
  const std::array<std::uint64_t, kCauses>& interrupts() const { return interrupts_; }

  // Apart, as they stand at different places of a saved state.
  void persist_handler(Archive& archive);
  void persist_records(Archive& archive);
  void persist_counts(Archive& archive);

 private:
  Word deliverable() const;
  bool enter(bool interrupt, unsigned cause, Word value);
  void enter_machine(Word cause, Word value);
  void enter_supervisor(Word cause, Word value);

  HartContext<Word>& hart_;
  State<Word>& s_;
  HandlerFlow& flow_;
  std::function<void(const TrapRecord&)> hook_;
  bool handler_known_ = false;
  bool supervisor_handler_known_ = false;
  TrapRecord last_;
  TrapRecord before_;
  unsigned repeated_ = 0;  ///< times the last trap has come again, without a return in between
  std::array<std::uint64_t, kCauses> exceptions_{};
  std::array<std::uint64_t, kCauses> interrupts_{};
};

}  // namespace vp::cpu
