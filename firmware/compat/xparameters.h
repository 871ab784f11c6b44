// Where the devices are and how they were built, as a vendor's tool writes it for a board. The defaults are the
// platform's memory map; other machines give their own with -D.
#ifndef FIRMWARE_COMPAT_XPARAMETERS_H
#define FIRMWARE_COMPAT_XPARAMETERS_H

#include "xparameters_ps.h"

#define XPAR_AXIDMA_0_DEVICE_ID 0
#define XPAR_AXIDMA_1_DEVICE_ID 1

#ifndef XPAR_AXIDMA_0_BASEADDR
#define XPAR_AXIDMA_0_BASEADDR 0x40400000
#endif
#ifndef XPAR_AXIDMA_1_BASEADDR  // the one that takes samples
#define XPAR_AXIDMA_1_BASEADDR 0x40410000
#endif
#ifndef XPAR_AXIDMA_DATA_WIDTH  // bits, of both
#define XPAR_AXIDMA_DATA_WIDTH 64
#endif
#ifndef XPAR_AXIDMA_LENGTH_WIDTH
#define XPAR_AXIDMA_LENGTH_WIDTH 26
#endif

#define XPAR_TINYTPU_0_DEVICE_ID 0
#ifndef XPAR_TINYTPU_0_S00_AXI_BASEADDR
#define XPAR_TINYTPU_0_S00_AXI_BASEADDR 0x43C00000
#endif

#define XPAR_PS7_SCUGIC_0_DEVICE_ID 0
#define XPAR_SCUGIC_SINGLE_DEVICE_ID 0

// A name that one of the original tinyTPU's tests uses, and that its own headers do not have.
#ifndef INTC_TPU_DEVICE_ID
#define INTC_TPU_DEVICE_ID XPS_FPGA2_INT_ID
#endif

#endif
