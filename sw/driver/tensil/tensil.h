// Driver of the Tensil TCU behind an AXI DMA: load a model, set the offsets of its DRAMs, run, wait for the probe.
// Portable C11 without a heap; one `struct tensil` a device.
//
// The TCU has no registers and no interrupt. Its instructions go through the DMA engine, whose interrupt tells only
// that they were accepted. The end of a program shows in DRAM0: the driver makes the last two vectors differ, and the
// last two instructions of each program (tensil_append_probe) copy the one over the other.
//
// DMA engine and TCU read and write memory behind the host's back: on a machine whose caches do not follow them, the
// caller cleans and invalidates. Functions are not reentrant, except that tensil_interrupt may come at any time.
#ifndef SW_DRIVER_TENSIL_H
#define SW_DRIVER_TENSIL_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/driver/tensil/tensil_io.h"
#include "sw/driver/tensil/tensil_program.h"

#ifdef __cplusplus
extern "C" {
#endif

// Byte offsets of the AXI DMA's MM2S channel, by the product guide's names, and bits of its registers.
enum {
  TENSIL_MM2S_DMACR = 0x00,
  TENSIL_MM2S_DMASR = 0x04,
  TENSIL_MM2S_SA = 0x18,
  TENSIL_MM2S_SA_MSB = 0x1C,
  TENSIL_MM2S_LENGTH = 0x28
};
enum {
  TENSIL_CR_RUN = 1 << 0,
  TENSIL_CR_RESET = 1 << 2,
  TENSIL_SR_HALTED = 1 << 0,
  TENSIL_SR_IDLE = 1 << 1,
  TENSIL_SR_ERRORS = 7 << 4,
  TENSIL_IRQ_IOC = 1 << 12,
  TENSIL_IRQ_ERROR = 1 << 14
};

// Where a TCU is and what it may use.
struct tensil_place {
  uintptr_t dma;           // window of the AXI DMA
  uint32_t data_width;     // of its port, bits
  uint32_t length_width;   // of its LENGTH register, bits
  uint32_t address_width;  // bits
  uint8_t *dram0, *dram1;  // memory of dram0_depth and dram1_depth vectors, at multiples of 64 KiB below 4 GiB
};

// Blocks the caller while *pieces equals seen. It must not miss an interrupt that comes between its look at *pieces and
// going to sleep.
typedef void (*tensil_wait)(void* context, const volatile uint32_t* pieces, uint32_t seen);

struct tensil {
  struct tensil_architecture architecture;
  struct tensil_encoder encoder;
  struct tensil_place place;
  tensil_wait wait;  // NULL: the driver polls and leaves the interrupts off
  void* wait_context;
  volatile uint32_t pieces;  // of streams that the engine has had accepted, or failed at

  // The stream under way: what has not been handed to the engine yet.
  const uint8_t* next;
  volatile uint32_t left;
  volatile bool streaming;
  volatile int result;
};

static inline uint32_t tensil_vector_bytes(const struct tensil* tcu) {
  return tcu->architecture.array_size * tcu->architecture.scalar_bytes;
}

// Prepares *tcu and resets the engine. -EINVAL for what cannot be, -ETIMEDOUT when the reset does not come to its end.
int tensil_init(struct tensil* tcu, const struct tensil_place* place, const struct tensil_architecture* architecture);
// From now on tensil_finish sleeps in `wait` while the stream goes on, and tensil_interrupt has to be called from the
// handler of the MM2S interrupt (level).
void tensil_use_interrupt(struct tensil* tcu, tensil_wait wait, void* context);
void tensil_interrupt(struct tensil* tcu);

// Appends the two instructions that tell the end.
void tensil_append_probe(const struct tensil* tcu, struct tensil_program* program);
// Tells the TCU where its DRAMs are. `scratch`: memory for a short program, 256 bytes at a multiple of the port's
// width.
int tensil_set_offsets(struct tensil* tcu, uint8_t* scratch, size_t bytes);

// Puts vectors of constants into DRAM1.
void tensil_load_constants(struct tensil* tcu, uint32_t vector, const void* bytes, uint32_t vectors);

// Starts a program that ends with the probe; `program` lies at a multiple of the port's width and stays. -EBUSY while
// one is under way.
int tensil_start(struct tensil* tcu, const uint8_t* program, uint32_t bytes);
// Whether its end has not come. Without the interrupt this is what drives a stream of several pieces on.
bool tensil_is_busy(struct tensil* tcu);
// Waits for the end. 0, or: -EIO the engine could not read the program.
int tensil_finish(struct tensil* tcu);
int tensil_run(struct tensil* tcu, const uint8_t* program, uint32_t bytes);

#ifdef __cplusplus
}
#endif

#endif
