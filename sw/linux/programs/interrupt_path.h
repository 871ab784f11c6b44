// How long it takes from the edge of the device's interrupt to a program that waited for it: instructions and time.
#ifndef SW_LINUX_PROGRAMS_INTERRUPT_PATH_H
#define SW_LINUX_PROGRAMS_INTERRUPT_PATH_H

#include "sw/linux/module/tinytpu_uapi.h"

// Measures it on a device that `file` owns, and prints it with `metric` lines, which the platform's report takes up.
// Where programs must not read the counter of instructions (sysctl kernel.perf_user_access = 2 lets them), only the
// time.
//
// A process of the idle class writes down time and instructions in a loop; its last entry before the waiting program
// goes on is the moment at which the CPU left the loop for the interrupt, but for the few instructions of a turn. The
// figure is thus from the edge: the kernel's entry, the interrupt controller, the driver, the scheduler, and the way
// back to user space.
void interrupt_path_print(int file, const struct tinytpu_ioc_info* info);

#endif
