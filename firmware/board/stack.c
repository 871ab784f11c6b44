#include "firmware/board/stack.h"

#include <stddef.h>

#include "firmware/board/cpu.h"
#include "firmware/board/trap.h"

// link.ld: a power of two of bytes, at a multiple of it.
extern char __stack_guard[], __stack_limit[];

static void set_place(void* unused) {
  (void)unused;
  const uintptr_t size = stack_limit() - (uintptr_t)__stack_guard;
  CSR_WRITE(pmpaddr15, (uintptr_t)__stack_guard >> 2 | (size / 8 - 1));
}

// Locked, naturally aligned, no access: the uppermost byte of the uppermost configuration register.
static void lock(void* unused) {
  (void)unused;
  const uintptr_t entry = (uintptr_t)(0x80 | 0x18) << (8 * (sizeof(uintptr_t) - 1));
#if __riscv_xlen == 64
  CSR_SET(pmpcfg2, entry);
#else
  CSR_SET(pmpcfg3, entry);
#endif
}

void stack_close_guard(void) {
  if (!trap_expect(set_place, NULL).taken) trap_expect(lock, NULL);
}

bool stack_guard_holds(uintptr_t address) { return address >= (uintptr_t)__stack_guard && address < stack_limit(); }

uintptr_t stack_limit(void) { return (uintptr_t)__stack_limit; }
