// Driver of the tinyTPU: vectors, instructions, runtime counter, synchronize. Portable C11 without a heap, for bare
// metal and for user space; one `struct tinytpu` a device.
//
// The device does not interlock its units. What a program must take care of:
//  - a matrix_multiply directly follows the read_weights whose tiles it streams, both of the same length;
//  - between an activate and the multiply that reads its rows stands a synchronize;
//  - the host touches the unified buffer only between a finished synchronize and the next instruction;
//  - below a matrix width of 7 an accumulating multiply is one tile long;
//  - a read_weights as the last instruction never runs.
//
// Functions are not reentrant: the three words of an instruction are separate writes, so one context pushes at a time.
#ifndef SW_DRIVER_TINYTPU_H
#define SW_DRIVER_TINYTPU_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/driver/tinytpu/tinytpu_io.h"

#ifdef __cplusplus
extern "C" {
#endif

// Size of a device. Depths are in rows of matrix_width bytes.
struct tinytpu_geometry {
  uint32_t matrix_width;          // N: rows and columns of the array, bytes of a vector; 2 to 256
  uint32_t weight_buffer_depth;   // rows
  uint32_t unified_buffer_depth;  // rows
};

// Accumulator rows of every device: 512 rows of N 32-bit words. Addresses wrap.
enum { TINYTPU_ACCUMULATOR_ROWS = 512 };

// Byte offsets inside the instruction space.
enum { TINYTPU_RUNTIME_COUNTER = 0x0, TINYTPU_LOWER_WORD = 0x4, TINYTPU_MIDDLE_WORD = 0x8, TINYTPU_UPPER_WORD = 0xC };

// Byte offsets inside the window. They follow from the geometry: see tinytpu_layout.
struct tinytpu_window {
  uint32_t stride;          // bytes from one vector to the next: a power of two, at least 16
  uint32_t unified_buffer;  // offset of row 0; the weight buffer is at 0
  uint32_t instruction;     // offset of the runtime counter; the instruction words follow it
  uint64_t size;            // bytes of the whole window
};

// Blocks the caller while *completed equals seen. It must not miss an interrupt that comes between its look at
// *completed and going to sleep. NULL in the device: the driver polls.
typedef void (*tinytpu_wait)(void* context, const volatile uint32_t* completed, uint32_t seen);

struct tinytpu {
  uintptr_t base;
  struct tinytpu_geometry geometry;
  struct tinytpu_window window;
  uintptr_t instruction_words;  // address of the instruction space
  tinytpu_wait wait;
  void* wait_context;
  volatile uint32_t completed;  // synchronize interrupts taken so far
};

// An 80-bit instruction as the three words the device takes.
struct tinytpu_instruction {
  uint32_t lower;   // bits 31:0
  uint32_t middle;  // bits 63:32
  uint16_t upper;   // bits 79:64
};

enum tinytpu_activation { TINYTPU_NO_ACTIVATION = 0, TINYTPU_RELU = 1, TINYTPU_SIGMOID = 9 };

// Flags of a matrix_multiply.
enum { TINYTPU_SIGNED_DATA = 1, TINYTPU_ACCUMULATE = 2 };

// The window of a device of this size: stride S = max(16, next power of two >= N) bytes; W and U = next powers of two
// >= S x weight depth and S x unified-buffer depth. Unified buffer at max(W, 2U), instructions U above it, window twice
// the unified buffer's offset. Returns false when a value is zero, N is above 256, or the window would not fit in 32
// bits.
bool tinytpu_layout(const struct tinytpu_geometry* geometry, struct tinytpu_window* window);

// Prepares *device for a window mapped at `base`; touches no register. -EINVAL for a size that cannot be.
int tinytpu_init(struct tinytpu* device, uintptr_t base, const struct tinytpu_geometry* geometry);

// Copies `rows` vectors of N bytes each, `pitch` bytes apart in `data`, to consecutive rows. -EFAULT when a row is
// outside the buffer (nothing is written then).
int tinytpu_write_weights(const struct tinytpu* device, uint32_t row, uint32_t rows, const void* data, uint32_t pitch);
int tinytpu_write_inputs(const struct tinytpu* device, uint32_t row, uint32_t rows, const void* data, uint32_t pitch);
// The other way round: unified-buffer rows to memory.
int tinytpu_read_outputs(const struct tinytpu* device, uint32_t row, uint32_t rows, void* data, uint32_t pitch);

enum {
  TINYTPU_OP_NOP = 0x00,
  TINYTPU_OP_READ_WEIGHTS = 0x08,
  TINYTPU_OP_MATRIX_MULTIPLY = 0x20,
  TINYTPU_OP_ACTIVATE = 0x80,
  TINYTPU_OP_SYNCHRONIZE = 0xFF,
  TINYTPU_READ_WEIGHTS_SIGNED = 0x01,
  TINYTPU_ACTIVATE_SIGNED = 0x10
};

// Encoding and pushing are inline: an instruction then stays in registers, and feeding keeps the device busy.

// Instruction fields: op 7:0, length 39:8, then either a weight address 79:40, or accumulator 55:40 and buffer 79:56.
static inline struct tinytpu_instruction tinytpu_encode(unsigned op, uint32_t length, uint64_t address) {
  const struct tinytpu_instruction instruction = {op | length << 8, length >> 24 | (uint32_t)(address << 8),
                                                  (uint16_t)(address >> 24)};
  return instruction;
}

static inline struct tinytpu_instruction tinytpu_nop(void) { return tinytpu_encode(TINYTPU_OP_NOP, 0, 0); }

// Row addresses of the weight buffer have 40 bits, of the unified buffer 24; lengths are in rows.
static inline struct tinytpu_instruction tinytpu_read_weights(uint64_t weight_row, uint32_t length, bool is_signed) {
  return tinytpu_encode(TINYTPU_OP_READ_WEIGHTS | (is_signed ? (unsigned)TINYTPU_READ_WEIGHTS_SIGNED : 0u), length,
                        weight_row);
}

static inline struct tinytpu_instruction tinytpu_matrix_multiply(uint32_t buffer_row, uint16_t accumulator,
                                                                 uint32_t length, unsigned flags) {
  return tinytpu_encode(TINYTPU_OP_MATRIX_MULTIPLY | (flags & (TINYTPU_SIGNED_DATA | TINYTPU_ACCUMULATE)), length,
                        (uint64_t)buffer_row << 16 | accumulator);
}

static inline struct tinytpu_instruction tinytpu_activate(uint32_t buffer_row, uint16_t accumulator, uint32_t length,
                                                          enum tinytpu_activation function, bool is_signed) {
  return tinytpu_encode(
      TINYTPU_OP_ACTIVATE | ((unsigned)function & 0xF) | (is_signed ? (unsigned)TINYTPU_ACTIVATE_SIGNED : 0u), length,
      (uint64_t)buffer_row << 16 | accumulator);
}

// Hands an instruction to the device. A full instruction FIFO holds the write until there is room.
static inline void tinytpu_push(const struct tinytpu* device, struct tinytpu_instruction instruction) {
  const uintptr_t words = device->instruction_words;
  tinytpu_io_write32(words + TINYTPU_LOWER_WORD, instruction.lower);
  tinytpu_io_write32(words + TINYTPU_MIDDLE_WORD, instruction.middle);
  tinytpu_io_write16(words + TINYTPU_UPPER_WORD, instruction.upper);
}

// Call it from the interrupt handler of the synchronize line (rising edge).
void tinytpu_interrupt(struct tinytpu* device);

// Pushes a synchronize; returns the ticket for tinytpu_finish. One may be under way at a time, since the interrupts of
// two may melt into one.
uint32_t tinytpu_start_synchronize(const struct tinytpu* device);
// Waits until that synchronize has come: all results of earlier activates are in the unified buffer.
void tinytpu_finish(const struct tinytpu* device, uint32_t ticket);
// Both in one call.
void tinytpu_synchronize(const struct tinytpu* device);

// Cycles of the device's clock from the fetch of the first instruction after the last synchronize but one, up to the
// last one.
uint32_t tinytpu_runtime(const struct tinytpu* device);

#ifdef __cplusplus
}
#endif

#endif
