// A product to try a MatMul device with: two matrices larger than its array, and whether C is right. Static, so that
// each program has its own.
#ifndef SW_DRIVER_MATMUL_TRIAL_H
#define SW_DRIVER_MATMUL_TRIAL_H

#include <stdint.h>

enum { ROWS = 10, INNER = 9, COLUMNS = 7 };

static int32_t a[ROWS * INNER], b[INNER * COLUMNS], c[ROWS * COLUMNS];

// Numbers of all sizes and signs; xorshift, so that every run has the same.
static int32_t next_number(void) {
  static uint32_t state = 2463534242u;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return (int32_t)state >> (state % 24);
}

static void fill(int32_t* matrix, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) matrix[i] = next_number();
}

// Words of C that are not those of A * B modulo 2^32.
static uint32_t count_wrong(void) {
  uint32_t wrong = 0;
  for (uint32_t row = 0; row < ROWS; ++row) {
    for (uint32_t column = 0; column < COLUMNS; ++column) {
      uint32_t sum = 0;
      for (uint32_t k = 0; k < INNER; ++k) sum += (uint32_t)a[row * INNER + k] * (uint32_t)b[k * COLUMNS + column];
      if (sum != (uint32_t)c[row * COLUMNS + column]) ++wrong;
    }
  }
  return wrong;
}

#endif
