#include "platform/machine/trap_text.h"

#include <array>

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

std::string describe_trap(const cpu::TrapRecord& trap, const SymbolTable& symbols, const Bus& bus) {
  std::string text = cause_text(trap) + " at pc " + describe_place(trap.pc, symbols);
  if (trap.interrupt) return text;
  if (is_access_fault(trap)) {
    const std::string nearest = bus.describe(trap.value);
    return text + ", address " + hexadecimal(trap.value) + (nearest.empty() ? "" : " (" + nearest + ")");
  }
  return text + ", mtval " + hexadecimal(trap.value);
}

}  // namespace vp
