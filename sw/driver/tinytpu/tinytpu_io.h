// How the driver reaches the device: volatile accesses through a pointer. The window must be mapped as device memory,
// in order and uncached: bare metal RISC-V I/O space, or /dev/uio under Linux. An environment that cannot map the
// window (a test double, a debug probe) compiles the driver with TINYTPU_CUSTOM_IO and supplies the three functions
// itself.
#ifndef SW_DRIVER_TINYTPU_IO_H
#define SW_DRIVER_TINYTPU_IO_H

#include <stdint.h>

#ifdef TINYTPU_CUSTOM_IO

#ifdef __cplusplus
extern "C" {
#endif
void tinytpu_io_write32(uintptr_t address, uint32_t value);
void tinytpu_io_write16(uintptr_t address, uint16_t value);
uint32_t tinytpu_io_read32(uintptr_t address);
#ifdef __cplusplus
}
#endif

#else

static inline void tinytpu_io_write32(uintptr_t address, uint32_t value) { *(volatile uint32_t*)address = value; }
static inline void tinytpu_io_write16(uintptr_t address, uint16_t value) { *(volatile uint16_t*)address = value; }
static inline uint32_t tinytpu_io_read32(uintptr_t address) { return *(volatile uint32_t*)address; }

#endif

#endif
