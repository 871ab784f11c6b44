// Brings the board's DRRA fabric up: its place and its interrupt from the device tree, waiting by wfi.
#ifndef FIRMWARE_DRRA_BOARD_DRRA_H
#define FIRMWARE_DRRA_BOARD_DRRA_H

#include "sw/driver/drra/drra.h"

// 0, or -ENODEV when the tree has no (index-th) fabric, or none answers there. Without an interrupt the driver polls.
int board_drra_init(struct drra* device, unsigned index);

#endif
