// How the driver reaches the device: volatile accesses through a pointer. The window must be mapped as device memory,
// in order and uncached, as bare metal RISC-V I/O space is. An environment that cannot map the window (a test double, a
// debug probe) compiles the driver with TINYTPU_CUSTOM_IO and supplies the three functions itself; one that may map the
// buffers, but hands in whole programs (Linux), compiles it with TINYTPU_RECORDED_IO: see tinytpu_recorder.h.
//
// Buffers are written by 32 bits. The only 16-bit write is that of an instruction's upper word, its last.
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

#ifdef TINYTPU_RECORDED_IO
#ifdef __cplusplus
extern "C"
#endif
    void
    tinytpu_io_write16(uintptr_t address, uint16_t value);  // tinytpu_recorder.c
#else
static inline void tinytpu_io_write16(uintptr_t address, uint16_t value) { *(volatile uint16_t*)address = value; }
#endif

static inline void tinytpu_io_write32(uintptr_t address, uint32_t value) { *(volatile uint32_t*)address = value; }
static inline uint32_t tinytpu_io_read32(uintptr_t address) { return *(volatile uint32_t*)address; }

#endif

#endif
