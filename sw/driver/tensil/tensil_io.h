// How the driver reaches the AXI DMA: volatile accesses through a pointer. The window must be mapped as device memory,
// in order and uncached. An environment that cannot map the window (a test double) compiles the driver with
// TENSIL_CUSTOM_IO and supplies the two functions itself.
#ifndef SW_DRIVER_TENSIL_IO_H
#define SW_DRIVER_TENSIL_IO_H

#include <stdint.h>

#ifdef TENSIL_CUSTOM_IO

#ifdef __cplusplus
extern "C" {
#endif
void tensil_io_write32(uintptr_t address, uint32_t value);
uint32_t tensil_io_read32(uintptr_t address);
#ifdef __cplusplus
}
#endif

#else

static inline void tensil_io_write32(uintptr_t address, uint32_t value) { *(volatile uint32_t*)address = value; }
static inline uint32_t tensil_io_read32(uintptr_t address) { return *(volatile uint32_t*)address; }

#endif

#endif
