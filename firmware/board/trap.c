#include "firmware/board/trap.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "firmware/board/board.h"
#include "firmware/board/cpu.h"
#include "firmware/board/stack.h"

static struct {
  interrupt_handler handler;
  void* context;
} connections[16];

static struct trap_record* expected;  // where the next exception is written down; NULL: none is expected

void trap_connect(unsigned interrupt, interrupt_handler handler, void* context) {
  CSR_CLEAR(mie, (uintptr_t)1 << interrupt);
  connections[interrupt].handler = handler;
  connections[interrupt].context = context;
  CSR_SET(mie, (uintptr_t)1 << interrupt);
}

void trap_disconnect(unsigned interrupt) {
  CSR_CLEAR(mie, (uintptr_t)1 << interrupt);
  connections[interrupt].handler = NULL;
}

struct trap_record trap_expect(void (*action)(void* argument), void* argument) {
  struct trap_record record = {.taken = false};
  expected = &record;
  __asm__ volatile("" ::: "memory");
  action(argument);
  __asm__ volatile("" ::: "memory");
  expected = NULL;
  return record;
}

static const char* cause_name(uintptr_t cause) {
  static const char* const names[] = {
      [CAUSE_INSTRUCTION_MISALIGNED] = "instruction address misaligned",
      [CAUSE_INSTRUCTION_ACCESS] = "instruction access fault",
      [CAUSE_ILLEGAL_INSTRUCTION] = "illegal instruction",
      [CAUSE_BREAKPOINT] = "breakpoint",
      [CAUSE_LOAD_MISALIGNED] = "load address misaligned",
      [CAUSE_LOAD_ACCESS] = "load access fault",
      [CAUSE_STORE_MISALIGNED] = "store address misaligned",
      [CAUSE_STORE_ACCESS] = "store access fault",
      [CAUSE_ECALL_USER] = "environment call from user mode",
      [CAUSE_ECALL_MACHINE] = "environment call from machine mode",
  };
  const char* name = cause < sizeof names / sizeof *names ? names[cause] : NULL;
  return name != NULL ? name : "unknown trap";
}

static void report_and_stop(const struct trap_frame* frame, uintptr_t cause) {
  static bool reporting;
  if (reporting) board_exit(BOARD_EXIT_TRAP);  // the console itself traps
  reporting = true;
  static const char* const names[] = {"ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0", "a1",
                                      "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5", "s6",
                                      "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  const int digits = 2 * (int)sizeof(uintptr_t);
  if ((cause == CAUSE_LOAD_ACCESS || cause == CAUSE_STORE_ACCESS) && stack_guard_holds(CSR_READ(mtval)))
    printf("\nstack overflow: the stack ends at 0x%0*" PRIxPTR ", sp is 0x%0*" PRIxPTR, digits, stack_limit(), digits,
           frame->x1_to_x31[1]);
  printf("\nunexpected trap: %s, mcause %" PRIuPTR ", mepc 0x%0*" PRIxPTR ", mtval 0x%0*" PRIxPTR "\n",
         cause_name(cause), cause, digits, frame->pc, digits, CSR_READ(mtval));
  for (unsigned i = 0; i < 31; ++i) {
    printf("%4s 0x%0*" PRIxPTR "%s", names[i], digits, frame->x1_to_x31[i], i % 4 == 3 || i == 30 ? "\n" : " ");
  }
  board_exit(BOARD_EXIT_TRAP);
}

// Called by trap_entry.
void trap_handle(struct trap_frame* frame) {
  const uintptr_t cause = CSR_READ(mcause);
  const uintptr_t interrupt_bit = (uintptr_t)1 << (8 * sizeof cause - 1);
  const uintptr_t code = cause & ~interrupt_bit;
  if ((cause & interrupt_bit) != 0) {
    if (code < sizeof connections / sizeof *connections && connections[code].handler != NULL) {
      connections[code].handler(connections[code].context);
      return;
    }
    report_and_stop(frame, cause);
  }
  if (expected == NULL) report_and_stop(frame, cause);
  *expected = (struct trap_record){.taken = true, .cause = cause, .pc = frame->pc, .value = CSR_READ(mtval)};
  expected = NULL;
  CSR_SET(mstatus, MSTATUS_MPP);  // back to machine mode, whatever mode it came from
  if (code == CAUSE_INSTRUCTION_ACCESS || code == CAUSE_INSTRUCTION_MISALIGNED) {
    frame->pc = frame->x1_to_x31[0];  // a jump into nowhere: back to the caller
    return;
  }
  const uint16_t first_half = *(const uint16_t*)frame->pc;
  frame->pc += (first_half & 3) == 3 ? 4 : 2;
}
