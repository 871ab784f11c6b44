// Brings the board's Tensil TCU up: how it was built, its DMA engine and interrupt from the device tree, waiting by wfi
// while the stream is accepted.
#ifndef FIRMWARE_TENSIL_BOARD_TENSIL_H
#define FIRMWARE_TENSIL_BOARD_TENSIL_H

#include "sw/driver/tensil/tensil.h"

// dram0, dram1: as of struct tensil_place. 0, or -ENODEV when the tree has no AXI DMA that leads to a TCU, -EINVAL when
// it cannot be as its node says, -ETIMEDOUT when its reset does not end. Without an interrupt the driver polls.
int board_tensil_init(struct tensil* tcu, uint8_t* dram0, uint8_t* dram1);
// Only what the device tree says of the TCU.
int board_tensil_architecture(struct tensil_architecture* architecture);
// A place for DRAM1: behind DRAM0, at the next multiple of 64 KiB.
uint8_t* board_tensil_dram1(const struct tensil_architecture* architecture, uint8_t* dram0);

#endif
