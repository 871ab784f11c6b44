#include "xil_exception.h"

static struct {
  Xil_ExceptionHandler handler;
  void* data;
} registered[XIL_EXCEPTION_ID_LAST + 1];

void Xil_ExceptionInit(void) {}

void Xil_ExceptionRegisterHandler(u32 Exception_id, Xil_ExceptionHandler Handler, void* Data) {
  if (Exception_id > XIL_EXCEPTION_ID_LAST) return;
  registered[Exception_id].handler = Handler;
  registered[Exception_id].data = Data;
}

void Xil_ExceptionRemoveHandler(u32 Exception_id) { Xil_ExceptionRegisterHandler(Exception_id, NULL, NULL); }

void Xil_ExceptionRaise(u32 Exception_id) {
  if (Exception_id <= XIL_EXCEPTION_ID_LAST && registered[Exception_id].handler != NULL)
    registered[Exception_id].handler(registered[Exception_id].data);
}
