#include "firmware/board/clint.h"

#include "firmware/board/board.h"
#include "firmware/board/mmio.h"

static uintptr_t base(void) { return board_get()->clint.base; }

uint64_t clint_time(void) {
  // Two halves on a bus that a 32-bit hart reads by words: again, when the upper half moved in between.
  uint32_t high, low;
  do {
    high = mmio_read32(base() + CLINT_MTIME + 4);
    low = mmio_read32(base() + CLINT_MTIME);
  } while (mmio_read32(base() + CLINT_MTIME + 4) != high);
  return (uint64_t)high << 32 | low;
}

void clint_set_timer(uint64_t time) {
  // Never below the new value on the way there: the upper half goes through its maximum.
  mmio_write32(base() + CLINT_MTIMECMP + 4, UINT32_MAX);
  mmio_write32(base() + CLINT_MTIMECMP, (uint32_t)time);
  mmio_write32(base() + CLINT_MTIMECMP + 4, (uint32_t)(time >> 32));
}

void clint_stop_timer(void) { clint_set_timer(UINT64_MAX); }

void clint_set_software_interrupt(uint32_t level) { mmio_write32(base() + CLINT_MSIP, level); }
