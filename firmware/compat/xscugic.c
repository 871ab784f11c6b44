#include "xscugic.h"

#include "firmware/board/board.h"
#include "firmware/board/plic.h"

enum { FIRST_LINE = XPS_FPGA0_INT_ID, LAST_LINE = XPS_FPGA15_INT_ID };

static XScuGic_Config config = {.DeviceId = XPAR_SCUGIC_SINGLE_DEVICE_ID};
static struct { u8 priority, trigger; } asked_for[XSCUGIC_MAX_NUM_INTR_INPUTS];
static u32 raised;  // the line that is served

static bool is_line(u32 id) { return id < XSCUGIC_MAX_NUM_INTR_INPUTS; }

// The PLIC's input of the tinyTPU, 0 for a line that nothing raises.
static u32 source_of(u32 id) {
  struct board_device tpu = {.interrupt = 0};
  if (id >= FIRST_LINE && id <= LAST_LINE) board_find("jofrfu,tinytpu", 0, &tpu);
  return tpu.interrupt < PLIC_SOURCES ? tpu.interrupt : 0;
}

static void on_line(void* context) {
  raised = (u32)(uintptr_t)context;
  Xil_ExceptionRaise(XIL_EXCEPTION_ID_INT);
}

XScuGic_Config* XScuGic_LookupConfig(u16 DeviceId) { return DeviceId == config.DeviceId ? &config : NULL; }

s32 XScuGic_CfgInitialize(XScuGic* InstancePtr, XScuGic_Config* ConfigPtr, u32 EffectiveAddr) {
  (void)EffectiveAddr;
  InstancePtr->Config = ConfigPtr;
  InstancePtr->IsReady = TRUE;
  InstancePtr->UnhandledInterrupts = 0;
  return XST_SUCCESS;
}

s32 XScuGic_Connect(XScuGic* InstancePtr, u32 Int_Id, Xil_InterruptHandler Handler, void* CallBackRef) {
  if (!is_line(Int_Id)) return XST_INVALID_PARAM;
  const XScuGic_VectorTableEntry entry = {Handler, CallBackRef};
  InstancePtr->Config->HandlerTable[Int_Id] = entry;
  return XST_SUCCESS;
}

void XScuGic_Disconnect(XScuGic* InstancePtr, u32 Int_Id) {
  XScuGic_Disable(InstancePtr, Int_Id);
  XScuGic_Connect(InstancePtr, Int_Id, NULL, NULL);
}

void XScuGic_Enable(XScuGic* InstancePtr, u32 Int_Id) {
  (void)InstancePtr;
  const u32 source = source_of(Int_Id);
  if (source != 0) plic_connect(source, 1, on_line, (void*)(uintptr_t)Int_Id);
}

void XScuGic_Disable(XScuGic* InstancePtr, u32 Int_Id) {
  (void)InstancePtr;
  const u32 source = source_of(Int_Id);
  if (source != 0) plic_disconnect(source);
}

void XScuGic_SetPriorityTriggerType(XScuGic* InstancePtr, u32 Int_Id, u8 Priority, u8 Trigger) {
  (void)InstancePtr;
  if (!is_line(Int_Id)) return;
  asked_for[Int_Id].priority = Priority;
  asked_for[Int_Id].trigger = Trigger;
}

void XScuGic_GetPriorityTriggerType(XScuGic* InstancePtr, u32 Int_Id, u8* Priority, u8* Trigger) {
  (void)InstancePtr;
  if (!is_line(Int_Id)) return;
  *Priority = asked_for[Int_Id].priority;
  *Trigger = asked_for[Int_Id].trigger;
}

void XScuGic_InterruptHandler(XScuGic* InstancePtr) {
  const XScuGic_VectorTableEntry* entry = &InstancePtr->Config->HandlerTable[raised];
  if (entry->Handler != NULL)
    entry->Handler(entry->CallBackRef);
  else
    ++InstancePtr->UnhandledInterrupts;
}
