#include "models/cpu/trap_unit.h"

#include <utility>

#include "models/common/archive.h"

namespace vp::cpu {
namespace {

// A handler that traps itself, always at the same place, goes on for ever; nobody handles such a trap either.
constexpr unsigned kMostRepeatedTraps = 1000;

}  // namespace

/// Priorities: privileged manual, 3.1.9.
template <typename Word>
bool TrapUnit<Word>::take_interrupt() {
  const Word pending = s_.mip & s_.mie;
  for (Interrupt interrupt : {Interrupt::machine_external, Interrupt::machine_software, Interrupt::machine_timer})
    if (pending >> static_cast<unsigned>(interrupt) & 1) return enter(true, static_cast<unsigned>(interrupt), 0);
  return true;
}

template <typename Word>
bool TrapUnit<Word>::take_fault() {
  return enter(false, static_cast<unsigned>(hart_.fault.cause), hart_.fault.value);
}

template <typename Word>
bool TrapUnit<Word>::enter(bool interrupt, unsigned cause, Word value) {
  const Word base = s_.mtvec & ~Word{3};
  const bool vectored = (s_.mtvec & 3) == 1;
  const Word handler = vectored && interrupt ? base + 4 * cause : base;
  const bool again = !interrupt && !last_.interrupt && last_.cause == cause && last_.pc == s_.pc &&
                     last_.value == value && s_.mode == Mode::kMachine;
  repeated_ = again ? repeated_ + 1 : 0;
  before_ = last_;
  last_ = {interrupt, cause, s_.pc, value, handler, s_.mode, s_.time, kNoPmpEntry, false};
  if (!interrupt) {
    last_.pmp = std::exchange(hart_.fault.refused_by, kNoPmpEntry);
    last_.misaligned = std::exchange(hart_.fault.misaligned, false);
  }
  ++(interrupt ? interrupts_ : exceptions_)[cause];
  if (hook_) hook_(last_);
  if (!handler_known_ || (!interrupt && s_.pc == handler) || repeated_ > kMostRepeatedTraps) return false;

  flow_.entered(interrupt, s_.pc, s_.x[2]);
  s_.mepc = s_.pc;
  s_.mcause = static_cast<Word>(cause) | (interrupt ? Word{1} << (8 * sizeof(Word) - 1) : 0);
  s_.mtval = value;
  const Word mie = s_.mstatus & static_cast<Word>(kMstatusMie);
  s_.mstatus &= ~static_cast<Word>(kMstatusMie | kMstatusMpie | kMstatusMpp);
  if (mie) s_.mstatus |= static_cast<Word>(kMstatusMpie);
  s_.mstatus |= static_cast<Word>(s_.mode) << kMstatusMppShift;
  s_.mode = Mode::kMachine;
  s_.pc = handler;
  return true;
}

/// mret (privileged manual, 3.1.6.1): back to the mode in MPP with MPIE restored; leaving machine mode ends MPRV.
template <typename Word>
void TrapUnit<Word>::return_from_machine() {
  const auto mode = static_cast<Mode>(s_.mstatus >> kMstatusMppShift & 3);
  const Word mpie = s_.mstatus & static_cast<Word>(kMstatusMpie);
  s_.mstatus &= ~static_cast<Word>(kMstatusMie | kMstatusMpp);
  if (mpie) s_.mstatus |= static_cast<Word>(kMstatusMie);
  s_.mstatus |= static_cast<Word>(kMstatusMpie);
  if (mode != Mode::kMachine) s_.mstatus &= ~static_cast<Word>(kMstatusMprv);
  s_.mode = mode;
  repeated_ = 0;
  s_.pc = s_.mepc;
  flow_.left(s_.pc);
}

template <typename Word>
void TrapUnit<Word>::persist_handler(Archive& archive) {
  archive("mtvec_written", handler_known_);
}

template <typename Word>
void TrapUnit<Word>::persist_records(Archive& archive) {
  archive("last_trap", last_)("trap_before", before_)("repeated_traps", repeated_);
}

template <typename Word>
void TrapUnit<Word>::persist_counts(Archive& archive) {
  archive("exceptions_taken", exceptions_)("interrupts_taken", interrupts_);
}

template class TrapUnit<std::uint32_t>;
template class TrapUnit<std::uint64_t>;

}  // namespace vp::cpu
