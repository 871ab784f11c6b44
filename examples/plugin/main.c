// Asks the unit for the CRC-32 of "123456789", which is known.
#include <inttypes.h>
#include <stdio.h>

#include "firmware/board/board.h"
#include "firmware/board/mmio.h"

enum { DATA = 0, START = 4, CRC = 8 };

int main(void) {
  struct board_device unit;
  if (!board_find("example,crc32", 0, &unit)) {
    printf("there is no CRC unit\n");
    return 1;
  }
  mmio_write32(unit.base + START, 0);
  for (const char* text = "123456789"; *text; ++text) mmio_write32(unit.base + DATA, (uint8_t)*text);
  const uint32_t crc = mmio_read32(unit.base + CRC);
  printf("CRC-32 0x%08" PRIx32 "\n", crc);
  return crc == 0xCBF43926 ? 0 : 1;
}
