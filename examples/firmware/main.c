// Multiplies two matrices on the board's tinyTPU and prints the product and what it took.
#include <inttypes.h>
#include <stdio.h>

#include "firmware/board/tpu.h"

enum { ROWS = 4, UNIT = 16, MAX_WIDTH = 256 };  // numbers are multiples of 1 / 16

static const int8_t left[ROWS][ROWS] = {{1, 2, 3, 4}, {5, 6, 7, 0}, {1, 1, 1, 1}, {7, 0, 0, 7}};
static const int8_t right[ROWS][ROWS] = {{1, 0, 2, 0}, {0, 1, 0, 2}, {1, 1, 0, 0}, {2, 0, 1, 1}};

static struct tinytpu tpu;

// The upper left corner of an array of any width; its other weights and inputs are zero.
static void fill(int8_t rows[ROWS][MAX_WIDTH], const int8_t values[ROWS][ROWS]) {
  for (int i = 0; i < ROWS; ++i) {
    for (int j = 0; j < ROWS; ++j) rows[i][j] = UNIT * values[i][j];
  }
}

int main(void) {
  if (board_tpu_init(&tpu, 0) != 0 || tpu.geometry.matrix_width < ROWS) {
    printf("there is no tinyTPU of at least 4 x 4\n");
    return 1;
  }
  const uint32_t width = tpu.geometry.matrix_width;
  static int8_t weights[MAX_WIDTH][MAX_WIDTH], inputs[ROWS][MAX_WIDTH], outputs[ROWS][MAX_WIDTH];
  fill(weights, right);
  fill(inputs, left);
  tinytpu_write_weights(&tpu, 0, width, weights, MAX_WIDTH);
  tinytpu_write_inputs(&tpu, 0, ROWS, inputs, MAX_WIDTH);

  tinytpu_push(&tpu, tinytpu_read_weights(0, width, true));
  tinytpu_push(&tpu, tinytpu_matrix_multiply(0, 0, width, TINYTPU_SIGNED_DATA));
  tinytpu_push(&tpu, tinytpu_activate(ROWS, 0, ROWS, TINYTPU_RELU, true));  // the sum of products / 256
  tinytpu_synchronize(&tpu);                                                // sleeps until the interrupt

  tinytpu_read_outputs(&tpu, ROWS, ROWS, outputs, MAX_WIDTH);
  for (int i = 0; i < ROWS; ++i) {
    for (int j = 0; j < ROWS; ++j) printf(" %3d", outputs[i][j]);
    printf("\n");
  }
  printf("%" PRIu32 " cycles of the tinyTPU\n", tinytpu_runtime(&tpu));
  return 0;
}
