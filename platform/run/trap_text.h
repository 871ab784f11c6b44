#pragma once

#include <cstdint>
#include <string>

#include "models/cpu/core.h"
#include "platform/run/access_text.h"

namespace vp {

/// Whether the trap is a fetch, load or store that found nobody or was refused.
bool is_access_fault(const cpu::TrapRecord& trap);

/// A trap in one phrase: cause, pc with symbol, and for a bad access its address with the nearest device and register,
/// or with the size that a register refused. A jump to where nothing is also names the return address of the hart that
/// made it, since its pc says nothing. Ask while the hart is still at the trap.
std::string describe_trap(const cpu::TrapRecord& trap, const cpu::Core& hart, const AccessText& text);

/// The trap that ended a run. If it struck at the first instruction of a trap handler, the trap that led there is what
/// the user looks for: that one, and then why its handler could not run.
std::string describe_unhandled_trap(const cpu::Core& hart, const AccessText& text);

/// The program stored into its own code or constants.
std::string describe_read_only_store(const cpu::ReadOnlyStore& store, const AccessText& text);

}  // namespace vp
