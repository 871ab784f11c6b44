// One layer on the tinyTPU as a program for the original's board drives it: registers and interrupt by the names of
// Xilinx' hardware abstraction layer. Exit code 0 when the interrupt has come when it should, and all results are
// right.
#include <stdio.h>

#include "platform.h"
#include "tinyTPU.h"
#include "xil_exception.h"
#include "xil_printf.h"
#include "xparameters.h"
#include "xscugic.h"

enum { SIZE = 14, STRIDE = 16, LINE = XPS_FPGA0_INT_ID, RISING_EDGE = 3 };
enum { WEIGHTS = 0, BUFFER = 0x80000, INSTRUCTION = 0x90000 };
enum { LOAD_WEIGHTS = 0x08, MATRIX_MULTIPLY = 0x20, RELU = 0x81, SYNCHRONIZE = 0xFF };

static const UINTPTR base = XPAR_TINYTPU_0_S00_AXI_BASEADDR;
static XScuGic controller;
static volatile u32 synchronized;
static unsigned failed;

static void check(int condition, const char* what) {
  if (condition) return;
  ++failed;
  xil_printf("FAILED: %s\n", what);
}

static void on_synchronize(void* count) { ++*(volatile u32*)count; }

static void set_up_interrupt(void) {
  XScuGic_Config* const config = XScuGic_LookupConfig(XPAR_SCUGIC_SINGLE_DEVICE_ID);
  check(config != NULL && XScuGic_LookupConfig(7) == NULL, "configuration of the controller");
  check(XScuGic_CfgInitialize(&controller, config, config->CpuBaseAddress) == XST_SUCCESS, "start of the controller");
  u8 priority = 0, trigger = 0;
  XScuGic_SetPriorityTriggerType(&controller, LINE, 0xA0, RISING_EDGE);
  XScuGic_GetPriorityTriggerType(&controller, LINE, &priority, &trigger);
  check(priority == 0xA0 && trigger == RISING_EDGE, "priority and trigger");
  check(XScuGic_Connect(&controller, LINE, on_synchronize, (void*)&synchronized) == XST_SUCCESS, "connection");
  check(XScuGic_Connect(&controller, 95, on_synchronize, NULL) == XST_INVALID_PARAM, "refusal of a line that is none");
  XScuGic_Enable(&controller, LINE);
  Xil_ExceptionInit();
  Xil_ExceptionRegisterHandler(XIL_EXCEPTION_ID_INT, (Xil_ExceptionHandler)(void (*)(void))XScuGic_InterruptHandler,
                               &controller);
}

static void push(u8 op_code, u8 length, u8 row) {
  TINYTPU_mWriteReg(base + INSTRUCTION, 4, op_code | (u32)length << 8);
  TINYTPU_mWriteReg(base + INSTRUCTION, 8, (u32)row << 24);
  TINYTPU_mWriteReg(base + INSTRUCTION, 12, 0);
}

// Four bytes of a row.
static u32 word(int row, int column, int diagonal) {
  u32 value = 0;
  for (int i = 0; i < 4 && column + i < SIZE; ++i)
    value |= (u32)(diagonal ? (row == column + i ? 0xFF : 0) : 18 * row + column + i) << 8 * i;
  return value;
}

static void compute(void) {
  for (int row = 0; row < SIZE; ++row)
    for (int column = 0; column < SIZE; column += 4) {
      TINYTPU_mWriteReg(base + WEIGHTS, row * STRIDE + column, word(row, column, 1));
      TINYTPU_mWriteReg(base + BUFFER, row * STRIDE + column, word(row, column, 0));
    }
  push(LOAD_WEIGHTS, SIZE, 0);
  push(MATRIX_MULTIPLY, SIZE, 0);
  push(RELU, SIZE, SIZE);
  push(SYNCHRONIZE, 0, 0);
}

static void check_results(void) {
  int wrong = 0;
  for (int row = 0; row < SIZE; ++row)
    for (int column = 0; column < SIZE; ++column) {
      const u32 four = TINYTPU_mReadReg(base + BUFFER, (SIZE + row) * STRIDE + column / 4 * 4);
      wrong += (u8)(four >> column % 4 * 8) != (u8)(((u8)(18 * row + column) * 255 + 128) / 256);
    }
  check(wrong == 0, "results");
}

int main(void) {
  init_platform();
  set_up_interrupt();
  compute();
  for (volatile int pause = 0; pause < 1000; ++pause) continue;
  check(synchronized == 0, "silence while exceptions are disabled");
  Xil_ExceptionEnable();
  while (synchronized == 0) continue;
  check_results();
  XScuGic_Disconnect(&controller, LINE);
  push(SYNCHRONIZE, 0, 0);
  for (volatile int pause = 0; pause < 1000; ++pause) continue;
  check(synchronized == 1, "one interrupt");
  xil_printf("zynq_demo: %s\n", failed == 0 ? "passed" : "FAILED");
  cleanup_platform();
  return failed != 0;
}
