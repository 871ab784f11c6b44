#include "models/cpu/trap_unit.h"

#include <utility>

#include "models/common/archive.h"

namespace vp::cpu {
namespace {

// A handler that traps itself, always at the same place, goes on for ever; nobody handles such a trap either.
constexpr unsigned kMostRepeatedTraps = 1000;

}  // namespace

/// What may be taken now. All for machine mode come before those that are delegated (privileged manual, 3.1.9).
template <typename Word>
Word TrapUnit<Word>::deliverable() const {
  const Word pending = s_.mip & s_.mie;
  const bool machine = s_.mode != Mode::kMachine || (s_.mstatus & kMstatusMie);
  if (const Word own = pending & ~s_.mideleg; machine && own != 0) return own;
  const bool supervisor = s_.mode == Mode::kUser || (s_.mode == Mode::kSupervisor && (s_.mstatus & kMstatusSie));
  return supervisor ? pending & s_.mideleg : 0;
}

/// Priorities: privileged manual, 3.1.9.
template <typename Word>
bool TrapUnit<Word>::take_interrupt() {
  const Word pending = deliverable();
  for (Interrupt interrupt :
       {Interrupt::machine_external, Interrupt::machine_software, Interrupt::machine_timer,
        Interrupt::supervisor_external, Interrupt::supervisor_software, Interrupt::supervisor_timer})
    if (pending >> static_cast<unsigned>(interrupt) & 1) return enter(true, static_cast<unsigned>(interrupt), 0);
  return true;
}

template <typename Word>
bool TrapUnit<Word>::take_fault() {
  return enter(false, static_cast<unsigned>(hart_.fault.cause), hart_.fault.value);
}

template <typename Word>
bool TrapUnit<Word>::enter(bool interrupt, unsigned cause, Word value) {
  const bool delegated = s_.mode != Mode::kMachine && ((interrupt ? s_.mideleg : s_.medeleg) >> cause & 1);
  const Mode target = delegated ? Mode::kSupervisor : Mode::kMachine;
  const Word vector = delegated ? s_.stvec : s_.mtvec;
  const Word base = vector & ~Word{3};
  const bool vectored = (vector & 3) == 1;
  const Word handler = vectored && interrupt ? base + 4 * cause : base;
  const bool again = !interrupt && !last_.interrupt && last_.cause == cause && last_.pc == s_.pc &&
                     last_.value == value && s_.mode == target;
  repeated_ = again ? repeated_ + 1 : 0;
  before_ = last_;
  last_ = {interrupt, cause, s_.pc, value, handler, s_.mode, s_.time, kNoPmpEntry, false};
  if (!interrupt) {
    last_.pmp = std::exchange(hart_.fault.refused_by, kNoPmpEntry);
    last_.misaligned = std::exchange(hart_.fault.misaligned, false);
  }
  ++(interrupt ? interrupts_ : exceptions_)[cause];
  if (hook_) hook_(last_);
  const bool known = delegated ? supervisor_handler_known_ : handler_known_;
  const bool own_first = !interrupt && s_.pc == handler && s_.mode == target;
  if (!known || own_first || repeated_ > kMostRepeatedTraps) return false;

  flow_.entered(interrupt, s_.pc, s_.x[2]);
  const Word code = static_cast<Word>(cause) | (interrupt ? Word{1} << (8 * sizeof(Word) - 1) : 0);
  delegated ? enter_supervisor(code, value) : enter_machine(code, value);
  s_.pc = handler;
  return true;
}

template <typename Word>
void TrapUnit<Word>::enter_machine(Word cause, Word value) {
  s_.mepc = s_.pc;
  s_.mcause = cause;
  s_.mtval = value;
  const Word mie = s_.mstatus & static_cast<Word>(kMstatusMie);
  s_.mstatus &= ~static_cast<Word>(kMstatusMie | kMstatusMpie | kMstatusMpp);
  if (mie) s_.mstatus |= static_cast<Word>(kMstatusMpie);
  s_.mstatus |= static_cast<Word>(s_.mode) << kMstatusMppShift;
  s_.mode = Mode::kMachine;
}

template <typename Word>
void TrapUnit<Word>::enter_supervisor(Word cause, Word value) {
  s_.sepc = s_.pc;
  s_.scause = cause;
  s_.stval = value;
  const Word sie = s_.mstatus & static_cast<Word>(kMstatusSie);
  s_.mstatus &= ~static_cast<Word>(kMstatusSie | kMstatusSpie | kMstatusSpp);
  if (sie) s_.mstatus |= static_cast<Word>(kMstatusSpie);
  if (s_.mode == Mode::kSupervisor) s_.mstatus |= static_cast<Word>(kMstatusSpp);
  s_.mode = Mode::kSupervisor;
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

/// sret (privileged manual, 3.1.6.1): likewise with SPP and SPIE, and always to less than machine mode.
template <typename Word>
void TrapUnit<Word>::return_from_supervisor() {
  const Mode mode = s_.mstatus & kMstatusSpp ? Mode::kSupervisor : Mode::kUser;
  const Word spie = s_.mstatus & static_cast<Word>(kMstatusSpie);
  s_.mstatus &= ~static_cast<Word>(kMstatusSie | kMstatusSpp | kMstatusMprv);
  if (spie) s_.mstatus |= static_cast<Word>(kMstatusSie);
  s_.mstatus |= static_cast<Word>(kMstatusSpie);
  s_.mode = mode;
  repeated_ = 0;
  s_.pc = s_.sepc;
  flow_.left(s_.pc);
}

template <typename Word>
void TrapUnit<Word>::persist_handler(Archive& archive) {
  archive("mtvec_written", handler_known_)("stvec_written", supervisor_handler_known_);
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
