// Numbers of the interrupts that a Zynq's logic raises, lines 0 to 15.
#ifndef FIRMWARE_COMPAT_XPARAMETERS_PS_H
#define FIRMWARE_COMPAT_XPARAMETERS_PS_H

#define XPS_FPGA0_INT_ID 61
#define XPS_FPGA1_INT_ID 62
#define XPS_FPGA2_INT_ID 63
#define XPS_FPGA3_INT_ID 64
#define XPS_FPGA4_INT_ID 65
#define XPS_FPGA5_INT_ID 66
#define XPS_FPGA6_INT_ID 67
#define XPS_FPGA7_INT_ID 68
#define XPS_FPGA8_INT_ID 84
#define XPS_FPGA9_INT_ID 85
#define XPS_FPGA10_INT_ID 86
#define XPS_FPGA11_INT_ID 87
#define XPS_FPGA12_INT_ID 88
#define XPS_FPGA13_INT_ID 89
#define XPS_FPGA14_INT_ID 90
#define XPS_FPGA15_INT_ID 91

#endif
