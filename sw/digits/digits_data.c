#include "sw/digits/digits_data.h"

#include <errno.h>
#include <string.h>

// What is left of the file.
struct cursor {
  const uint8_t* bytes;
  size_t left;
  int error;
};

static const uint8_t* take(struct cursor* cursor, size_t count) {
  static const uint8_t nothing[8];
  if (cursor->error != 0 || count > cursor->left) {
    cursor->error = -EINVAL;
    return nothing;
  }
  const uint8_t* taken = cursor->bytes;
  cursor->bytes += count;
  cursor->left -= count;
  return taken;
}

static uint32_t take_u16(struct cursor* cursor) {
  const uint8_t* bytes = take(cursor, 2);
  return bytes[0] | (uint32_t)bytes[1] << 8;
}

int digits_data_open(struct digits_data* data, const void* bytes, size_t size) {
  struct cursor cursor = {bytes, size, 0};
  if (memcmp(take(&cursor, 8), "TTDIGIT1", 8) != 0) return -EINVAL;
  *data = (struct digits_data){.images = take_u16(&cursor)};
  data->layer_count = take_u16(&cursor);
  data->float_right = take_u16(&cursor);
  data->reference_right = take_u16(&cursor);
  if (data->layer_count == 0 || data->layer_count > MLP_MAX_LAYERS) return -EINVAL;
  for (uint32_t i = 0; i < data->layer_count; ++i) {
    data->layers[i].inputs = take_u16(&cursor);
    data->layers[i].outputs = take_u16(&cursor);
    data->layers[i].activation = (enum tinytpu_activation)take_u16(&cursor);
  }
  data->classes = data->layers[data->layer_count - 1].outputs;
  data->labels = take(&cursor, data->images);
  data->inputs = take(&cursor, (size_t)data->images * data->layers[0].inputs);
  for (uint32_t i = 0; i < data->layer_count; ++i) {
    data->layers[i].weights = (const int8_t*)take(&cursor, (size_t)data->layers[i].inputs * data->layers[i].outputs);
  }
  data->outputs = take(&cursor, (size_t)data->images * data->classes);
  return cursor.left == 0 ? cursor.error : -EINVAL;
}

int digits_classify(const uint8_t* outputs, uint32_t classes) {
  uint32_t best = 0, holders = 0;
  for (uint32_t i = 0; i < classes; ++i) {
    if (outputs[i] > outputs[best]) best = i;
  }
  for (uint32_t i = 0; i < classes; ++i) holders += outputs[i] == outputs[best];
  return holders == 1 ? (int)best : -1;
}
