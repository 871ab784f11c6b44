#include "firmware/cdma/board_cdma.h"

#include <errno.h>
#include <stddef.h>

#include "firmware/board/board.h"
#include "firmware/board/cpu.h"
#include "firmware/board/device_tree.h"
#include "firmware/board/plic.h"

static const char compatible[] = "xlnx,axi-cdma-1.00.a";

static void on_interrupt(void* device) { cdma_interrupt(device); }

static void wait(void* context, const volatile uint32_t* completed, uint32_t seen) {
  (void)context;
  cpu_sleep_while_equal(completed, seen);
}

int board_cdma_init(struct cdma* device, unsigned index) {
  struct board_device place;
  struct device_tree_node node;
  if (!board_find(compatible, index, &place) ||
      !device_tree_find_compatible(board_get()->device_tree, compatible, index, &node)) {
    return -ENODEV;
  }
  struct cdma_geometry geometry = {.data_width = 32, .btt_width = 26, .address_width = 32};
  uint32_t length;
  device_tree_cell(&node, "xlnx,datawidth", 0, &geometry.data_width);
  device_tree_cell(&node, "xlnx,sg-length-width", 0, &geometry.btt_width);
  device_tree_cell(&node, "xlnx,addrwidth", 0, &geometry.address_width);
  geometry.include_dre = device_tree_property(&node, "xlnx,include-dre", &length) != NULL;
  const int error = cdma_init(device, place.base, &geometry);
  if (error != 0) return error;
  if (place.interrupt != 0 && place.interrupt < PLIC_SOURCES) {
    cdma_use_interrupt(device, wait, NULL);
    plic_connect(place.interrupt, 1, on_interrupt, device);
    cpu_enable_interrupts();
  }
  return 0;
}
