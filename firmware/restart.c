// Resets the machine once and looks whether everything came back as after power-on. Exit code 0: it did.
#include <stdint.h>
#include <stdio.h>

#include "firmware/board/board.h"
#include "firmware/board/clint.h"
#include "firmware/board/cpu.h"
#include "firmware/board/mmio.h"
#include "firmware/board/plic.h"

extern char __stack_top[];

// Behind the program's memory, where neither the loader nor the start-up code writes: it counts the starts.
#define MARKER ((volatile uint32_t*)__stack_top)
enum {
  FIRST_START = 0x52535431,
  // Minutes ahead, since QEMU keeps mtimecmp over a reset, and carries that out some time later.
  TIMER_FAR_AHEAD = 2000001234
};

static uint32_t initialised = 42;

static int look(const char* what, bool good) {
  printf("%s %s\n", good ? "ok    " : "FAILED", what);
  return good ? 0 : 1;
}

int main(void) {
  const struct board* board = board_get();
  if (MARKER[0] != FIRST_START) {
    MARKER[0] = FIRST_START;
    printf("first start\n");
    initialised = 7;
    clint_set_timer(TIMER_FAR_AHEAD);
    clint_set_software_interrupt(1);
    mmio_write32(board->plic.base + PLIC_PRIORITY(1), 5);
    CSR_WRITE(mscratch, 99);
    board_reset();
  }
  MARKER[0] = 0;
  printf("second start\n");
  int failures = look("variables have their initial values", initialised == 42);
  failures += look("the timer is off", (CSR_READ(mip) >> INTERRUPT_TIMER & 1) == 0);
  failures += look("the software interrupt is off", mmio_read32(board->clint.base + CLINT_MSIP) == 0);
  failures += look("interrupt priorities are zero", mmio_read32(board->plic.base + PLIC_PRIORITY(1)) == 0);
  failures += look("interrupts are disabled", (CSR_READ(mstatus) & MSTATUS_MIE) == 0);
  printf("restart: %s\n", failures == 0 ? "passed" : "FAILED");
  return failures != 0;
}
