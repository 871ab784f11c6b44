// Types by the names of Xilinx' hardware abstraction layer, for Tensil's own embedded driver.
#ifndef SW_DRIVER_TENSIL_COMPAT_XIL_TYPES_H
#define SW_DRIVER_TENSIL_COMPAT_XIL_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef uintptr_t UINTPTR;

#endif
