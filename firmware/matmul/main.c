// Multiplies two matrices larger than the MatMul device's array over UART1, compares with the product computed here,
// and prints how long it took. Tiles of B are loaded by one thread while the other computes.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "firmware/board/board.h"
#include "firmware/board/clint.h"
#include "firmware/board/cpu.h"
#include "firmware/board/device_tree.h"
#include "firmware/matmul/uart_line.h"
#include "sw/driver/matmul/matmul_product.h"
#include "sw/driver/matmul/matmul_trial.h"

static struct uart_line line;
static struct matmul device;

// What the device tree says about the port and the device behind it; without it the default machine's.
struct settings {
  uint32_t clock_frequency, baud, mesh, tile;
};

static struct settings read_settings(uintptr_t port) {
  struct settings settings = {3686400, 115200, 2, 2};
  struct device_tree_node node;
  for (unsigned i = 0; device_tree_find_compatible(board_get()->device_tree, "ns16550a", i, &node); ++i) {
    uint64_t base, size;
    if (!device_tree_reg(&node, 0, &base, &size) || base != port) continue;
    device_tree_cell(&node, "clock-frequency", 0, &settings.clock_frequency);
    device_tree_cell(&node, "current-speed", 0, &settings.baud);
    device_tree_cell(&node, "matmul,mesh", 0, &settings.mesh);
    device_tree_cell(&node, "matmul,tile", 0, &settings.tile);
  }
  return settings;
}

int main(void) {
  const struct board_device port = board_get()->uart1;
  const struct settings settings = read_settings(port.base);
  uart_line_open(&line, &port, settings.clock_frequency, settings.baud);
  const struct matmul_line stream = uart_line_stream(&line);
  int error = matmul_init(&device, &stream, settings.mesh, settings.tile, settings.baud);
  if (error != 0) {
    printf("no matmul device of %" PRIu32 " x %" PRIu32 "\n", settings.mesh, settings.tile);
    return 1;
  }
  fill(a, ROWS * INNER);
  fill(b, INNER * COLUMNS);
  const struct matmul_shape shape = {ROWS, INNER, COLUMNS};
  printf("C (%dx%d) = A (%dx%d) * B (%dx%d) on an array of %" PRIu32 "x%" PRIu32 "\n", ROWS, COLUMNS, ROWS, INNER,
         INNER, COLUMNS, device.side, device.side);
  const uint64_t start = stream.microseconds(stream.context);
  error = matmul_product(&device, &shape, a, b, c);
  const uint64_t time = stream.microseconds(stream.context) - start;
  if (error != 0) {
    printf("matmul: %s\n", strerror(-error));
    return 1;
  }
  const uint32_t wrong = count_wrong();
  printf("%" PRIu64 " us, %d words, %" PRIu32 " wrong, %" PRIu32 " overruns\n", time, ROWS * COLUMNS, wrong,
         line.overruns);
  return wrong == 0 ? 0 : 1;
}
