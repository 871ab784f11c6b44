// Traps: interrupts go to connected handlers, exceptions end the program with a report, unless the program expects
// them.
#ifndef FIRMWARE_BOARD_TRAP_H
#define FIRMWARE_BOARD_TRAP_H

#include <stdbool.h>
#include <stdint.h>

typedef void (*interrupt_handler)(void* context);

enum {
  CAUSE_INSTRUCTION_MISALIGNED = 0,
  CAUSE_INSTRUCTION_ACCESS = 1,
  CAUSE_ILLEGAL_INSTRUCTION = 2,
  CAUSE_BREAKPOINT = 3,
  CAUSE_LOAD_MISALIGNED = 4,
  CAUSE_LOAD_ACCESS = 5,
  CAUSE_STORE_MISALIGNED = 6,
  CAUSE_STORE_ACCESS = 7,
  CAUSE_ECALL_USER = 8,
  CAUSE_ECALL_SUPERVISOR = 9,
  CAUSE_ECALL_MACHINE = 11,
  CAUSE_INSTRUCTION_PAGE = 12,
  CAUSE_LOAD_PAGE = 13,
  CAUSE_STORE_PAGE = 15,
};

// As trap_entry in start.S saves it.
struct trap_frame {
  uintptr_t pc;
  uintptr_t x1_to_x31[31];
};

// What an expected exception was.
struct trap_record {
  bool taken;
  uintptr_t cause, pc, value;  // mcause, mepc, mtval
};

// Runs action(argument); the first exception in it that is not an interrupt skips its instruction and is written down.
// A second one is reported as unexpected.
struct trap_record trap_expect(void (*action)(void* argument), void* argument);

// Handlers of the timer and software interrupt of the hart (INTERRUPT_TIMER, INTERRUPT_SOFTWARE; the external one
// belongs to plic.h). The handler has to take the cause away.
void trap_connect(unsigned interrupt, interrupt_handler handler, void* context);
// Disables that interrupt in mie.
void trap_disconnect(unsigned interrupt);

#endif
