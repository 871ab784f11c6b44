// Accesses that no device answers: access faults with the right cause and address, and life goes on.
#include <stddef.h>

#include "firmware/board/trap.h"
#include "firmware/selftest/selftest.h"

enum { NOWHERE = 0x08000000 };  // between CLINT and PLIC

static void jump(void* address) { ((void (*)(void))address)(); }

void test_errors(void) {
  section("errors");
  check("a load from nowhere is an access fault", !readable(NOWHERE));
  check("a store to nowhere is an access fault", !writable(NOWHERE));
  const struct trap_record trap = trap_expect(jump, (void*)NOWHERE);
  check("a jump to nowhere is an access fault",
        trap.taken && trap.cause == CAUSE_INSTRUCTION_ACCESS && trap.pc == NOWHERE && trap.value == NOWHERE);
  check("the last word of the address space belongs to nobody", !readable(UINTPTR_MAX - 3));
}
