// Brings the board's tinyTPU up: sizes and interrupt from the device tree, waiting by wfi.
#ifndef FIRMWARE_BOARD_TPU_H
#define FIRMWARE_BOARD_TPU_H

#include "sw/driver/tinytpu/tinytpu.h"

// 0, or -ENODEV when the tree has no (index-th) tinyTPU or its node lacks a size or the interrupt, -EINVAL when the
// sizes cannot be or their window is not the node's `reg`.
int board_tpu_init(struct tinytpu* device, unsigned index);

// The device's clock in picoseconds by the device tree; 0 when it does not say.
uint32_t board_tpu_clock_ps(unsigned index);

#endif
