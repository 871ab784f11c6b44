// Multi-layer perceptrons on the tinyTPU: cuts layers into tiles of the array, streams weights and inputs, collects
// outputs. Portable C11 above the driver, without a heap.
//
// Images are processed in batches of N (the array's width), since the accumulator address of a multiply cycles with
// period N. A layer with R inputs and C outputs is ceil(R/N) x ceil(C/N) tiles, padded with zero weights. All weights
// stay in the weight buffer; as many batches as the unified buffer holds go through one layer together, then the device
// synchronizes, because it does not hold back a multiply that reads rows an activate has yet to write.
#ifndef SW_MLP_MLP_H
#define SW_MLP_MLP_H

#include <stdint.h>

#include "sw/driver/tinytpu/tinytpu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MLP_MAX_LAYERS = 8 };

// y = activation(x W): signed bytes all. There is no bias: give a constant input. weights[i * outputs + j] is from
// input i to output j.
struct mlp_layer {
  uint32_t inputs, outputs;
  enum tinytpu_activation activation;
  const int8_t* weights;
};

// A layer's place in the device's buffers.
struct mlp_placement {
  uint32_t row_tiles, column_blocks;  // of N inputs, of N outputs
  uint32_t weight_row;                // first row in the weight buffer
  uint32_t input_row;                 // first row in the unified buffer; batch b is b * row_tiles * N rows behind it
};

struct mlp {
  struct tinytpu* device;
  const struct mlp_layer* layers;
  uint32_t layer_count;
  struct mlp_placement placements[MLP_MAX_LAYERS];
  uint32_t output_row;     // first row of the last layer's results; batch b is b * column_blocks * N rows behind it
  uint32_t group;          // batches that fit in the unified buffer together
  uint64_t device_cycles;  // sum of the runtime counter over all synchronized streams
};

// Lays the network out on the device. -EINVAL when a layer's inputs are not its predecessor's outputs or there are too
// many or no layers; -ENOSPC when the weights or one batch do not fit in the device's buffers.
int mlp_init(struct mlp* mlp, struct tinytpu* device, const struct mlp_layer* layers, uint32_t layer_count);

// Writes all weights to the weight buffer.
void mlp_load_weights(const struct mlp* mlp);

// Runs `images` input vectors (first layer's inputs bytes each, one behind the other) through the network; `outputs`
// takes the last layer's output bytes of each. The weights have to be loaded. Blocks in the device's wait function.
void mlp_run(struct mlp* mlp, const uint8_t* inputs, uint32_t images, uint8_t* outputs);

#ifdef __cplusplus
}
#endif

#endif
