// How long it takes from the edge of the device's interrupt to a program that waited for it.
#ifndef SW_LINUX_PROGRAMS_INTERRUPT_PATH_H
#define SW_LINUX_PROGRAMS_INTERRUPT_PATH_H

#include "sw/linux/module/tinytpu_uapi.h"

// Measures it on a device that `file` owns, and prints it with a `metric` line, which the platform's report takes up.
//
// A process of the idle class writes the time down in a loop; its last entry before the waiting program goes on is the
// moment at which the CPU left the loop for the interrupt, to a tick of the time base. The figure is thus from the
// edge: the kernel's entry, the interrupt controller, the driver, the scheduler, and the way back to user space.
void interrupt_path_print(int file, const struct tinytpu_ioc_info* info);

#endif
