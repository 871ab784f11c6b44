// The AXI DMA by the names of Xilinx' hardware abstraction layer, as far as Tensil's own embedded driver calls it:
// simple transfers, polled. Compiled with `firmware/compat` among the include folders.
#ifndef FIRMWARE_COMPAT_XAXIDMA_H
#define FIRMWARE_COMPAT_XAXIDMA_H

#include "xil_types.h"
#include "xparameters.h"
#include "xstatus.h"

#ifdef __cplusplus
extern "C" {
#endif

#define XAXIDMA_DMA_TO_DEVICE 0
#define XAXIDMA_DEVICE_TO_DMA 1
#define XAXIDMA_IRQ_ALL_MASK 0x00007000

// Offsets in a channel, and of the second channel.
#define XAXIDMA_CR_OFFSET 0x00
#define XAXIDMA_SR_OFFSET 0x04
#define XAXIDMA_SRCADDR_OFFSET 0x18
#define XAXIDMA_SRCADDR_MSB_OFFSET 0x1C
#define XAXIDMA_BUFFLEN_OFFSET 0x28
#define XAXIDMA_RX_OFFSET 0x30

#define XAXIDMA_CR_RUNSTOP_MASK 0x00000001
#define XAXIDMA_CR_RESET_MASK 0x00000004
#define XAXIDMA_HALTED_MASK 0x00000001
#define XAXIDMA_IDLE_MASK 0x00000002

typedef struct {
  u32 DeviceId;
  UINTPTR BaseAddr;
  int Mm2SDataWidth;  // bits
  int SgLengthWidth;
} XAxiDma_Config;

typedef struct {
  UINTPTR ChanBase;
  u32 MaxTransferLen;  // bytes
  int DataWidth;       // bytes
} XAxiDma_BdRing;

typedef struct {
  UINTPTR RegBase;
  XAxiDma_BdRing TxBdRing;
  XAxiDma_BdRing RxBdRing[1];
} XAxiDma;

XAxiDma_Config* XAxiDma_LookupConfig(u32 DeviceId);
int XAxiDma_CfgInitialize(XAxiDma* InstancePtr, XAxiDma_Config* Config);
int XAxiDma_Selftest(XAxiDma* InstancePtr);
void XAxiDma_IntrDisable(XAxiDma* InstancePtr, u32 Mask, int Direction);
u32 XAxiDma_SimpleTransfer(XAxiDma* InstancePtr, UINTPTR BuffAddr, u32 Length, int Direction);
u32 XAxiDma_Busy(XAxiDma* InstancePtr, int Direction);
u32 XAxiDma_ReadReg(UINTPTR BaseAddress, u32 RegOffset);
void XAxiDma_WriteReg(UINTPTR BaseAddress, u32 RegOffset, u32 Data);

#ifdef __cplusplus
}
#endif

#endif
