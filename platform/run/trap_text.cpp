#include "platform/run/trap_text.h"

#include <array>

#include "models/common/wording.h"

namespace vp {

namespace {

constexpr std::array<const char*, 12> kExceptions = {"instruction address misaligned",
                                                     "instruction access fault",
                                                     "illegal instruction",
                                                     "breakpoint",
                                                     "load address misaligned",
                                                     "load access fault",
                                                     "store address misaligned",
                                                     "store access fault",
                                                     "environment call from user mode",
                                                     nullptr,
                                                     nullptr,
                                                     "environment call from machine mode"};

std::string cause_text(const cpu::TrapRecord& trap) {
  if (trap.interrupt) return "interrupt " + std::to_string(trap.cause);
  const char* name = trap.cause < kExceptions.size() ? kExceptions[trap.cause] : nullptr;
  return name ? name : "exception " + std::to_string(trap.cause);
}

/// "; a read of 1 byte was refused" for an access that a device has refused.
std::string refused_size(const cpu::TrapRecord& trap, const Bus& bus) {
  const BadAccess* bad = bus.last_bad_access();
  if (!bad || bad->address != trap.value || bus.map().find(trap.value, 1) == AddressMap::kNone) return "";
  return std::string("; a ") + (bad->write ? "write" : "read") + " of " + counted(bad->size, "byte") + " was refused";
}

}  // namespace

std::string describe_place(std::uint64_t pc, const SymbolTable& symbols) {
  const std::string symbol = symbols.describe(pc);
  return hexadecimal(pc) + (symbol.empty() ? "" : " (" + symbol + ")");
}

bool is_access_fault(const cpu::TrapRecord& trap) {
  using cpu::Cause;
  if (trap.interrupt) return false;
  for (const Cause fault : {Cause::kFetchAccessFault, Cause::kLoadAccessFault, Cause::kStoreAccessFault})
    if (trap.cause == static_cast<unsigned>(fault)) return true;
  return false;
}

std::string describe_trap(const cpu::TrapRecord& trap, const cpu::Core& hart, const SymbolTable& symbols,
                          const Bus& bus) {
  std::string text = cause_text(trap) + " at pc " + describe_place(trap.pc, symbols);
  if (trap.interrupt) return text;
  if (!is_access_fault(trap)) return text + ", mtval " + hexadecimal(trap.value);
  text += ", address " + hexadecimal(trap.value);
  const std::string nearest = bus.describe(trap.value);
  if (!nearest.empty()) text += " (" + nearest + refused_size(trap, bus) + ")";
  constexpr unsigned kReturnAddress = 1;
  if (trap.pc == trap.value && symbols.describe(trap.pc).empty())
    text += ", return address " + describe_place(hart.x(kReturnAddress), symbols);
  return text;
}

std::string describe_unhandled_trap(const cpu::Core& hart, const SymbolTable& symbols, const Bus& bus) {
  const cpu::TrapRecord& last = hart.last_trap();
  const cpu::TrapRecord& before = hart.trap_before();
  const bool in_its_handler = last.pc == last.handler && before.handler == last.pc && before.pc != last.pc;
  if (!in_its_handler) return describe_trap(last, hart, symbols, bus);
  return describe_trap(before, hart, symbols, bus) + "; its handler at " + describe_place(last.pc, symbols) +
         " cannot run: " + describe_trap(last, hart, symbols, bus);
}

}  // namespace vp
