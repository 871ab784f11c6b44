// The platform's caches follow what DMA engines and TCU write.
#ifndef FIRMWARE_COMPAT_XIL_CACHE_H
#define FIRMWARE_COMPAT_XIL_CACHE_H

#include "xil_types.h"

static inline void Xil_DCacheFlushRange(UINTPTR address, UINTPTR length) { (void)address, (void)length; }
static inline void Xil_DCacheInvalidateRange(UINTPTR address, UINTPTR length) { (void)address, (void)length; }

#endif
