// Classifies the held-out handwritten digits on the tinyTPU and says how well and how fast. Exit code 0 when every
// output byte is that of the integer reference and the accuracy is the reference's.
//
// One source for bare metal and Linux: digits_host.h is the environment's, found by the include path.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "digits_host.h"
#include "sw/digits/digits_data.h"
#include "sw/digits/digits_judge.h"
#include "sw/mlp/mlp.h"

extern const uint8_t digits_image[], digits_image_end[];

enum { MAX_OUTPUT_BYTES = 16384 };
static uint8_t outputs[MAX_OUTPUT_BYTES];

static int complain(const char* what, int error) {
  printf("digits: %s (error %d)\n", what, -error);
  return 1;
}

int main(void) {
  struct digits_data data;
  struct tinytpu tpu;
  struct mlp mlp;
  int error = digits_data_open(&data, digits_image, (size_t)(digits_image_end - digits_image));
  if (error == 0 && data.images * data.classes > MAX_OUTPUT_BYTES) error = -ENOSPC;
  if (error != 0) return complain("the data file is damaged", error);
  if ((error = digits_host_open(&tpu)) != 0) return complain(DIGITS_HOST_NO_TPU, error);
  if ((error = mlp_init(&mlp, &tpu, data.layers, data.layer_count)) != 0) {
    return complain("the network does not fit in the tinyTPU's buffers", error);
  }

  printf("tinyTPU: %" PRIu32 " x %" PRIu32 ", %" PRIu32 " weight rows, %" PRIu32 " buffer rows, clock %" PRIu32 " ps\n",
         tpu.geometry.matrix_width, tpu.geometry.matrix_width, tpu.geometry.weight_buffer_depth,
         tpu.geometry.unified_buffer_depth, digits_host_clock_ps());
  printf("network: %" PRIu32, data.layers[0].inputs);
  for (uint32_t i = 0; i < data.layer_count; ++i) printf("-%" PRIu32, data.layers[i].outputs);
  printf(", %" PRIu32 " images, batches of %" PRIu32 "\n", data.images, tpu.geometry.matrix_width);

  const uint64_t start = digits_host_cycles();
  mlp_load_weights(&mlp);
  const uint64_t loaded = digits_host_cycles();
  digits_host_begin_region("inference");
  const uint64_t begun = digits_host_cycles();
  mlp_run(&mlp, data.inputs, data.images, outputs);
  const uint64_t finished = digits_host_cycles();
  digits_host_end_region();
  if ((error = digits_host_error()) != 0) return complain("the tinyTPU failed", error);

  const int result = judge(&data, outputs);
  printf("CPU, weights once: %" PRIu64 " cycles\n", loaded - start);
  print_rate("CPU", finished - begun, data.images);
  print_rate("TPU", mlp.device_cycles, data.images);
  printf("digits: %s\n", result == 0 ? "passed" : "FAILED");
  digits_host_report();
  return result;
}
