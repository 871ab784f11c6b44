// The first program: greets on the console, shows what the device tree says, and is woken twice by the timer.
#include <inttypes.h>
#include <stdio.h>

#include "firmware/board/board.h"
#include "firmware/board/clint.h"
#include "firmware/board/cpu.h"
#include "firmware/board/device_tree.h"
#include "firmware/board/trap.h"

static volatile uint32_t ticks;

static void on_timer(void* context) {
  (void)context;
  ++ticks;
  clint_stop_timer();
}

static void show_memories(void) {
  struct device_tree_node node;
  for (unsigned i = 0; device_tree_find_type(board_get()->device_tree, "memory", i, &node); ++i) {
    uint64_t base, size;
    for (unsigned range = 0; device_tree_reg(&node, range, &base, &size); ++range) {
      printf("memory at 0x%" PRIx64 ", %" PRIu64 " MiB\n", base, size >> 20);
    }
  }
}

static void show_tinytpus(void) {
  struct board_device tpu;
  for (unsigned i = 0; board_find("jofrfu,tinytpu", i, &tpu); ++i) {
    printf("tinyTPU at 0x%08" PRIxPTR ", interrupt %" PRIu32 "\n", tpu.base, tpu.interrupt);
  }
}

int main(void) {
  printf("hello from hart %" PRIuPTR ", rv%d\n", board_get()->hart, __riscv_xlen);
  show_memories();
  show_tinytpus();

  if (!board_has(&board_get()->clint)) {
    printf("no timer\ngoodbye\n");
    return 0;
  }
  trap_connect(INTERRUPT_TIMER, on_timer, NULL);
  for (uint32_t seen = 0; seen < 2; ++seen) {
    clint_set_timer(clint_time() + board_get()->timer_hz / 1000);
    cpu_sleep_while_equal(&ticks, seen);
    printf("tick %" PRIu32 "\n", ticks);
  }
  printf("goodbye\n");
  return 0;
}
