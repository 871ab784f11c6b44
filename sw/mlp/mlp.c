#include "sw/mlp/mlp.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

enum { MAX_WIDTH = 256 };

static uint32_t width_of(const struct mlp* mlp) { return mlp->device->geometry.matrix_width; }
static uint32_t tiles(uint32_t elements, uint32_t width) { return (elements + width - 1) / width; }

int mlp_init(struct mlp* mlp, struct tinytpu* device, const struct mlp_layer* layers, uint32_t layer_count) {
  if (layer_count == 0 || layer_count > MLP_MAX_LAYERS) return -EINVAL;
  *mlp = (struct mlp){.device = device, .layers = layers, .layer_count = layer_count};
  const uint32_t width = width_of(mlp);
  uint64_t weight_rows = 0, rows_a_batch = 0;
  for (uint32_t i = 0; i < layer_count; ++i) {
    if (layers[i].inputs == 0 || layers[i].outputs == 0 || (i > 0 && layers[i].inputs != layers[i - 1].outputs))
      return -EINVAL;
    struct mlp_placement* placement = &mlp->placements[i];
    placement->row_tiles = tiles(layers[i].inputs, width);
    placement->column_blocks = tiles(layers[i].outputs, width);
    placement->weight_row = (uint32_t)weight_rows;
    weight_rows += (uint64_t)placement->row_tiles * placement->column_blocks * width;
    rows_a_batch += (uint64_t)placement->row_tiles * width;
    if (weight_rows > device->geometry.weight_buffer_depth) return -ENOSPC;
  }
  rows_a_batch += (uint64_t)mlp->placements[layer_count - 1].column_blocks * width;
  mlp->group = (uint32_t)(device->geometry.unified_buffer_depth / rows_a_batch);
  if (mlp->group == 0) return -ENOSPC;
  uint32_t row = 0;
  for (uint32_t i = 0; i < layer_count; ++i) {
    mlp->placements[i].input_row = row;
    row += mlp->group * mlp->placements[i].row_tiles * width;
  }
  mlp->output_row = row;
  return 0;
}

// Row tile by row tile inside a column block, block by block: the order in which the multiplies stream them.
static void load_layer(const struct mlp* mlp, const struct mlp_layer* layer, const struct mlp_placement* placement) {
  const uint32_t width = width_of(mlp);
  uint32_t row = placement->weight_row;
  for (uint32_t block = 0; block < placement->column_blocks; ++block) {
    const uint32_t first = block * width;
    const uint32_t columns = layer->outputs - first < width ? layer->outputs - first : width;
    _Alignas(4) uint8_t bytes[MAX_WIDTH] = {0};  // behind the columns: padding
    for (uint32_t input = 0; input < placement->row_tiles * width; ++input) {
      if (input < layer->inputs) {
        memcpy(bytes, layer->weights + (size_t)input * layer->outputs + first, columns);
      } else {
        memset(bytes, 0, columns);
      }
      (void)tinytpu_write_weights(mlp->device, row++, 1, bytes, 0);  // inside the buffer: mlp_init has seen to it
    }
  }
}

void mlp_load_weights(const struct mlp* mlp) {
  for (uint32_t i = 0; i < mlp->layer_count; ++i) load_layer(mlp, &mlp->layers[i], &mlp->placements[i]);
}

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

static void run_group(struct mlp* mlp, uint32_t batches) {
  for (uint32_t i = 0; i < mlp->layer_count; ++i) {
    push_layer(mlp, i, batches);
    tinytpu_synchronize(mlp->device);
    mlp->device_cycles += tinytpu_runtime(mlp->device);
  }
}

void mlp_run(struct mlp* mlp, const uint8_t* inputs, uint32_t images, uint8_t* outputs) {
  const uint32_t width = width_of(mlp);
  const uint32_t input_bytes = mlp->layers[0].inputs, output_bytes = mlp->layers[mlp->layer_count - 1].outputs;
  while (images > 0) {
    const uint32_t batches = tiles(images, width) < mlp->group ? tiles(images, width) : mlp->group;
    const uint32_t vectors = images < batches * width ? images : batches * width;
    for (uint32_t batch = 0, done = 0; done < vectors; ++batch, done += width) {
      load_batch(mlp, batch, inputs + (size_t)done * input_bytes, vectors - done < width ? vectors - done : width);
    }
    run_group(mlp, batches);
    for (uint32_t batch = 0, done = 0; done < vectors; ++batch, done += width) {
      read_batch(mlp, batch, outputs + (size_t)done * output_bytes, vectors - done < width ? vectors - done : width);
    }
    inputs += (size_t)vectors * input_bytes;
    outputs += (size_t)vectors * output_bytes;
    images -= vectors;
  }
}
