// The tinyTPU's registers by the names that the vendor's tool generates for the original's board.
#ifndef FIRMWARE_COMPAT_TINYTPU_H
#define FIRMWARE_COMPAT_TINYTPU_H

#include "xil_io.h"
#include "xstatus.h"

#define TINYTPU_mWriteReg(BaseAddress, RegOffset, Data) Xil_Out32((BaseAddress) + (RegOffset), (u32)(Data))
#define TINYTPU_mReadReg(BaseAddress, RegOffset) Xil_In32((BaseAddress) + (RegOffset))

#endif
