// The guard below the stack: an access to it traps, so that a stack that overflows ends with that diagnosis and not in
// the heap.
#ifndef FIRMWARE_BOARD_STACK_H
#define FIRMWARE_BOARD_STACK_H

#include <stdbool.h>
#include <stdint.h>

// Closes the guard with the last entry of the memory protection, locked, since machine mode obeys no other: it stays
// until the next reset. An entry with a lower number that a program sets up comes before it. A hart without memory
// protection has no guard.
void stack_close_guard(void);
bool stack_guard_holds(uintptr_t address);
// Below this address the stack has overflowed.
uintptr_t stack_limit(void);

#endif
