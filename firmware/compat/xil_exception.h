// Exceptions of the Zynq's processor by the names of Xilinx' hardware abstraction layer: of them the platform's CPU has
// the interrupt request.
#ifndef FIRMWARE_COMPAT_XIL_EXCEPTION_H
#define FIRMWARE_COMPAT_XIL_EXCEPTION_H

#include "firmware/board/cpu.h"
#include "xil_types.h"

#define XIL_EXCEPTION_ID_FIRST 0U
#define XIL_EXCEPTION_ID_IRQ_INT 5U
#define XIL_EXCEPTION_ID_INT XIL_EXCEPTION_ID_IRQ_INT
#define XIL_EXCEPTION_ID_LAST 6U

typedef void (*Xil_ExceptionHandler)(void* data);
typedef void (*Xil_InterruptHandler)(void* data);

void Xil_ExceptionInit(void);
void Xil_ExceptionRegisterHandler(u32 Exception_id, Xil_ExceptionHandler Handler, void* Data);
void Xil_ExceptionRemoveHandler(u32 Exception_id);
// Calls what is registered; without a handler nothing happens.
void Xil_ExceptionRaise(u32 Exception_id);

#define Xil_ExceptionEnable() cpu_enable_interrupts()
#define Xil_ExceptionDisable() cpu_disable_interrupts()

#endif
