// Brings the rows of network layers to the tinyTPU and back, piece by piece, and measures each: `run --workload` puts a
// table of such jobs into memory and takes the cycles out of it. The copies are the driver's own: activations from
// and results to matrices as sw/mlp has them, whole rows at once where a block is full, one by one where it is padded.
// What lies in memory does not matter.
#include <errno.h>
#include <string.h>

#include "firmware/board/cpu.h"
#include "firmware/board/tpu.h"
#include "firmware/cdma/board_cdma.h"
#include "platform/workload/mover_jobs.h"
#include "sw/mlp/mlp_steps.h"

enum { MAX_WIDTH = 256 };

static struct tinytpu tpu, stage;
static struct cdma cdma;
static _Alignas(64) uint8_t window[MOVER_MAX_WINDOW + MAX_WIDTH];

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

static const struct tinytpu* device_of(const struct mover_job* job) { return job->staged ? &stage : &tpu; }

// Weights never change, so they lie in memory as the device's rows do.
static void move_weights(const struct mover_job* job) {
  (void)tinytpu_write_weights(&tpu, 0, (uint32_t)job->count, (const uint8_t*)MOVER_SOURCE, tpu.window.stride);
}

// Rows of one tile are a whole group apart, however many of its vectors there are.
static void move_group(const struct mover_job* job, uint32_t row, const uint8_t* inputs, uint32_t vectors) {
  const uint32_t width = tpu.geometry.matrix_width, elements = (uint32_t)job->inputs;
  for (uint32_t tile = 0; tile < job->tiles; ++tile, row += (uint32_t)job->group) {
    const uint32_t first = tile * width;
    if (elements - first >= width) {
      (void)tinytpu_write_inputs(device_of(job), row, vectors, inputs + first, (uint32_t)job->pitch);
      continue;
    }
    _Alignas(4) uint8_t bytes[MAX_WIDTH] = {0};  // behind the elements: padding
    for (uint32_t vector = 0; vector < vectors; ++vector) {
      memcpy(bytes, inputs + (size_t)vector * job->pitch + first, elements - first);
      (void)tinytpu_write_inputs(device_of(job), row + vector, 1, bytes, 0);
    }
  }
}

static void move_vectors(const struct mover_job* job) {
  const uint8_t* const inputs = (const uint8_t*)MOVER_SOURCE;
  const uint32_t group = (uint32_t)job->group, vectors = (uint32_t)job->vectors;
  for (uint32_t done = 0; done < vectors; done += group)
    move_group(job, done * (uint32_t)job->tiles, inputs + (size_t)done * job->pitch, smaller(vectors - done, group));
}

// One window, gathered, to a row of each tile.
static void move_window(const struct mover_job* job, const uint8_t* corner, uint32_t row) {
  uint8_t* to = window;
  for (uint32_t run = 0; run < job->runs; ++run) {
    memcpy(to, corner, (size_t)job->run);
    to += job->run;
    corner += job->line;
  }
  for (uint32_t tile = 0; tile < job->tiles; ++tile, row += (uint32_t)job->group)
    (void)tinytpu_write_inputs(device_of(job), row, 1, window + tile * tpu.geometry.matrix_width, 0);
}

static void move_windows(const struct mover_job* job) {
  const uint8_t* map = (const uint8_t*)MOVER_SOURCE;
  const uint32_t tiles = (uint32_t)job->tiles, group = (uint32_t)job->group, vectors = (uint32_t)job->vectors;
  uint32_t first = 0, in_group = 0, column = 0;
  for (uint32_t vector = 0; vector < vectors; ++vector) {
    move_window(job, map + (size_t)column * job->step_across, first * tiles + in_group);
    if (++in_group == group) {
      first += group;
      in_group = 0;
    }
    if (++column == job->across) {
      map += job->step_down;
      column = 0;
    }
  }
}

