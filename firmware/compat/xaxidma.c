#include "xaxidma.h"

#include "sw/driver/tensil/tensil_io.h"

enum { RESET_POLLS = 500 };

static XAxiDma_Config configs[] = {
    {XPAR_AXIDMA_0_DEVICE_ID, XPAR_AXIDMA_0_BASEADDR, XPAR_AXIDMA_DATA_WIDTH, XPAR_AXIDMA_LENGTH_WIDTH},
    {XPAR_AXIDMA_1_DEVICE_ID, XPAR_AXIDMA_1_BASEADDR, XPAR_AXIDMA_DATA_WIDTH, XPAR_AXIDMA_LENGTH_WIDTH},
};

u32 XAxiDma_ReadReg(UINTPTR BaseAddress, u32 RegOffset) { return tensil_io_read32(BaseAddress + RegOffset); }
void XAxiDma_WriteReg(UINTPTR BaseAddress, u32 RegOffset, u32 Data) {
  tensil_io_write32(BaseAddress + RegOffset, Data);
}

XAxiDma_Config* XAxiDma_LookupConfig(u32 DeviceId) {
  for (unsigned i = 0; i < sizeof configs / sizeof configs[0]; ++i)
    if (configs[i].DeviceId == DeviceId) return &configs[i];
  return NULL;
}

static UINTPTR channel(const XAxiDma* dma, int direction) {
  return direction == XAXIDMA_DMA_TO_DEVICE ? dma->TxBdRing.ChanBase : dma->RxBdRing[0].ChanBase;
}

static int reset(XAxiDma* dma) {
  XAxiDma_WriteReg(dma->RegBase, XAXIDMA_CR_OFFSET, XAXIDMA_CR_RESET_MASK);
  for (unsigned poll = 0; poll < RESET_POLLS; ++poll)
    if (!(XAxiDma_ReadReg(dma->RegBase, XAXIDMA_CR_OFFSET) & XAXIDMA_CR_RESET_MASK)) return XST_SUCCESS;
  return XST_FAILURE;
}

int XAxiDma_CfgInitialize(XAxiDma* InstancePtr, XAxiDma_Config* Config) {
  InstancePtr->RegBase = Config->BaseAddr;
  const u32 most = (u32)((1u << Config->SgLengthWidth) - 1);
  const XAxiDma_BdRing tx = {Config->BaseAddr, most, Config->Mm2SDataWidth / 8};
  const XAxiDma_BdRing rx = {Config->BaseAddr + XAXIDMA_RX_OFFSET, most, Config->Mm2SDataWidth / 8};
  InstancePtr->TxBdRing = tx;
  InstancePtr->RxBdRing[0] = rx;
  return reset(InstancePtr);
}

int XAxiDma_Selftest(XAxiDma* InstancePtr) { return reset(InstancePtr); }

void XAxiDma_IntrDisable(XAxiDma* InstancePtr, u32 Mask, int Direction) {
  const UINTPTR base = channel(InstancePtr, Direction);
  XAxiDma_WriteReg(base, XAXIDMA_CR_OFFSET, XAxiDma_ReadReg(base, XAXIDMA_CR_OFFSET) & ~(Mask & XAXIDMA_IRQ_ALL_MASK));
}

u32 XAxiDma_Busy(XAxiDma* InstancePtr, int Direction) {
  return !(XAxiDma_ReadReg(channel(InstancePtr, Direction), XAXIDMA_SR_OFFSET) & XAXIDMA_IDLE_MASK);
}

u32 XAxiDma_SimpleTransfer(XAxiDma* InstancePtr, UINTPTR BuffAddr, u32 Length, int Direction) {
  const UINTPTR base = channel(InstancePtr, Direction);
  if (Length == 0 || Length > InstancePtr->TxBdRing.MaxTransferLen) return XST_INVALID_PARAM;
  if (!(XAxiDma_ReadReg(base, XAXIDMA_SR_OFFSET) & XAXIDMA_HALTED_MASK) && XAxiDma_Busy(InstancePtr, Direction))
    return XST_FAILURE;
  XAxiDma_WriteReg(base, XAXIDMA_SRCADDR_OFFSET, (u32)BuffAddr);
  if (sizeof BuffAddr > 4) XAxiDma_WriteReg(base, XAXIDMA_SRCADDR_MSB_OFFSET, (u32)((u64)BuffAddr >> 32));
  XAxiDma_WriteReg(base, XAXIDMA_CR_OFFSET, XAxiDma_ReadReg(base, XAXIDMA_CR_OFFSET) | XAXIDMA_CR_RUNSTOP_MASK);
  XAxiDma_WriteReg(base, XAXIDMA_BUFFLEN_OFFSET, Length);
  return XST_SUCCESS;
}
