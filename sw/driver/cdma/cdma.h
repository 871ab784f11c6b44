// Driver of the AXI CDMA in simple mode: copies from memory to memory, by polling or by interrupt. Portable C11 without
// a heap, for bare metal and for user space; one `struct cdma` a device.
//
// The engine reads and writes memory behind the host's back: on a machine whose caches do not follow it, the caller
// cleans the source and invalidates the destination. Functions are not reentrant, except that cdma_interrupt may come
// at any time.
#ifndef SW_DRIVER_CDMA_H
#define SW_DRIVER_CDMA_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/driver/cdma/cdma_io.h"

#ifdef __cplusplus
extern "C" {
#endif

// Byte offsets of the registers, by the product guide's names.
enum {
  CDMA_CDMACR = 0x00,
  CDMA_CDMASR = 0x04,
  CDMA_SA = 0x18,
  CDMA_SA_MSB = 0x1C,
  CDMA_DA = 0x20,
  CDMA_DA_MSB = 0x24,
  CDMA_BTT = 0x28,
};

// Bits of CDMACR and CDMASR.
enum { CDMA_CR_RESET = 1 << 2, CDMA_CR_KEY_HOLE_READ = 1 << 4, CDMA_CR_KEY_HOLE_WRITE = 1 << 5 };
enum {
  CDMA_SR_IDLE = 1 << 1,
  CDMA_SR_DMA_INT_ERR = 1 << 4,
  CDMA_SR_DMA_SLV_ERR = 1 << 5,
  CDMA_SR_DMA_DEC_ERR = 1 << 6,
  CDMA_SR_ERRORS = CDMA_SR_DMA_INT_ERR | CDMA_SR_DMA_SLV_ERR | CDMA_SR_DMA_DEC_ERR,
};
// The same bits enable an interrupt in CDMACR and report it in CDMASR, where a one clears it.
enum { CDMA_IOC_IRQ = 1 << 12, CDMA_ERR_IRQ = 1 << 14 };

// How a device was built.
struct cdma_geometry {
  uint32_t data_width;     // bits of its memory port: 32 to 1024
  uint32_t btt_width;      // bits of the register of bytes to transfer: 8 to 26
  uint32_t address_width;  // bits: 32 to 64
  bool include_dre;        // realigns: source and destination may lie at different places of a port word
};

// Blocks the caller while *completed equals seen. It must not miss an interrupt that comes between its look at
// *completed and going to sleep.
typedef void (*cdma_wait)(void* context, const volatile uint32_t* completed, uint32_t seen);

struct cdma {
  uintptr_t base;
  struct cdma_geometry geometry;
  cdma_wait wait;  // NULL: the driver polls and leaves the interrupts off
  void* wait_context;
  volatile uint32_t completed;  // transfers that have ended, well or not

  // The transfer under way, piece by piece: what it has not finished yet.
  volatile bool busy;
  volatile int result;  // of the last one that has ended
  uint64_t source, destination;
  uint64_t left;   // bytes, with the piece under way
  uint32_t piece;  // bytes of the piece under way
};

// Prepares *device for a window mapped at `base` and resets the engine. -EINVAL for a geometry that cannot be,
// -ETIMEDOUT when the reset does not come to its end.
int cdma_init(struct cdma* device, uintptr_t base, const struct cdma_geometry* geometry);
// Ends what is under way (cdma_finish then says -ECANCELED) and clears errors. -ETIMEDOUT.
int cdma_reset(struct cdma* device);

// From now on cdma_finish sleeps in `wait`, and cdma_interrupt has to be called from the interrupt handler (level).
void cdma_use_interrupt(struct cdma* device, cdma_wait wait, void* context);
void cdma_interrupt(struct cdma* device);

// Bytes that one write of BTT can ask for; cdma_start cuts longer transfers into pieces of that.
uint32_t cdma_largest_piece(const struct cdma* device);

// Starts copying. Overlapping ranges are the caller's affair. -EBUSY while one is under way; -EINVAL for no bytes, for
// a source and destination at different places of a port word without realignment, and for addresses beyond
// address_width.
int cdma_start(struct cdma* device, uint64_t destination, uint64_t source, uint64_t bytes);
// Whether it is still under way. Without the interrupt this is what drives a transfer of several pieces on.
bool cdma_is_busy(struct cdma* device);
// Waits for its end. 0, or: -EFAULT nothing answers at an address, -EIO a target refused, -EINVAL the engine found the
// request impossible, -ECANCELED reset.
int cdma_finish(struct cdma* device);
// Both in one call.
int cdma_copy(struct cdma* device, uint64_t destination, uint64_t source, uint64_t bytes);

// Bytes of the last transfer that are not known to have arrived: 0 after success. The engine does not say how far a
// piece has come, so a piece counts as a whole.
uint64_t cdma_residue(const struct cdma* device);

#ifdef __cplusplus
}
#endif

#endif
