// A program in the style of the original hardware's C driver: its types, its calls, its fixed addresses, a flag that
// the interrupt sets. Only setup_interrupt belongs to this board. Exit code 0 when all results are right.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "platform.h"
#include "tinyTPU_access.h"

static volatile char synchronize_happened;

// ---- interrupt controller: the one part that a program for the original has to change ----
#include "firmware/board/board.h"
#include "firmware/board/cpu.h"
#include "firmware/board/plic.h"

static void synchronize_isr(void* context) {
  (void)context;
  synchronize_happened = 1;
}

static void setup_interrupt(void) {
  struct board_device tpu = {.interrupt = 1};
  board_find("jofrfu,tinytpu", 0, &tpu);
  plic_connect(tpu.interrupt, 1, synchronize_isr, NULL);
  cpu_enable_interrupts();
}
// -------------------------------------------------------------------------------------------

enum { LOAD_WEIGHTS = 0x08, MATRIX_MULTIPLY = 0x20, RELU = 0x81, SYNCHRONIZE = 0xFF };

static void issue(uint8_t op_code, uint8_t length, uint8_t buffer) {
  instruction_t instruction = {.op_code = op_code, .calc_length = {length}};
  instruction.buf_address[0] = buffer;
  write_instruction(&instruction);
}

// Input (row, column), all different.
static uint8_t input(int row, int column) { return (uint8_t)(18 * row + column); }

int main(void) {
  init_platform();
  setup_interrupt();

  tpu_vector_t vector;
  for (int row = 0; row < TPU_VECTOR_SIZE; ++row) {
    for (int i = 0; i < TPU_VECTOR_SIZE; ++i) vector.byte_vector[i] = input(row, i);
    if (write_input_vector(&vector, row)) printf("Bad address!\n");
    for (int i = 0; i < TPU_VECTOR_SIZE; ++i) vector.byte_vector[i] = i == row ? 0xFF : 0;
    if (write_weight_vector(&vector, row)) printf("Bad address!\n");
  }

  issue(LOAD_WEIGHTS, TPU_VECTOR_SIZE, 0);
  issue(MATRIX_MULTIPLY, TPU_VECTOR_SIZE, 0);
  issue(RELU, TPU_VECTOR_SIZE, TPU_VECTOR_SIZE);
  issue(SYNCHRONIZE, 0, 0);
  while (!synchronize_happened)
    ;

  int wrong = 0;
  for (int row = 0; row < TPU_VECTOR_SIZE; ++row) {
    if (read_output_vector(&vector, TPU_VECTOR_SIZE + row)) printf("Bad address!\n");
    printf("row %2d:", row);
    for (int i = 0; i < TPU_VECTOR_SIZE; ++i) {
      // The diagonal holds 255/256: the product is rounded to a byte.
      wrong += vector.byte_vector[i] != (input(row, i) * 255 + 128) / 256;
      printf(" %02x", vector.byte_vector[i]);
    }
    printf("\n");
  }
  uint32_t cycles;
  read_runtime(&cycles);
  printf("Calculations took %u cycles/%f nanoseconds to complete, %d wrong results.\n", (unsigned)cycles,
         cycles * TPU_CLOCK_CYCLE, wrong);

  cleanup_platform();
  return wrong != 0;
}
