// Checks of the platform from inside, one line each on the console.
#ifndef FIRMWARE_SELFTEST_SELFTEST_H
#define FIRMWARE_SELFTEST_SELFTEST_H

#include <stdbool.h>
#include <stdint.h>

// Prints "ok" or "FAILED" and the name, and counts.
void check(const char* name, bool good);
// The same, and on failure both values.
void check_equal(const char* name, uint64_t actual, uint64_t expected);
// A device the device tree does not name: said and counted, no failure.
void skip(const char* what);
// Headline of the lines that follow.
void section(const char* name);

// Accesses that may be refused: false when the access trapped with the cause that belongs to it (load or store access
// fault) and its address as value. Anything else that traps is reported as unexpected.
bool readable(uintptr_t address);
bool writable(uintptr_t address);

// How long to wait for what should come: a tenth of a second at 100 MHz. In cycles of the CPU, since the timer may be
// absent.
enum { PATIENCE_CYCLES = 10000000 };

// Waits until *counter differs from `seen`, at most PATIENCE_CYCLES.
bool wait_for_change(const volatile uint32_t* counter, uint32_t seen);

void test_cpu(void);
void test_memory(void);
void test_clint(void);
void test_plic(void);
void test_uarts(void);
void test_tinytpu(void);
void test_errors(void);

#endif
