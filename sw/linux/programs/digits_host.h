// What `digits` asks of its environment, under Linux: /dev/tinytpu0, or the one of the number in TINYTPU.
#ifndef SW_LINUX_PROGRAMS_DIGITS_HOST_H
#define SW_LINUX_PROGRAMS_DIGITS_HOST_H

#include "sw/driver/tinytpu/tinytpu.h"

#define DIGITS_HOST_NO_TPU "no usable /dev/tinytpu of that number"

int digits_host_open(struct tinytpu* tpu);
uint32_t digits_host_clock_ps(void);
// Of the CPU since some moment, counted by the time base and the CPU's clock in the device tree: a tick of the time
// base is the error. 0 when the tree does not say the clock.
uint64_t digits_host_cycles(void);
// Regions of a run are what the firmware of a machine may tell the platform; a process is not alone on it.
static inline void digits_host_begin_region(const char* name) { (void)name; }
static inline void digits_host_end_region(void) {}
int digits_host_error(void);
// Behind the result: how long an interrupt of the device takes to wake a program.
void digits_host_report(void);

#endif
