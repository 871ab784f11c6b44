#include "sw/mlp/mlp_steps.h"

#include "sw/mlp/mlp_tiles.h"

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

uint32_t mlp_load_images(const struct mlp* mlp, const uint8_t* inputs, uint32_t images) {
  const uint32_t width = width_of(mlp), vectors = smaller(images, mlp->group * width);
  for (uint32_t batch = 0, done = 0; done < vectors; ++batch, done += width)
    load_batch(mlp, batch, inputs + (size_t)done * mlp->layers[0].inputs, smaller(vectors - done, width));
  return vectors;
}

uint32_t mlp_input_rows(const struct mlp* mlp, uint32_t images) {
  return tiles(images, width_of(mlp)) * mlp->placements[0].row_tiles * width_of(mlp);
}

uint32_t mlp_weight_rows(const struct mlp* mlp) {
  const struct mlp_placement* last = &mlp->placements[mlp->layer_count - 1];
  return last->weight_row + last->row_tiles * last->column_blocks * width_of(mlp);
}

uint32_t mlp_start_layer(const struct mlp* mlp, uint32_t layer, uint32_t images) {
  push_layer(mlp, layer, tiles(images, width_of(mlp)));
  return tinytpu_start_synchronize(mlp->device);
}

void mlp_finish_layer(struct mlp* mlp) { mlp->device_cycles += tinytpu_runtime(mlp->device); }

void mlp_read_images(const struct mlp* mlp, uint32_t images, uint8_t* outputs) {
  const uint32_t width = width_of(mlp);
  for (uint32_t batch = 0, done = 0; done < images; ++batch, done += width) {
    read_batch(mlp, batch, outputs + (size_t)done * mlp->layers[mlp->layer_count - 1].outputs,
               smaller(images - done, width));
  }
}
