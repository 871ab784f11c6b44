// Accesses of registers by the names of Xilinx' hardware abstraction layer.
#ifndef FIRMWARE_COMPAT_XIL_IO_H
#define FIRMWARE_COMPAT_XIL_IO_H

#include "firmware/board/mmio.h"
#include "xil_types.h"

static inline u8 Xil_In8(UINTPTR Addr) { return mmio_read8(Addr); }
static inline u16 Xil_In16(UINTPTR Addr) { return mmio_read16(Addr); }
static inline u32 Xil_In32(UINTPTR Addr) { return mmio_read32(Addr); }
static inline void Xil_Out8(UINTPTR Addr, u8 Value) { mmio_write8(Addr, Value); }
static inline void Xil_Out16(UINTPTR Addr, u16 Value) { mmio_write16(Addr, Value); }
static inline void Xil_Out32(UINTPTR Addr, u32 Value) { mmio_write32(Addr, Value); }

#endif
