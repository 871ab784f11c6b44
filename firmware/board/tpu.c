#include "firmware/board/tpu.h"

#include <errno.h>

#include "firmware/board/board.h"
#include "firmware/board/cpu.h"
#include "firmware/board/device_tree.h"
#include "firmware/board/plic.h"

static const char compatible[] = "jofrfu,tinytpu";

static void on_synchronize(void* device) { tinytpu_interrupt(device); }

static void wait(void* context, const volatile uint32_t* completed, uint32_t seen) {
  (void)context;
  cpu_sleep_while_equal(completed, seen);
}

int board_tpu_init(struct tinytpu* device, unsigned index) {
  struct board_device place;
  struct device_tree_node node;
  struct tinytpu_geometry geometry;
  if (!board_find(compatible, index, &place) ||
      !device_tree_find_compatible(board_get()->device_tree, compatible, index, &node) ||
      !device_tree_cell(&node, "matrix-width", 0, &geometry.matrix_width) ||
      !device_tree_cell(&node, "weight-buffer-depth", 0, &geometry.weight_buffer_depth) ||
      !device_tree_cell(&node, "unified-buffer-depth", 0, &geometry.unified_buffer_depth)) {
    return -ENODEV;
  }
  const int error = tinytpu_init(device, place.base, &geometry);
  if (error != 0) return error;
  if (place.interrupt == 0) return -ENODEV;
  if (device->window.size != place.size) return -EINVAL;
  device->wait = wait;
  plic_connect(place.interrupt, 1, on_synchronize, device);
  cpu_enable_interrupts();
  return 0;
}

uint32_t board_tpu_clock_ps(unsigned index) {
  struct device_tree_node node;
  uint32_t period = 0;
  if (device_tree_find_compatible(board_get()->device_tree, compatible, index, &node)) {
    device_tree_cell(&node, "clock-period-ps", 0, &period);
  }
  return period;
}
