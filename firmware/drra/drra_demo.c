// A convolution and a matrix-vector product on the DRRA fabric, larger than one of its cells: the host lays samples,
// coefficients and matrices out by rows, the fabric's DMA carries them to its memories and results back, and the host
// computes the same. Exit code 0 when every word is equal, 1 when one is not.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "firmware/board/board.h"
#include "firmware/board/cpu.h"
#include "firmware/board/device_tree.h"
#include "firmware/drra/board_drra.h"
#include "sw/drra/kernels.h"

enum { MOST_COLUMNS = 64, MOST_CELLS = DRRA_ROWS * MOST_COLUMNS };
enum { TAPS = 4, CELL_OUTPUTS = 28, MOST_OUTPUTS = MOST_CELLS * CELL_OUTPUTS };
enum { PAIR_ROWS = 6, PAIR_COLUMNS = 16, HALF = PAIR_COLUMNS / 2, MOST_MATRIX_ROWS = MOST_CELLS / 2 * PAIR_ROWS };
enum { MOST_CARRIED_ROWS = 5 };

typedef int16_t row[DRRA_ROW_WORDS];

static struct drra fabric;
static int16_t samples[MOST_OUTPUTS + TAPS - 1], sums[MOST_OUTPUTS];
static int16_t matrix[MOST_MATRIX_ROWS][PAIR_COLUMNS], vector[PAIR_COLUMNS], products[MOST_MATRIX_ROWS];
static _Alignas(DRRA_ROW_BYTES) row own_stage[MOST_CELLS][MOST_CARRIED_ROWS];
static row (*stage)[MOST_CARRIED_ROWS] = own_stage;  // what the DMA carries

// In the machine's second memory if it has one: there the DMA keeps nobody from the program's own.
static void choose_stage(void) {
  struct device_tree_node node;
  uint64_t base, size;
  if (device_tree_find_type(board_get()->device_tree, "memory", 1, &node) && device_tree_reg(&node, 0, &base, &size) &&
      size >= sizeof own_stage && base + sizeof own_stage <= UINTPTR_MAX)
    stage = (row(*)[MOST_CARRIED_ROWS])(uintptr_t)base;
}

// Numbers that look like nothing.
static int16_t number(uint32_t* state) {
  *state = *state * 1664525u + 1013904223u;
  return (int16_t)((int32_t)*state >> 22);
}

static int16_t saturated(int32_t value) {
  return value > INT16_MAX ? INT16_MAX : value < INT16_MIN ? INT16_MIN : (int16_t)value;
}

// The memory of cell (r, c): row 0 of the cells has the first row of memories, row 1 the second.
static struct drra_rows rows_of(uint32_t cell, uint32_t first, uint32_t count) {
  const uint32_t tile = drra_tile_row(&fabric, 1 + cell / fabric.columns, cell % fabric.columns, first);
  return (struct drra_rows){.first = tile, .count = count};
}

// The first `count` rows of each cell's stage to its memory.
static int carry_in(uint32_t cells, uint32_t count) {
  for (uint32_t cell = 0; cell < cells; ++cell) {
    const int error = drra_carry_in(&fabric, rows_of(cell, 0, count), (uintptr_t)stage[cell]);
    if (error != 0) return error;
  }
  return 0;
}

static int carry_out(uint32_t cell, uint32_t first, uint32_t count) {
  return drra_carry_out(&fabric, rows_of(cell, first, count), (uintptr_t)stage[cell]);
}

static int verdict(const char* what, uint32_t wrong, uint64_t cycles, uint64_t work, const char* unit) {
  printf("%s: %" PRIu64 " %s in %" PRIu64 " cycles of the fabric: %s\n", what, work, unit, cycles,
         wrong == 0 ? "equal to the host" : "WRONG");
  return wrong == 0 ? 0 : 1;
}

static int convolve(uint32_t cells) {
  const int16_t coefficients[TAPS] = {3, -5, 7, 2};
  const uint32_t outputs = cells * CELL_OUTPUTS;
  uint32_t state = 1;
  for (uint32_t i = 0; i < outputs + TAPS - 1; ++i) samples[i] = number(&state);
  for (uint32_t cell = 0; cell < cells; ++cell) {
    const bool near = cell < fabric.columns;
    const struct drra_kernel* kernel = near ? &drra_convolution_near : &drra_convolution_far;
    drra_load(&fabric, cell / fabric.columns, cell % fabric.columns, kernel->words, kernel->count);
    memcpy(stage[cell], samples + cell * CELL_OUTPUTS, (CELL_OUTPUTS + TAPS - 1) * sizeof *samples);
    memcpy(stage[cell][2], coefficients, sizeof coefficients);
  }
  int error = carry_in(cells, 3);
  const uint64_t cycles = drra_run(&fabric);
  for (uint32_t cell = 0; cell < cells && error == 0; ++cell) {
    error = carry_out(cell, 3, 2);
    memcpy(sums + cell * CELL_OUTPUTS, stage[cell][0] + TAPS, CELL_OUTPUTS * sizeof *sums);
  }
  if (error != 0) return error;
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < outputs; ++i) {
    int32_t sum = 0;
    for (uint32_t k = 0; k < TAPS; ++k) sum += coefficients[k] * samples[i + k];
    wrong += sums[i] != saturated(sum);
  }
  return verdict("convolution", wrong, cycles, outputs, "outputs");
}

