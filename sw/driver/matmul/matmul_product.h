// Products of matrices larger than the array, by tiles, on both threads of a MatMul device.
#ifndef SW_DRIVER_MATMUL_PRODUCT_H
#define SW_DRIVER_MATMUL_PRODUCT_H

#include "sw/driver/matmul/matmul.h"

#ifdef __cplusplus
extern "C" {
#endif

// A product's shape: C (rows × columns) = A (rows × inner) * B (inner × columns), all row-major without gaps.
struct matmul_shape {
  uint32_t rows, inner, columns;
};

// Pages of block memory that a product takes: the tiles of A, B and C and one of zeros; 0: too many tiles.
uint32_t matmul_product_pages(const struct matmul* device, const struct matmul_shape* shape);

// Computes C modulo 2^32. Tiles of B wait in the two threads' banks by turns: while one thread computes with a tile,
// the other loads the next, both started in the same clock so that the LOAD is never late. Results are fetched in
// portions that the transmit FIFO holds. 0; -E2BIG: more pages or instructions than the device has; -ENOTSUP: a device
// that cannot send a matrix without losing bytes; -ETIMEDOUT, -EPROTO: as matmul_receive, after it has been
// resynchronised.
int matmul_product(struct matmul* device, const struct matmul_shape* shape, const int32_t* a, const int32_t* b,
                   int32_t* c);

#ifdef __cplusplus
}
#endif

#endif
