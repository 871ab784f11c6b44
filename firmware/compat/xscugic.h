// The Zynq's interrupt controller by the names of Xilinx' driver, on the platform's PLIC. Lines that the Zynq's logic
// raises (XPS_FPGA0_INT_ID to XPS_FPGA15_INT_ID) are the tinyTPU's synchronize, whichever of them a program chose; its
// others are never raised. Priority and trigger are the PLIC's and the wiring's: what a program asks for is kept, and
// without effect.
#ifndef FIRMWARE_COMPAT_XSCUGIC_H
#define FIRMWARE_COMPAT_XSCUGIC_H

#include "xil_exception.h"
#include "xil_types.h"
#include "xparameters.h"
#include "xstatus.h"

enum { XSCUGIC_MAX_NUM_INTR_INPUTS = 95 };

typedef struct {
  Xil_InterruptHandler Handler;
  void* CallBackRef;
} XScuGic_VectorTableEntry;

typedef struct {
  u16 DeviceId;
  u32 CpuBaseAddress;
  u32 DistBaseAddress;
  XScuGic_VectorTableEntry HandlerTable[XSCUGIC_MAX_NUM_INTR_INPUTS];
} XScuGic_Config;

typedef struct {
  XScuGic_Config* Config;
  u32 IsReady;
  u32 UnhandledInterrupts;
} XScuGic;

XScuGic_Config* XScuGic_LookupConfig(u16 DeviceId);
s32 XScuGic_CfgInitialize(XScuGic* InstancePtr, XScuGic_Config* ConfigPtr, u32 EffectiveAddr);
s32 XScuGic_Connect(XScuGic* InstancePtr, u32 Int_Id, Xil_InterruptHandler Handler, void* CallBackRef);
void XScuGic_Disconnect(XScuGic* InstancePtr, u32 Int_Id);
void XScuGic_Enable(XScuGic* InstancePtr, u32 Int_Id);
void XScuGic_Disable(XScuGic* InstancePtr, u32 Int_Id);
void XScuGic_SetPriorityTriggerType(XScuGic* InstancePtr, u32 Int_Id, u8 Priority, u8 Trigger);
void XScuGic_GetPriorityTriggerType(XScuGic* InstancePtr, u32 Int_Id, u8* Priority, u8* Trigger);
// Calls the handler of the line that is up; to be registered with XIL_EXCEPTION_ID_INT.
void XScuGic_InterruptHandler(XScuGic* InstancePtr);

#endif
