// The pieces of a network's run that mlp.c does in one go and mlp_steps.c one at a time: rows of a batch, instructions
// of a layer. Static functions, so that each translation unit inlines its own.
#ifndef SW_MLP_MLP_TILES_H
#define SW_MLP_MLP_TILES_H

#include <stdbool.h>
#include <string.h>

#include "sw/mlp/mlp.h"

enum { MAX_WIDTH = 256 };

static uint32_t width_of(const struct mlp* mlp) { return mlp->device->geometry.matrix_width; }
static uint32_t tiles(uint32_t elements, uint32_t width) { return (elements + width - 1) / width; }

// One batch's inputs: for each tile of N elements N rows, one a vector.
static void load_batch(const struct mlp* mlp, uint32_t batch, const uint8_t* inputs, uint32_t vectors) {
  const uint32_t width = width_of(mlp), elements = mlp->layers[0].inputs, row_tiles = mlp->placements[0].row_tiles;
  uint32_t row = mlp->placements[0].input_row + batch * row_tiles * width;
  for (uint32_t tile = 0; tile < row_tiles; ++tile, row += width) {
    const uint32_t first = tile * width;
    if (elements - first >= width) {
      (void)tinytpu_write_inputs(mlp->device, row, vectors, inputs + first, elements);
      continue;
    }
    _Alignas(4) uint8_t bytes[MAX_WIDTH] = {0};  // behind the elements: padding
    for (uint32_t vector = 0; vector < vectors; ++vector) {
      memcpy(bytes, inputs + (size_t)vector * elements + first, elements - first);
      (void)tinytpu_write_inputs(mlp->device, row + vector, 1, bytes, 0);
    }
  }
}

static void read_batch(const struct mlp* mlp, uint32_t batch, uint8_t* outputs, uint32_t vectors) {
  const uint32_t width = width_of(mlp), elements = mlp->layers[mlp->layer_count - 1].outputs;
  const uint32_t blocks = mlp->placements[mlp->layer_count - 1].column_blocks;
  uint32_t row = mlp->output_row + batch * blocks * width;
  for (uint32_t block = 0; block < blocks; ++block, row += width) {
    const uint32_t first = block * width;
    const uint32_t columns = elements - first < width ? elements - first : width;
    for (uint32_t vector = 0; vector < vectors; ++vector) {
      uint8_t bytes[MAX_WIDTH];
      (void)tinytpu_read_outputs(mlp->device, row + vector, 1, bytes, 0);
      memcpy(outputs + (size_t)vector * elements + first, bytes, columns);
    }
  }
}

// Streams `length` rows of weights against as many rows of inputs into accumulators 0 to N - 1. The multiply stands
// right behind its read_weights, so that it issues one cycle later and each tile is taken before the next one
// overwrites it.
static void push_tiles(const struct mlp* mlp, uint32_t weight_row, uint32_t input_row, uint32_t length,
                       bool accumulate) {
  // An accumulating multiply reads its addends 6 cycles before it writes. At N = 2 the previous tile is 6 cycles ahead:
  // a read_weights of no rows holds this one back for 4 more.
  if (accumulate && width_of(mlp) == 2) tinytpu_push(mlp->device, tinytpu_read_weights(0, 0, true));
  tinytpu_push(mlp->device, tinytpu_read_weights(weight_row, length, true));
  tinytpu_push(mlp->device, tinytpu_matrix_multiply(input_row, 0, length,
                                                    TINYTPU_SIGNED_DATA | (accumulate ? TINYTPU_ACCUMULATE : 0)));
}

static void push_block(const struct mlp* mlp, uint32_t weight_row, uint32_t input_row, uint32_t row_tiles) {
  const uint32_t width = width_of(mlp);
  push_tiles(mlp, weight_row, input_row, width, false);
  // Below N = 7 the rows of one instruction come round before their last sums are written: one instruction a tile.
  const uint32_t step = width < 7 ? 1 : row_tiles - 1;
  for (uint32_t tile = 1; tile < row_tiles; tile += step) {
    push_tiles(mlp, weight_row + tile * width, input_row + tile * width, step * width, true);
  }
}

static void push_layer(const struct mlp* mlp, uint32_t index, uint32_t batches) {
  const struct mlp_placement* placement = &mlp->placements[index];
  const uint32_t width = width_of(mlp), tile_rows = placement->row_tiles * width;
  uint32_t output_row = index + 1 < mlp->layer_count ? mlp->placements[index + 1].input_row : mlp->output_row;
  for (uint32_t batch = 0; batch < batches; ++batch) {
    for (uint32_t block = 0; block < placement->column_blocks; ++block, output_row += width) {
      push_block(mlp, placement->weight_row + block * tile_rows, placement->input_row + batch * tile_rows,
                 placement->row_tiles);
      tinytpu_push(mlp->device, tinytpu_activate(output_row, 0, width, mlp->layers[index].activation, true));
    }
  }
}

#endif
