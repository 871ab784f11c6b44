// Classifies the held-out handwritten digits on the tinyTPU, as `digits` does, with weights and inputs brought into its
// buffers by the AXI CDMA: the host lays the rows out in memory as they lie in the device's window, and the engine
// carries them over. Exit code 0 when every output byte is that of the integer reference and the accuracy is the
// reference's.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "firmware/board/cpu.h"
#include "firmware/board/tpu.h"
#include "firmware/cdma/board_cdma.h"
#include "sw/digits/digits_data.h"
#include "sw/digits/digits_judge.h"
#include "sw/mlp/mlp_steps.h"

extern const uint8_t digits_image[], digits_image_end[];

enum { MAX_OUTPUT_BYTES = 16384, STAGE_BYTES = 512 * 1024 };
static uint8_t outputs[MAX_OUTPUT_BYTES];
static _Alignas(4096) uint8_t stage[STAGE_BYTES] __attribute__((section(".noinit")));

static struct digits_data data;
static struct tinytpu tpu;
static struct cdma cdma;
static uint64_t copied;

static int complain(const char* what, int error) {
  printf("digits_cdma: %s (error %d)\n", what, -error);
  return 1;
}

// The network as if the window's bytes from `offset` up were the stage: what is written to the device then lands there.
static struct mlp staged(const struct mlp* mlp, struct tinytpu* device, uint32_t offset) {
  *device = tpu;
  device->base = (uintptr_t)stage - offset;
  struct mlp copy = *mlp;
  copy.device = device;
  return copy;
}

// Rows from the stage to the window.
static int carry(uint32_t offset, uint32_t rows) {
  const uint32_t bytes = rows * tpu.window.stride;
  copied += bytes;
  return cdma_copy(&cdma, tpu.base + offset, (uintptr_t)stage, bytes);
}

static int load_weights(const struct mlp* mlp) {
  if ((uint64_t)mlp_weight_rows(mlp) * tpu.window.stride > STAGE_BYTES) return -ENOSPC;
  struct tinytpu device;
  const struct mlp into_stage = staged(mlp, &device, 0);
  mlp_load_weights(&into_stage);
  return carry(0, mlp_weight_rows(mlp));
}

// As many images as fit on the stage, in whole batches if it is not all of them.
static uint32_t fitting(const struct mlp* mlp, uint32_t images) {
  const uint32_t width = tpu.geometry.matrix_width;
  const uint32_t batches = STAGE_BYTES / (mlp_input_rows(mlp, width) * tpu.window.stride);
  return images < batches * width ? images : batches * width;
}

static int run(struct mlp* mlp) {
  struct tinytpu device;
  const struct mlp into_stage = staged(mlp, &device, tpu.window.unified_buffer);
  for (uint32_t done = 0, images; done < data.images; done += images) {
    images = mlp_load_images(&into_stage, data.inputs + (size_t)done * data.layers[0].inputs,
                             fitting(mlp, data.images - done));
    const int error = carry(tpu.window.unified_buffer, mlp_input_rows(mlp, images));
    if (error != 0) return error;
    for (uint32_t layer = 0; layer < data.layer_count; ++layer) {
      tinytpu_finish(&tpu, mlp_start_layer(mlp, layer, images));
      mlp_finish_layer(mlp);
    }
    mlp_read_images(mlp, images, outputs + (size_t)done * data.classes);
  }
  return 0;
}

int main(void) {
  struct mlp mlp;
  int error = digits_data_open(&data, digits_image, (size_t)(digits_image_end - digits_image));
  if (error == 0 && data.images * data.classes > MAX_OUTPUT_BYTES) error = -ENOSPC;
  if (error != 0) return complain("the data file is damaged", error);
  if ((error = board_tpu_init(&tpu, 0)) != 0) return complain("no usable tinyTPU in the device tree", error);
  if ((error = board_cdma_init(&cdma, 0)) != 0) return complain("no usable AXI CDMA in the device tree", error);
  if ((error = mlp_init(&mlp, &tpu, data.layers, data.layer_count)) != 0)
    return complain("the network does not fit in the tinyTPU's buffers", error);
  printf("tinyTPU: %" PRIu32 " x %" PRIu32 "; AXI CDMA: %" PRIu32 " bit\n", tpu.geometry.matrix_width,
         tpu.geometry.matrix_width, cdma.geometry.data_width);

  const uint64_t start = cpu_cycles();
  if ((error = load_weights(&mlp)) != 0) return complain("the weights do not reach the tinyTPU", error);
  const uint64_t loaded = cpu_cycles();
  if ((error = run(&mlp)) != 0) return complain("the inputs do not reach the tinyTPU", error);
  const uint64_t finished = cpu_cycles();

  const int result = judge(&data, outputs);
  printf("AXI CDMA: %" PRIu64 " bytes\n", copied);
  printf("CPU, weights once: %" PRIu64 " cycles\n", loaded - start);
  print_rate("CPU", finished - loaded, data.images);
  print_rate("TPU", mlp.device_cycles, data.images);
  printf("digits_cdma: %s\n", result == 0 ? "passed" : "FAILED");
  return result;
}
