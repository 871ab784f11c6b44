// How the driver reaches the device: volatile accesses through a pointer. The window must be mapped as device memory,
// in order and uncached. An environment that cannot map the window (a test double, a debug probe) compiles the driver
// with DRRA_CUSTOM_IO and supplies the two functions itself.
#ifndef SW_DRIVER_DRRA_IO_H
#define SW_DRIVER_DRRA_IO_H

#include <stdint.h>

#ifdef DRRA_CUSTOM_IO

#ifdef __cplusplus
extern "C" {
#endif
void drra_io_write32(uintptr_t address, uint32_t value);
uint32_t drra_io_read32(uintptr_t address);
#ifdef __cplusplus
}
#endif

#else

static inline void drra_io_write32(uintptr_t address, uint32_t value) { *(volatile uint32_t*)address = value; }
static inline uint32_t drra_io_read32(uintptr_t address) { return *(volatile uint32_t*)address; }

#endif

#endif
