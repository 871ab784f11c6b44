#include "firmware/drra/board_drra.h"

#include <errno.h>
#include <stddef.h>

#include "firmware/board/board.h"
#include "firmware/board/cpu.h"
#include "firmware/board/plic.h"

static void on_interrupt(void* device) { drra_interrupt(device); }

static void wait(void* context, const volatile uint32_t* events, uint32_t seen) {
  (void)context;
  cpu_sleep_while_equal(events, seen);
}

int board_drra_init(struct drra* device, unsigned index) {
  struct board_device place;
  if (!board_find("tinytpu-vp,drra", index, &place)) return -ENODEV;
  const int error = drra_init(device, place.base);
  if (error != 0) return error;
  if (place.interrupt != 0 && place.interrupt < PLIC_SOURCES) {
    plic_connect(place.interrupt, 1, on_interrupt, device);
    drra_use_interrupt(device, wait, NULL);
    cpu_enable_interrupts();
  }
  return 0;
}
