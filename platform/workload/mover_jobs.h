// What the mover (firmware/workload) is asked for, and where in memory it finds it: C for both sides. Numbers are 64
// bits wide whatever the hart's width.
#ifndef PLATFORM_WORKLOAD_MOVER_JOBS_H
#define PLATFORM_WORKLOAD_MOVER_JOBS_H

#include <stdint.h>

#define MOVER_TABLE 0x81000000u   // struct mover_table
#define MOVER_SOURCE 0x81100000u  // weights, activations and maps are read from here up ...
#define MOVER_SOURCE_BYTES 0x700000u
#define MOVER_STAGE 0x81800000u  // ... rows are laid out for the CDMA here, and results are written here
#define MOVER_STAGE_BYTES 0x800000u
#define MOVER_END 0x82000000u

enum { MOVER_MAX_JOBS = 8192, MOVER_MAX_WINDOW = 65536 };

enum mover_kind {
  MOVER_WEIGHTS,  // packed rows to the weight buffer
  MOVER_VECTORS,  // vectors that lie one behind the other to the unified buffer
  MOVER_WINDOWS,  // windows of a map to the unified buffer: im2col, each gathered first
  MOVER_RESULTS,  // results to memory
  MOVER_PUSH,     // instructions of a layer, as mlp_run pushes them; count: batches, then the instructions that were
  MOVER_SYNCHRONIZE,  // synchronizes, one after the other, and the runtime counter after each
  MOVER_CARRY,        // rows from the stage to a buffer by the CDMA
};

// One thing to be measured. Bytes are elements.
struct mover_job {
  uint64_t kind;
  uint64_t staged;     // VECTORS, WINDOWS: to the stage instead of the device; CARRY: 1 unified buffer, 0 weight buffer
  uint64_t tiles;      // of N inputs
  uint64_t blocks;     // of N outputs
  uint64_t vectors;    // all
  uint64_t group;      // vectors whose rows of one tile lie together, the last group filled up
  uint64_t inputs;     // elements of a vector that are there, the rest of the last tile is padding
  uint64_t outputs;    // likewise
  uint64_t pitch;      // bytes from one vector to the next
  uint64_t runs, run;  // WINDOWS: a window is so many pieces of so many bytes ...
  uint64_t line;       // ... that lie so many bytes apart
  uint64_t across;     // WINDOWS: positions side by side,
  uint64_t step_across, step_down;  // bytes from one to the next, and to the next row of them
  uint64_t count;                   // PUSH: see there; SYNCHRONIZE: times; WEIGHTS, CARRY: rows
  uint64_t cycles;                  // of the CPU's clock: the answer
};

struct mover_table {
  uint64_t count;
  uint64_t error;  // 0, or what a driver said
  struct mover_job jobs[MOVER_MAX_JOBS];
};

#endif
