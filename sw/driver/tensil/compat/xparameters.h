// Where the AXI DMAs are and how they were built. The defaults are the platform's memory map; other machines give their
// own with -D.
#ifndef SW_DRIVER_TENSIL_COMPAT_XPARAMETERS_H
#define SW_DRIVER_TENSIL_COMPAT_XPARAMETERS_H

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

#endif
