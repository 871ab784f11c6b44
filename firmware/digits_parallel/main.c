// Classifies the held-out handwritten digits on all tinyTPUs of the machine at the same time: whichever has finished
// its batch takes the next one. The host feeds them in turn and sleeps while all are at work. Exit code 0 when every
// output byte is that of the integer reference and the accuracy is the reference's.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "firmware/board/board.h"
#include "firmware/board/cpu.h"
#include "firmware/board/plic.h"
#include "firmware/board/tpu.h"
#include "sw/digits/digits_data.h"
#include "sw/digits/digits_judge.h"
#include "sw/mlp/mlp_steps.h"

extern const uint8_t digits_image[], digits_image_end[];

enum { MAX_OUTPUT_BYTES = 16384 };
static uint8_t outputs[MAX_OUTPUT_BYTES];
static struct digits_data data;
static uint32_t next_image;  // those before it have been handed out

// One tinyTPU and the batch on it.
struct worker {
  struct tinytpu tpu;
  struct mlp mlp;
  uint32_t first, images;  // of the batch; no images: nothing to do
  uint32_t layer, ticket;  // under way
  uint32_t images_done;
};

// Each has an interrupt of its own.
static struct worker workers[PLIC_SOURCES];
static unsigned worker_count;

static int complain(const char* what, int error) {
  printf("digits_parallel: %s (error %d)\n", what, -error);
  return 1;
}

static int open_worker(struct worker* worker, unsigned index, const struct board_device* place) {
  if (place->interrupt >= PLIC_SOURCES) {
    printf("digits_parallel: interrupt %" PRIu32 " is beyond those that the board library serves (%d)\n",
           place->interrupt, PLIC_SOURCES - 1);
    return 1;
  }
  int error = board_tpu_init(&worker->tpu, index);
  if (error != 0) return complain("a tinyTPU of the device tree is not usable", error);
  error = mlp_init(&worker->mlp, &worker->tpu, data.layers, data.layer_count);
  if (error != 0) return complain("the network does not fit in the tinyTPU's buffers", error);
  printf("tinyTPU %u at 0x%" PRIxPTR ", interrupt %" PRIu32 ": %" PRIu32 " x %" PRIu32 ", clock %" PRIu32 " ps\n",
         index, place->base, place->interrupt, worker->tpu.geometry.matrix_width, worker->tpu.geometry.matrix_width,
         board_tpu_clock_ps(index));
  return 0;
}

static int open_workers(void) {
  struct board_device place;
  while (worker_count < PLIC_SOURCES && board_find("jofrfu,tinytpu", worker_count, &place)) {
    if (open_worker(&workers[worker_count], worker_count, &place) != 0) return 1;
    ++worker_count;
  }
  return worker_count > 0 ? 0 : complain("no tinyTPU in the device tree", -ENODEV);
}

// The next batch, of the device's width, if any image is left.
static void feed(struct worker* worker) {
  const uint32_t left = data.images - next_image, width = worker->tpu.geometry.matrix_width;
  worker->images = left < width ? left : width;
  if (worker->images == 0) return;
  worker->first = next_image;
  next_image +=
      mlp_load_images(&worker->mlp, data.inputs + (size_t)worker->first * data.layers[0].inputs, worker->images);
  worker->layer = 0;
  worker->ticket = mlp_start_layer(&worker->mlp, 0, worker->images);
}

static bool has_answered(const struct worker* worker) {
  return worker->images > 0 && worker->tpu.completed != worker->ticket;
}

// A layer is done: the next one, or the results and the next batch.
static void advance(struct worker* worker) {
  mlp_finish_layer(&worker->mlp);
  if (++worker->layer < data.layer_count) {
    worker->ticket = mlp_start_layer(&worker->mlp, worker->layer, worker->images);
    return;
  }
  mlp_read_images(&worker->mlp, worker->images, outputs + (size_t)worker->first * data.classes);
  worker->images_done += worker->images;
  feed(worker);
}

static bool any_has_answered(void) {
  for (unsigned i = 0; i < worker_count; ++i)
    if (has_answered(&workers[i])) return true;
  return false;
}

// Interrupts are taken here and only here, so that none slips in between the look and the wfi.
static void sleep_until_one_has_answered(void) {
  cpu_disable_interrupts();
  while (!any_has_answered()) {
    cpu_wait_for_interrupt();
    cpu_enable_interrupts();
    cpu_disable_interrupts();
  }
  cpu_enable_interrupts();
}

static void classify(void) {
  for (unsigned i = 0; i < worker_count; ++i) feed(&workers[i]);
  for (uint32_t done = 0; done < data.images;) {
    sleep_until_one_has_answered();
    done = 0;
    for (unsigned i = 0; i < worker_count; ++i) {
      if (has_answered(&workers[i])) advance(&workers[i]);
      done += workers[i].images_done;
    }
  }
}

int main(void) {
  int error = digits_data_open(&data, digits_image, (size_t)(digits_image_end - digits_image));
  if (error == 0 && data.images * data.classes > MAX_OUTPUT_BYTES) error = -ENOSPC;
  if (error != 0) return complain("the data file is damaged", error);
  if (open_workers() != 0) return 1;

  const uint64_t start = cpu_cycles();
  for (unsigned i = 0; i < worker_count; ++i) mlp_load_weights(&workers[i].mlp);
  const uint64_t loaded = cpu_cycles();
  classify();
  const uint64_t finished = cpu_cycles();

  const int result = judge(&data, outputs);
  for (unsigned i = 0; i < worker_count; ++i) {
    printf("tinyTPU %u: width %" PRIu32 ", %" PRIu32 " images, %" PRIu64 " cycles\n", i,
           workers[i].tpu.geometry.matrix_width, workers[i].images_done, workers[i].mlp.device_cycles);
  }
  printf("CPU, weights once: %" PRIu64 " cycles\n", loaded - start);
  print_rate("CPU", finished - loaded, data.images);
  printf("digits_parallel: %s\n", result == 0 ? "passed" : "FAILED");
  return result;
}
