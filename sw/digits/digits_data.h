// The data file of `digits` (format: reference.py), read in place.
#ifndef SW_DIGITS_DIGITS_DATA_H
#define SW_DIGITS_DIGITS_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "sw/mlp/mlp.h"

#ifdef __cplusplus
extern "C" {
#endif

struct digits_data {
  uint32_t images;
  uint32_t float_right;      // right answers of the float network on these images
  uint32_t reference_right;  // of the quantised network, by the integer reference
  const uint8_t* labels;     // one an image
  const uint8_t* inputs;     // layers[0].inputs bytes an image
  uint32_t layer_count;
  struct mlp_layer layers[MLP_MAX_LAYERS];
  const uint8_t* outputs;  // expected: last layer's outputs bytes an image
  uint32_t classes;        // last layer's outputs
};

// -EINVAL when the bytes are not such a file or are not all there.
int digits_data_open(struct digits_data* data, const void* bytes, size_t size);

// The class with the greatest output byte, or -1 when two share it: a tie is no answer.
int digits_classify(const uint8_t* outputs, uint32_t classes);

#ifdef __cplusplus
}
#endif

#endif