// Pairs of neighbours: cells 2 p and 2 p + 1 of a row have rows 6 p to 6 p + 5 of the matrix.
static void lay_out_pair(uint32_t pair, uint32_t left) {
  for (uint32_t half = 0; half < 2; ++half) {
    int16_t* words = stage[left + half][0];
    for (uint32_t i = 0; i < PAIR_ROWS; ++i)
      memcpy(words + i * HALF, matrix[pair * PAIR_ROWS + i] + half * HALF, HALF * sizeof *words);
    memcpy(words + PAIR_ROWS * HALF, vector + half * HALF, HALF * sizeof *words);
  }
}

static void load_pair(uint32_t left) {
  const bool near = left < fabric.columns;
  const struct drra_kernel* kernels[] = {near ? &drra_matvec_near_left : &drra_matvec_far_left,
                                         near ? &drra_matvec_near_right : &drra_matvec_far_right};
  for (uint32_t half = 0; half < 2; ++half)
    drra_load(&fabric, left / fabric.columns, left % fabric.columns + half, kernels[half]->words, kernels[half]->count);
}

static uint32_t left_cell(uint32_t pair) {
  const uint32_t in_a_row = fabric.columns / 2;
  return pair / in_a_row * fabric.columns + pair % in_a_row * 2;
}

static int multiply(uint32_t pairs) {
  const uint32_t matrix_rows = pairs * PAIR_ROWS;
  uint32_t state = 7;
  for (uint32_t i = 0; i < matrix_rows; ++i)
    for (uint32_t k = 0; k < PAIR_COLUMNS; ++k) matrix[i][k] = number(&state) / 8;
  for (uint32_t k = 0; k < PAIR_COLUMNS; ++k) vector[k] = number(&state) / 8;
  int error = 0;
  for (uint32_t pair = 0; pair < pairs && error == 0; ++pair) {
    const uint32_t left = left_cell(pair);
    lay_out_pair(pair, left);
    load_pair(left);
    error = drra_carry_in(&fabric, rows_of(left, 0, 4), (uintptr_t)stage[left]);
    if (error == 0) error = drra_carry_in(&fabric, rows_of(left + 1, 0, 4), (uintptr_t)stage[left + 1]);
  }
  const uint64_t cycles = drra_run(&fabric);
  for (uint32_t pair = 0; pair < pairs && error == 0; ++pair) {
    const uint32_t left = left_cell(pair);
    error = carry_out(left, 4, 1);
    memcpy(products + pair * PAIR_ROWS, stage[left][0] + HALF, PAIR_ROWS * sizeof *products);
  }
  if (error != 0) return error;
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < matrix_rows; ++i) {
    int32_t halves[2] = {0, 0};
    for (uint32_t k = 0; k < PAIR_COLUMNS; ++k) halves[k / HALF] += matrix[i][k] * vector[k];
    wrong += products[i] != saturated(saturated(halves[0]) + saturated(halves[1]));
  }
  return verdict("matrix-vector product", wrong, cycles, (uint64_t)matrix_rows * PAIR_COLUMNS, "products");
}

int main(void) {
  int error = board_drra_init(&fabric, 0);
  if (error != 0) {
    printf("drra_demo: skipped, no DRRA fabric in the device tree\n");
    return 0;
  }
  printf("DRRA fabric: 2 x %" PRIu32 " cells, %s\n", fabric.columns, fabric.wait != NULL ? "interrupt" : "polled");
  if (!fabric.start_skew) {
    printf("drra_demo: the kernels need the start skew (drra.start_skew)\n");
    return 1;
  }
  // Cells of row 1 have the second row of memories.
  const uint32_t rows = fabric.dimarch_rows >= 2 ? 2 : 1;
  choose_stage();
  const uint64_t start = cpu_cycles();
  error = convolve(rows * fabric.columns);
  drra_reset(&fabric);
  if (error == 0 && fabric.columns >= 2) error = multiply(rows * (fabric.columns / 2));
  if (error == 0 && drra_findings(&fabric) != 0) error = 1;
  printf("drra_demo: %s, %" PRIu64 " cycles of the CPU\n", error == 0 ? "passed" : "FAILED", cpu_cycles() - start);
  return error == 0 ? 0 : 1;
}
