#pragma once

#include <cstdint>
#include <string>

#include "models/bus/bus.h"
#include "models/cpu/core.h"
#include "platform/loader/symbol_table.h"

namespace vp {

/// "0x80000012 (main+0x12)", without symbol where none covers the address.
std::string describe_place(std::uint64_t pc, const SymbolTable& symbols);

/// Whether the trap is a fetch, load or store that found nobody or was refused.
bool is_access_fault(const cpu::TrapRecord& trap);

/// A trap in one phrase: cause, pc with symbol, and for a bad access its address with the nearest device and register.
std::string describe_trap(const cpu::TrapRecord& trap, const SymbolTable& symbols, const Bus& bus);

}  // namespace vp
