#include "platform/run/trap_text.h"

#include "models/common/wording.h"

namespace vp {

namespace {

/// Who refused it where nobody on the bus was asked.
std::string protection(const cpu::TrapRecord& trap) {
  if (trap.pmp == cpu::kNoPmpEntry) return "";
  if (trap.pmp < cpu::kPmpEntries) return "refused by PMP entry " + std::to_string(trap.pmp);
  return "refused by PMP: not machine mode, and no entry matches";
}

}  // namespace

bool is_access_fault(const cpu::TrapRecord& trap) {
  using cpu::Cause;
  if (trap.interrupt) return false;
  for (const Cause fault : {Cause::instruction_access_fault, Cause::load_access_fault, Cause::store_access_fault})
    if (trap.cause == static_cast<unsigned>(fault)) return true;
  return false;
}

std::string describe_trap(const cpu::TrapRecord& trap, const cpu::Core& hart, const AccessText& text) {
  std::string sentence = cpu::cause_text(trap.interrupt, trap.cause) + " at pc " + text.place(trap.pc);
  if (trap.interrupt) return sentence;
  if (!is_access_fault(trap)) return sentence + ", mtval " + hexadecimal(trap.value);
  sentence += ", address " + hexadecimal(trap.value);
  if (const std::string refusal = protection(trap); !refusal.empty()) return sentence + " (" + refusal + ")";
  const std::string nearest = text.address(trap.value);
  const std::string refusal = trap.misaligned ? "; the access is not aligned" : text.refusal(trap.value);
  if (!nearest.empty()) sentence += " (" + nearest + refusal + ")";
  constexpr unsigned kReturnAddress = 1;
  if (trap.pc == trap.value && !text.has_symbol(trap.pc))
    sentence += ", return address " + text.place(hart.x(kReturnAddress));
  return sentence;
}

std::string describe_unhandled_trap(const cpu::Core& hart, const AccessText& text) {
  const cpu::TrapRecord& last = hart.last_trap();
  const cpu::TrapRecord& before = hart.trap_before();
  const bool in_its_handler = last.pc == last.handler && before.handler == last.pc && before.pc != last.pc;
  if (!in_its_handler) return describe_trap(last, hart, text);
  return describe_trap(before, hart, text) + "; its handler at " + text.place(last.pc) +
         " cannot run: " + describe_trap(last, hart, text);
}

std::string describe_read_only_store(const cpu::ReadOnlyStore& store, const AccessText& text) {
  return "store of " + counted(store.size, "byte") + " at pc " + text.place(store.pc) +
         " into code or constants of the program, address " + text.place(store.address) +
         "; further stores into them are not listed";
}

}  // namespace vp
