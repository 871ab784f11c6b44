// What the tests of the module share: a client by its bare calls, and checks that are counted.
#ifndef SW_LINUX_PROGRAMS_TPU_TEST_H
#define SW_LINUX_PROGRAMS_TPU_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sw/linux/module/tinytpu_uapi.h"

// Prints a line for a check that failed, and counts it. Returns `good`.
bool check(bool good, const char* what);
// A call that has to end with this errno; 0: with success.
bool check_error(int result, int expected, const char* what);
extern int failures;

int open_tpu(void);  // /dev/tinytpu0; ends the program if there is none
int acquire(int file, int64_t timeout_ns);
int submit(int file, const struct tinytpu_instruction_words* words, size_t count, uint64_t* ticket);
int wait_for(int file, uint64_t ticket, int64_t timeout_ns);
// About `ms` milliseconds of work that changes no buffer, its ticket.
uint64_t run_long(int file, unsigned ms);
// Whether the byte can be read; a bus error is the kernel's answer to a client that does not own the device.
bool can_read(const volatile uint8_t* byte);
uint64_t milliseconds(void);

// Each test returns nothing; its checks are counted.
void test_refused(void);  // tpu_trial_refused.c
void test_waiting(void);  // tpu_trial_clients.c
void test_turns(void);
void test_lease(void);
void test_gone(const char* driver);

#endif
