// Brings the board's AXI CDMA up: how it was built and its interrupt from the device tree, waiting by wfi.
#ifndef FIRMWARE_CDMA_BOARD_CDMA_H
#define FIRMWARE_CDMA_BOARD_CDMA_H

#include "sw/driver/cdma/cdma.h"

// 0, or -ENODEV when the tree has no (index-th) AXI CDMA, -EINVAL when it cannot be as its node says, -ETIMEDOUT when
// its reset does not end. Without an interrupt the driver polls.
int board_cdma_init(struct cdma* device, unsigned index);

#endif
