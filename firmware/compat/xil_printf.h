// Xilinx' small printf: here the whole one.
#ifndef FIRMWARE_COMPAT_XIL_PRINTF_H
#define FIRMWARE_COMPAT_XIL_PRINTF_H

#include <stdio.h>

#define xil_printf printf

static inline void print(const char* text) { fputs(text, stdout); }

#endif
