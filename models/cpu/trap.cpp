#include <utility>

#include "models/cpu/hart.h"

namespace vp::cpu {
namespace {

// A handler that traps itself, always at the same place, goes on for ever; nobody handles such a trap either.
constexpr unsigned kMostRepeatedTraps = 1000;

}  // namespace

/// An interrupt is pending, enabled, and not masked: machine mode looks at mstatus.MIE, user mode is always
/// interruptible.
template <typename Word>
bool Hart<Word>::interrupt_ready() const {
  return (s_.mip & s_.mie) != 0 && (s_.mode != Mode::kMachine || (s_.mstatus & kMstatusMie));
}

/// Takes the pending interrupt of the highest priority (privileged manual, 3.1.9: external, software, timer).
template <typename Word>
bool Hart<Word>::take_interrupt() {
  const Word pending = s_.mip & s_.mie;
  for (Interrupt interrupt : {Interrupt::machine_external, Interrupt::machine_software, Interrupt::machine_timer})
    if (pending >> static_cast<unsigned>(interrupt) & 1) return enter_trap(true, static_cast<unsigned>(interrupt), 0);
  return true;
}

template <typename Word>
bool Hart<Word>::take_trap() {
  return enter_trap(false, static_cast<unsigned>(trap_.cause), trap_.value);
}

/// Enters the handler. False if there is none that could do anything: mtvec was never written, or the trap is the
/// handler's own first instruction (or its fetch), which would trap forever, or the same exception has come again and
/// again without any return from a trap.
template <typename Word>
bool Hart<Word>::enter_trap(bool interrupt, unsigned cause, Word value) {
  const Word base = s_.mtvec & ~Word{3};
  const bool vectored = (s_.mtvec & 3) == 1;
  const Word handler = vectored && interrupt ? base + 4 * cause : base;
  const bool again = !interrupt && !last_trap_.interrupt && last_trap_.cause == cause && last_trap_.pc == s_.pc &&
                     last_trap_.value == value && s_.mode == Mode::kMachine;
  repeated_traps_ = again ? repeated_traps_ + 1 : 0;
  trap_before_ = last_trap_;
  last_trap_ = {interrupt, cause, s_.pc, value, handler, s_.mode, s_.time, kNoPmpEntry, false};
  if (!interrupt) {
    last_trap_.pmp = std::exchange(refused_by_, kNoPmpEntry);
    last_trap_.misaligned = std::exchange(misaligned_, false);
  }
  ++(interrupt ? interrupts_taken_ : exceptions_taken_)[cause];
  if (hooks_.trap) hooks_.trap(last_trap_);
  if (!mtvec_written_ || (!interrupt && s_.pc == handler) || repeated_traps_ > kMostRepeatedTraps) return false;

  link_ = nullptr;
  s_.mepc = s_.pc;
  s_.mcause = static_cast<Word>(cause) | (interrupt ? Word{1} << (kXlen - 1) : 0);
  s_.mtval = value;
  const Word mie = s_.mstatus & static_cast<Word>(kMstatusMie);
  s_.mstatus &= ~static_cast<Word>(kMstatusMie | kMstatusMpie | kMstatusMpp);
  if (mie) s_.mstatus |= static_cast<Word>(kMstatusMpie);
  s_.mstatus |= static_cast<Word>(s_.mode) << kMstatusMppShift;
  s_.mode = Mode::kMachine;
  s_.pc = handler;
  use_tlb_of_mode();
  return true;
}

/// mret (privileged manual, 3.1.6.1): back to the mode in MPP with MPIE restored; leaving machine mode ends MPRV.
template <typename Word>
void Hart<Word>::return_from_machine() {
  const auto mode = static_cast<Mode>(s_.mstatus >> kMstatusMppShift & 3);
  const Word mpie = s_.mstatus & static_cast<Word>(kMstatusMpie);
  s_.mstatus &= ~static_cast<Word>(kMstatusMie | kMstatusMpp);
  if (mpie) s_.mstatus |= static_cast<Word>(kMstatusMie);
  s_.mstatus |= static_cast<Word>(kMstatusMpie);
  if (mode != Mode::kMachine) s_.mstatus &= ~static_cast<Word>(kMstatusMprv);
  s_.mode = mode;
  repeated_traps_ = 0;
  s_.pc = s_.mepc;
  use_tlb_of_mode();
}

template class Hart<std::uint32_t>;
template class Hart<std::uint64_t>;

}  // namespace vp::cpu