static void move_results(const struct mover_job* job) {
  const uint32_t width = tpu.geometry.matrix_width, outputs = (uint32_t)job->outputs;
  const uint32_t group = (uint32_t)job->group, all = (uint32_t)job->vectors;
  uint8_t* to = (uint8_t*)MOVER_STAGE;
  uint32_t row = 0;
  for (uint32_t done = 0; done < all; done += group, to += group * job->pitch) {
    const uint32_t vectors = smaller(all - done, group);
    for (uint32_t block = 0; block < job->blocks; ++block, row += group) {
      const uint32_t first = block * width, columns = smaller(outputs - first, width);
      if (columns == width) {
        (void)tinytpu_read_outputs(&tpu, row, vectors, to + first, (uint32_t)job->pitch);
        continue;
      }
      for (uint32_t vector = 0; vector < vectors; ++vector) {
        uint8_t bytes[MAX_WIDTH];
        (void)tinytpu_read_outputs(&tpu, row + vector, 1, bytes, 0);
        memcpy(to + (size_t)vector * job->pitch + first, bytes, columns);
      }
    }
  }
}

// The instructions of a layer as mlp_run pushes them, into rows of the unified buffer: they take a word as fast as the
// instruction words, and no full FIFO holds the host up. Returns how many words of instructions that were.
static uint64_t push(const struct mover_job* job) {
  enum { TILES = 4, BLOCKS = 4 };
  const uint32_t width = tpu.geometry.matrix_width;
  static const struct mlp_layer layer = {.activation = TINYTPU_SIGMOID};
  struct tinytpu sink = tpu;
  sink.instruction_words = tpu.base + tpu.window.unified_buffer;
  const struct mlp mlp = {.device = &sink,
                          .layers = &layer,
                          .layer_count = 1,
                          .placements = {{.row_tiles = TILES, .column_blocks = BLOCKS}}};
  (void)mlp_start_layer(&mlp, 0, (uint32_t)job->count * width);
  const uint64_t in_block = width >= 7 ? 5 : 2 * TILES + 1 + (width == 2 ? TILES - 1 : 0);
  return job->count * BLOCKS * in_block + 1;
}

static void synchronize(const struct mover_job* job) {
  for (uint32_t i = 0; i < job->count; ++i) {
    tinytpu_synchronize(&tpu);
    (void)tinytpu_runtime(&tpu);
  }
}

static int carry(const struct mover_job* job) {
  const uintptr_t to = tpu.base + (job->staged ? tpu.window.unified_buffer : 0);
  return cdma_copy(&cdma, to, MOVER_STAGE, job->count * tpu.window.stride);
}

static int do_job(struct mover_job* job) {
  switch ((enum mover_kind)job->kind) {
    case MOVER_WEIGHTS:
      move_weights(job);
      return 0;
    case MOVER_VECTORS:
      move_vectors(job);
      return 0;
    case MOVER_WINDOWS:
      move_windows(job);
      return 0;
    case MOVER_RESULTS:
      move_results(job);
      return 0;
    case MOVER_PUSH:
      job->count = push(job);
      return 0;
    case MOVER_SYNCHRONIZE:
      synchronize(job);
      return 0;
    case MOVER_CARRY:
      return carry(job);
  }
  return -EINVAL;
}

int main(void) {
  struct mover_table* const table = (struct mover_table*)MOVER_TABLE;
  int error = board_tpu_init(&tpu, 0);
  if (error == 0) {
    stage = tpu;
    stage.base = (uintptr_t)MOVER_STAGE - tpu.window.unified_buffer;
    error = board_cdma_init(&cdma, 0);
    if (error == -ENODEV) error = 0;  // no job needs it then
  }
  for (uint64_t i = 0; error == 0 && i < table->count; ++i) {
    struct mover_job* const job = &table->jobs[i];
    const uint64_t start = cpu_cycles();
    error = do_job(job);
    job->cycles = cpu_cycles() - start;
  }
  table->error = (uint64_t)(uint32_t)-error;
  return error == 0 ? 0 : 1;
}
