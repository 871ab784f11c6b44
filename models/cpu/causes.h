#pragma once

#include <cstdint>
#include <string>

// Causes of traps as lists, for the hart, its figures, the trace and the texts of traps alike. Source: RISC-V
// privileged manual 20211203, table 3.6.

/// X(name, code in mcause, text)
#define VP_CPU_EXCEPTIONS(X)                                           \
  X(instruction_misaligned, 0, "instruction address misaligned")       \
  X(instruction_access_fault, 1, "instruction access fault")           \
  X(illegal_instruction, 2, "illegal instruction")                     \
  X(breakpoint, 3, "breakpoint")                                       \
  X(load_misaligned, 4, "load address misaligned")                     \
  X(load_access_fault, 5, "load access fault")                         \
  X(store_misaligned, 6, "store address misaligned")                   \
  X(store_access_fault, 7, "store access fault")                       \
  X(ecall_from_user, 8, "environment call from user mode")             \
  X(ecall_from_supervisor, 9, "environment call from supervisor mode") \
  X(ecall_from_machine, 11, "environment call from machine mode")      \
  X(instruction_page_fault, 12, "instruction page fault")              \
  X(load_page_fault, 13, "load page fault")                            \
  X(store_page_fault, 15, "store page fault")

/// X(name, code in mcause and bit in mip and mie, text)
#define VP_CPU_INTERRUPTS(X)                                 \
  X(supervisor_software, 1, "supervisor software interrupt") \
  X(machine_software, 3, "software interrupt")               \
  X(supervisor_timer, 5, "supervisor timer interrupt")       \
  X(machine_timer, 7, "timer interrupt")                     \
  X(supervisor_external, 9, "supervisor external interrupt") \
  X(machine_external, 11, "external interrupt")

namespace vp::cpu {

enum class Cause : unsigned {
#define X(name, code, text) name = code,
  VP_CPU_EXCEPTIONS(X)
#undef X
};

enum class Interrupt : unsigned {
#define X(name, code, text) name = code,
  VP_CPU_INTERRUPTS(X)
#undef X
};

/// Codes of either are below this.
inline constexpr unsigned kCauses = 16;

/// "load_access_fault"; empty for a code that is none.
std::string exception_name(unsigned code);
/// "supervisor_timer_interrupt"
std::string interrupt_name(Interrupt interrupt);
/// "load access fault", "timer interrupt"; "exception 10", "interrupt 2" for a code that is none.
std::string cause_text(bool interrupt, unsigned code);

}  // namespace vp::cpu
