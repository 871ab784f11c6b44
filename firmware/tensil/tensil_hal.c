// The AXI DMA through the names of Xilinx' hardware abstraction layer, in the order in which Tensil's own embedded
// driver calls them: set up, tested, interrupts off, a program streamed in pieces of the port's width, polled, and its
// end awaited at the probe. Exit code 0 when the end has come.
#include <inttypes.h>
#include <stdio.h>

#include "firmware/tensil/board_tensil.h"
#include "xaxidma.h"
#include "xil_cache.h"

enum { DRAM = 0x88000000, ROUNDS = 3 };

static struct tensil tcu;
static XAxiDma dma;
static _Alignas(1024) uint8_t bytes[512];

static int set_up(void) {
  XAxiDma_Config* config = XAxiDma_LookupConfig(XPAR_AXIDMA_0_DEVICE_ID);
  if (config == NULL || XAxiDma_CfgInitialize(&dma, config) != XST_SUCCESS || XAxiDma_Selftest(&dma) != XST_SUCCESS)
    return 1;
  XAxiDma_IntrDisable(&dma, XAXIDMA_IRQ_ALL_MASK, XAXIDMA_DMA_TO_DEVICE);
  XAxiDma_IntrDisable(&dma, XAXIDMA_IRQ_ALL_MASK, XAXIDMA_DEVICE_TO_DMA);
  return 0;
}

// Whole words of the port only, NoOps at the end.
static size_t make_program(void) {
  struct tensil_program program = {bytes, 0, sizeof bytes, 0};
  tensil_configure(&tcu.encoder, &program, TENSIL_DRAM0_OFFSET, DRAM >> 16);
  tensil_configure(&tcu.encoder, &program, TENSIL_TIMEOUT, 100);
  tensil_append_probe(&tcu, &program);
  while (program.size % (size_t)dma.TxBdRing.DataWidth != 0 && !program.full) tensil_no_op(&tcu.encoder, &program);
  return program.full ? 0 : program.size;
}

static int stream(size_t size) {
  for (size_t done = 0; done < size; done += (size_t)dma.TxBdRing.DataWidth) {
    if (XAxiDma_SimpleTransfer(&dma, (UINTPTR)(bytes + done), (u32)dma.TxBdRing.DataWidth, XAXIDMA_DMA_TO_DEVICE) !=
        XST_SUCCESS)
      return 1;
    while (XAxiDma_Busy(&dma, XAXIDMA_DMA_TO_DEVICE)) {
    }
  }
  return 0;
}

int main(void) {
  uint8_t* const dram = (uint8_t*)(uintptr_t)DRAM;
  if (board_tensil_init(&tcu, dram, dram) != 0) {
    printf("tensil_hal: skipped, no Tensil TCU in the device tree\n");
    return 0;
  }
  if (set_up() != 0) {
    printf("tensil_hal: the AXI DMA is not as it should be\n");
    return 1;
  }
  const size_t length = tensil_vector_bytes(&tcu), size = make_program();
  volatile uint8_t* const to = dram + (size_t)(tcu.architecture.dram0_depth - 2) * length;
  for (unsigned round = 0; round < ROUNDS; ++round) {
    for (size_t i = 0; i < length; ++i) to[i] = 0xFF, to[length + i] = (uint8_t)(round + i);
    Xil_DCacheFlushRange((UINTPTR)to, 2 * length);
    if (size == 0 || stream(size) != 0) {
      printf("tensil_hal: FAILED\n");
      return 1;
    }
    for (size_t i = 0; i < length; ++i)
      while (to[i] != to[length + i]) Xil_DCacheFlushRange((UINTPTR)to, length);
  }
  printf("tensil_hal: passed, %u programs of %u bytes\n", (unsigned)ROUNDS, (unsigned)size);
  return 0;
}
