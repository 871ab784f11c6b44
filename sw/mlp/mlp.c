#include "sw/mlp/mlp.h"

#include <errno.h>
#include <string.h>

#include "sw/mlp/mlp_tiles.h"

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
