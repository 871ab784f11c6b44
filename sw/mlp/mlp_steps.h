// A network's run in steps that do not wait, for a host that feeds several devices, or brings the rows by other means
// than its own stores. One round through the device:
//
//   images = mlp_load_images(&mlp, inputs, images);         /* rows of the unified buffer */
//   for each layer: ticket = mlp_start_layer(&mlp, layer, images);
//                   ... the synchronize interrupt, tinytpu_finish(device, ticket) ...
//                   mlp_finish_layer(&mlp);
//   mlp_read_images(&mlp, images, outputs);
#ifndef SW_MLP_MLP_STEPS_H
#define SW_MLP_MLP_STEPS_H

#include "sw/mlp/mlp.h"

#ifdef __cplusplus
extern "C" {
#endif

// Input vectors of the first batches, as many as are there and fit in the unified buffer together, to their rows.
// Returns their number, at most `images`.
uint32_t mlp_load_images(const struct mlp* mlp, const uint8_t* inputs, uint32_t images);

// Rows of the unified buffer, from row 0 up, that `images` input vectors take, with the padding between them.
uint32_t mlp_input_rows(const struct mlp* mlp, uint32_t images);
// Rows of the weight buffer, from row 0 up, that the network's weights take.
uint32_t mlp_weight_rows(const struct mlp* mlp);

// Pushes the instructions of one layer for the images that were loaded, and a synchronize. Returns its ticket for
// tinytpu_finish. The layer before has to be finished.
uint32_t mlp_start_layer(const struct mlp* mlp, uint32_t layer, uint32_t images);
// After the layer's synchronize has come: adds its cycles to device_cycles.
void mlp_finish_layer(struct mlp* mlp);

// The last layer's output bytes of the images that were loaded.
void mlp_read_images(const struct mlp* mlp, uint32_t images, uint8_t* outputs);

#ifdef __cplusplus
}
#endif

#endif
