// Commands the finisher does not know, and accesses that no device answers: access faults with the right cause and
// address, and life goes on.
#include <stddef.h>

#include "firmware/board/board.h"
#include "firmware/board/mmio.h"
#include "firmware/board/trap.h"
#include "firmware/selftest/selftest.h"

enum { NOWHERE = 0x08000000 };  // between CLINT and PLIC

static void jump(void* address) { ((void (*)(void))address)(); }

static void test_finisher(void) {
  section("finisher");
  if (!board_has(&board_get()->finisher)) return skip("not in the device tree");
  const uintptr_t finisher = board_get()->finisher.base;
  mmio_write32(finisher, 0x1234);  // no command: were it one, the summary would be missing
  mmio_write32(finisher, 0);
  check_equal("reads as zero", mmio_read32(finisher), 0);
}

void test_errors(void) {
  test_finisher();
  section("errors");
  check("a load from nowhere is an access fault", !readable(NOWHERE));
  check("a store to nowhere is an access fault", !writable(NOWHERE));
  const struct trap_record trap = trap_expect(jump, (void*)NOWHERE);
  check("a jump to nowhere is an access fault",
        trap.taken && trap.cause == CAUSE_INSTRUCTION_ACCESS && trap.pc == NOWHERE && trap.value == NOWHERE);
  check("the last word of the address space belongs to nobody", !readable(UINTPTR_MAX - 3));
}
