// Stores to where there is nothing, without expecting it: shows the board library's trap report. Exit code 3.
#include <stdio.h>

#include "firmware/board/mmio.h"

int main(void) {
  printf("about to store to 0x08000000\n");
  mmio_write32(0x08000000, 1);
  printf("the store went somewhere\n");
  return 0;
}
