// A region of interest: the same walk through memory outside and inside of one, and what each cost. Both are named for
// the report.
#include <inttypes.h>
#include <stdio.h>

#include "firmware/board/board.h"
#include "firmware/board/cpu.h"

enum { LINE = 64, LINES = 16384 };  // 1 MiB, more than any first-level cache

static volatile uint8_t bytes[LINES * LINE];

static uint64_t walk(void) {
  const uint64_t begin = cpu_cycles();
  for (unsigned line = 0; line < LINES; ++line) (void)bytes[line * LINE];
  return cpu_cycles() - begin;
}

int main(void) {
  board_begin_region("outside");
  const uint64_t outside = walk();
  board_end_region();
  printf("outside: %" PRIu64 " cycles\n", outside);
  const bool before = board_set_timed(true);
  board_begin_region("inside");
  const uint64_t inside = walk();
  board_end_region();
  board_set_timed(before);
  printf("inside: %" PRIu64 " cycles\n", inside);
  return 0;
}
