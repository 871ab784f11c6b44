// Interrupts of timer, tinyTPU and UART at odd moments, between loads, stores, sleeps and device accesses that a random
// sequence chooses. Prints a checksum over the cycle and the instruction count of each interrupt and over all data: it
// must not depend on how a simulator cuts time into pieces.
#include <inttypes.h>
#include <stdio.h>

#include "firmware/board/board.h"
#include "firmware/board/clint.h"
#include "firmware/board/cpu.h"
#include "firmware/board/mmio.h"
#include "firmware/board/plic.h"
#include "firmware/board/tpu.h"
#include "firmware/board/trap.h"
#include "firmware/board/uart.h"

enum { STEPS = 3000, WORDS = 4096 };

static volatile uint32_t ticks, pulses, sent;
static uint32_t memory[WORDS];
static uint64_t checksum = 14695981039346656037u;

static void note(uint64_t value) { checksum = (checksum ^ value) * 1099511628211u; }

static void note_moment(void) {
  note(cpu_cycles());
  note(cpu_instructions());
}

static void on_timer(void* context) {
  uint32_t* period = context;
  ++ticks;
  note_moment();
  *period = *period * 5 % 127 + 1;  // 1 to 127 ticks of mtime, in no simple order
  clint_set_timer(clint_time() + *period);
}

static void on_synchronize(void* context) {
  (void)context;
  ++pulses;
  note_moment();
}

static void on_sent(void* context) {
  (void)context;
  note(mmio_read8(board_get()->uart0.base + UART_IIR));
  mmio_write8(board_get()->uart0.base + UART_IER, 0);
  ++sent;
  note_moment();
}

static void touch_memory(uint32_t random) {
  for (uint32_t i = 0; i < (random >> 20 & 255); ++i) memory[i * 7 % WORDS] += random ^ i;
}

static void send_character(void) {
  mmio_write8(board_get()->uart0.base + UART_THR, '.');
  mmio_write8(board_get()->uart0.base + UART_IER, UART_IER_ETBEI);
}

static void step(const struct tinytpu* tpu, uint32_t random) {
  switch (random >> 29) {
    case 0:
      tinytpu_push(tpu, tinytpu_encode(TINYTPU_OP_SYNCHRONIZE, 0, 0));
      if (random % 16 == 1) send_character();
      break;
    case 1:
      note(tinytpu_runtime(tpu));
      break;
    case 2:
      touch_memory(random);
      break;
    case 3:
      note(clint_time());
      break;
    case 4:
      note_moment();
      break;
    case 5:
      if (random & 0x1000000) cpu_sleep_while_equal(&ticks, ticks);
      break;
    case 6:
      __asm__ volatile("fence.i");
      break;
    default:
      tinytpu_push(tpu, tinytpu_matrix_multiply(0, 0, random >> 8 & 63, 0));
      break;
  }
}

int main(void) {
  struct tinytpu tpu;
  uint32_t period = 1, random = 12345;
  const int error = board_tpu_init(&tpu, 0);
  if (error != 0) {
    printf("storm: no usable tinyTPU in the device tree (error %d)\n", -error);
    return 1;
  }
  struct board_device place;
  board_find("jofrfu,tinytpu", 0, &place);
  plic_connect(place.interrupt, 3, on_synchronize, NULL);
  plic_connect(board_get()->uart0.interrupt, 2, on_sent, NULL);
  trap_connect(INTERRUPT_TIMER, on_timer, &period);
  clint_set_timer(clint_time() + 13);
  cpu_enable_interrupts();
  for (unsigned i = 0; i < STEPS; ++i) {
    random = random * 1664525u + 1013904223u;
    step(&tpu, random);
  }
  cpu_disable_interrupts();
  for (unsigned i = 0; i < WORDS; ++i) note(memory[i]);
  printf("\nstorm: %" PRIu32 " ticks, %" PRIu32 " pulses, %" PRIu32 " characters, checksum %016" PRIx64 "\n", ticks,
         pulses, sent, checksum);
  return ticks != 0 && pulses != 0 && sent != 0 ? 0 : 1;
}
