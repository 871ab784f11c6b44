// Driver of the DRRA fabric: programs into cells, rows to and from its memories by its DMA, runs; by polling or by
// interrupt. Portable C11 without a heap, for bare metal and for user space; one `struct drra` a device.
//
// The DMA reads and writes memory behind the host's back: on a machine whose caches do not follow it, the caller cleans
// what it reads and invalidates what it writes. Functions are not reentrant, except that drra_interrupt may come at any
// time.
#ifndef SW_DRIVER_DRRA_H
#define SW_DRIVER_DRRA_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/driver/drra/drra_io.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  DRRA_IDENTIFICATION = 0x41525244,
  DRRA_ROWS = 2,                // of cells
  DRRA_INSTRUCTION_WORDS = 64,  // of a cell
  DRRA_REGISTERS = 64,          // of a cell, 16 bits each
  DRRA_TILE_ROWS = 128,         // of a memory
  DRRA_ROW_WORDS = 16,          // of 16 bits
  DRRA_ROW_BYTES = 32,
};

// Byte offsets of registers and memories.
enum {
  DRRA_ID = 0x00,
  DRRA_SIZE = 0x08,
  DRRA_IO_ROWS = 0x0C,
  DRRA_FEATURES = 0x10,
  DRRA_CONTROL = 0x14,
  DRRA_STATUS = 0x18,
  DRRA_CYCLES = 0x1C,
  DRRA_CYCLES_MSB = 0x20,
  DRRA_FINDINGS = 0x24,
  DRRA_DMA_ADDRESS = 0x40,
  DRRA_DMA_ADDRESS_MSB = 0x44,
  DRRA_DMA_ROW = 0x48,
  DRRA_DMA_ROWS = 0x4C,
  DRRA_DMA_CONTROL = 0x50,
  DRRA_LENGTH = 0x400,
  DRRA_CELL = 0x800,
  DRRA_INSTRUCTIONS = 0x10000,
  DRRA_REGISTER_FILES = 0x20000,
};

// Bits of CONTROL, STATUS, FEATURES, DMA_CONTROL.
enum { DRRA_START = 1 << 0, DRRA_RESET = 1 << 1, DRRA_DONE_IRQ_EN = 1 << 4, DRRA_DMA_IRQ_EN = 1 << 5 };
enum {
  DRRA_RUNNING = 1 << 0,
  DRRA_DMA_BUSY = 1 << 1,
  DRRA_DONE = 1 << 4,  // a one clears this and the next two
  DRRA_DMA_DONE = 1 << 5,
  DRRA_DMA_ERROR = 1 << 6,
};
enum { DRRA_START_SKEW = 1 << 2 };
enum { DRRA_DMA_START = 1 << 0, DRRA_DMA_TO_MEMORY = 1 << 1, DRRA_DMA_IO = 1 << 2 };

// Blocks the caller while *events equals seen. It must not miss an interrupt that comes between its look at *events and
// going to sleep.
typedef void (*drra_wait)(void* context, const volatile uint32_t* events, uint32_t seen);

struct drra {
  uintptr_t base;
  uint32_t columns, dimarch_rows, io_rows;  // as the device says
  bool start_skew;                          // cell (r, c) starts r + c cycles later
  drra_wait wait;                           // NULL: the driver polls and leaves the interrupts off
  void* wait_context;
  volatile uint32_t events;  // interrupts that have come
  volatile uint32_t ended;   // of STATUS: what they have said and nobody has taken yet
};

// Where rows are to be carried: a memory of the DiMArch or an IO buffer.
struct drra_rows {
  uint32_t first;  // drra_tile_row(), or a row of the IO buffer
  uint32_t count;
  bool io;  // the input buffer (to the fabric) or the output buffer (from it)
};

// Prepares *device for a window mapped at `base`: reads its size and resets it. -ENODEV when no fabric answers there.
int drra_init(struct drra* device, uintptr_t base);
// Everything as after power-up, at once: what is under way is lost, programs and memories are empty.
void drra_reset(struct drra* device);
// From now on waiting sleeps in `wait`, and drra_interrupt has to be called from the interrupt handler (level).
void drra_use_interrupt(struct drra* device, drra_wait wait, void* context);
void drra_interrupt(struct drra* device);

// Gives a cell its program: it takes effect with the next start. No words: the cell rests. -EINVAL for a cell that is
// not there, and for more words than fit.
int drra_load(struct drra* device, uint32_t row, uint32_t column, const uint32_t* words, uint32_t count);

// Starts all cells that have a program. -EBUSY while the fabric runs.
int drra_start(struct drra* device);
bool drra_is_running(struct drra* device);
// Waits until the fabric is done: all sequencers at rest, all streams ended. Only after drra_start.
void drra_finish(struct drra* device);
// Both; the cycles it took, or 0 if the fabric was running.
uint64_t drra_run(struct drra* device);
// Of the run under way, or of the last one.
uint64_t drra_cycles(struct drra* device);
// What programs did wrong since power-up: the report of the run says what and where.
uint32_t drra_findings(struct drra* device);

// The number of a row of a memory; rows run on into the next memory of the row of memories, and into the next row.
// tile_row counts from 1.
static inline uint32_t drra_tile_row(const struct drra* device, uint32_t tile_row, uint32_t column, uint32_t row) {
  return ((tile_row - 1) * device->columns + column) * DRRA_TILE_ROWS + row;
}
// Starts carrying rows to the fabric from `address` (physical), or to there from the fabric. A word is two bytes, the
// low one first. A run may be under way. -EBUSY while other rows are; -EINVAL for none, and for some that are not
// there.
int drra_start_carry_in(struct drra* device, struct drra_rows rows, uint64_t address);
int drra_start_carry_out(struct drra* device, struct drra_rows rows, uint64_t address);
// Waits for its end. 0, or -EIO: nothing answers at an address, or a target refused. Only after a start.
int drra_finish_carry(struct drra* device);
// Both in one call.
int drra_carry_in(struct drra* device, struct drra_rows rows, uint64_t address);
int drra_carry_out(struct drra* device, struct drra_rows rows, uint64_t address);

// A register of a cell, for debugging.
int16_t drra_peek(struct drra* device, uint32_t row, uint32_t column, uint32_t address);

#ifdef __cplusplus
}
#endif

#endif
