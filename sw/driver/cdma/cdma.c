#include "sw/driver/cdma/cdma.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

// A reset waits for the accesses that are on the bus, no longer.
enum { RESET_POLLS = 100000 };
enum { PAGE = 4096 };

static uint32_t read_register(const struct cdma* device, uint32_t offset) {
  return cdma_io_read32(device->base + offset);
}
static void write_register(const struct cdma* device, uint32_t offset, uint32_t value) {
  cdma_io_write32(device->base + offset, value);
}

static bool is_power_of_two(uint32_t value) { return value != 0 && (value & (value - 1)) == 0; }

static bool can_be(const struct cdma_geometry* geometry) {
  return is_power_of_two(geometry->data_width) && geometry->data_width >= 32 && geometry->data_width <= 1024 &&
         geometry->btt_width >= 8 && geometry->btt_width <= 26 && geometry->address_width >= 32 &&
         geometry->address_width <= 64;
}

int cdma_init(struct cdma* device, uintptr_t base, const struct cdma_geometry* geometry) {
  memset(device, 0, sizeof *device);
  if (!can_be(geometry)) return -EINVAL;
  device->base = base;
  device->geometry = *geometry;
  return cdma_reset(device);
}

static void end_transfer(struct cdma* device, int result) {
  device->result = result;
  device->busy = false;
  device->completed = device->completed + 1;
}

int cdma_reset(struct cdma* device) {
  // From here on the interrupt handler starts no further piece, which could come behind the reset.
  const bool was_busy = device->busy;
  device->busy = false;
  write_register(device, CDMA_CDMACR, CDMA_CR_RESET);
  for (uint32_t poll = 0; read_register(device, CDMA_CDMACR) & CDMA_CR_RESET; ++poll)
    if (poll == RESET_POLLS) return -ETIMEDOUT;
  if (was_busy) end_transfer(device, -ECANCELED);
  return 0;
}

void cdma_use_interrupt(struct cdma* device, cdma_wait wait, void* context) {
  device->wait = wait;
  device->wait_context = context;
}

uint32_t cdma_largest_piece(const struct cdma* device) {
  // Whole pages, so that all pieces lie on the bus as the first one does; or at least whole words of the port.
  const uint32_t most = ((uint32_t)1 << device->geometry.btt_width) - 1, word = device->geometry.data_width / 8;
  return most >= PAGE ? most / PAGE * PAGE : most / word * word;
}

// Writing BTT starts the engine, so it comes last.
static void start_piece(struct cdma* device) {
  const uint32_t most = cdma_largest_piece(device);
  device->piece = device->left < most ? (uint32_t)device->left : most;
  write_register(device, CDMA_SA, (uint32_t)device->source);
  write_register(device, CDMA_DA, (uint32_t)device->destination);
  if (device->geometry.address_width > 32) {
    write_register(device, CDMA_SA_MSB, (uint32_t)(device->source >> 32));
    write_register(device, CDMA_DA_MSB, (uint32_t)(device->destination >> 32));
  }
  write_register(device, CDMA_BTT, device->piece);
}

static bool beyond(const struct cdma* device, uint64_t address, uint64_t bytes) {
  const uint64_t last = address + (bytes - 1);
  return last < address || (device->geometry.address_width < 64 && last >> device->geometry.address_width != 0);
}

int cdma_start(struct cdma* device, uint64_t destination, uint64_t source, uint64_t bytes) {
  if (device->busy) return -EBUSY;
  if (bytes == 0 || beyond(device, source, bytes) || beyond(device, destination, bytes)) return -EINVAL;
  if (!device->geometry.include_dre && (source ^ destination) % (device->geometry.data_width / 8) != 0) return -EINVAL;
  if (device->result != 0) {  // after an error the engine stands still until its reset
    const int error = cdma_reset(device);
    if (error != 0) return error;
  }
  device->source = source;
  device->destination = destination;
  device->left = bytes;
  device->result = 0;
  device->busy = true;
  write_register(device, CDMA_CDMASR, CDMA_IOC_IRQ | CDMA_ERR_IRQ);
  write_register(device, CDMA_CDMACR, device->wait != NULL ? CDMA_IOC_IRQ | CDMA_ERR_IRQ : 0);
  start_piece(device);
  return 0;
}

static int error_of(uint32_t status) {
  if (status & CDMA_SR_DMA_DEC_ERR) return -EFAULT;
  return status & CDMA_SR_DMA_SLV_ERR ? -EIO : -EINVAL;
}

// The piece has ended: the next one, or the end.
static void look(struct cdma* device) {
  const uint32_t status = read_register(device, CDMA_CDMASR), events = status & (CDMA_IOC_IRQ | CDMA_ERR_IRQ);
  if (events == 0) return;
  write_register(device, CDMA_CDMASR, events);  // also when it is not wanted any more: the interrupt is a level
  if (!device->busy) return;
  if (status & CDMA_SR_ERRORS) {
    end_transfer(device, error_of(status));
    return;
  }
  device->source += device->piece;
  device->destination += device->piece;
  device->left -= device->piece;
  if (device->left > 0)
    start_piece(device);
  else
    end_transfer(device, 0);
}

void cdma_interrupt(struct cdma* device) { look(device); }

bool cdma_is_busy(struct cdma* device) {
  if (device->busy && device->wait == NULL) look(device);
  return device->busy;
}

int cdma_finish(struct cdma* device) {
  for (uint32_t seen = device->completed; cdma_is_busy(device); seen = device->completed)
    if (device->wait != NULL) device->wait(device->wait_context, &device->completed, seen);
  return device->result;
}

int cdma_copy(struct cdma* device, uint64_t destination, uint64_t source, uint64_t bytes) {
  const int error = cdma_start(device, destination, source, bytes);
  return error != 0 ? error : cdma_finish(device);
}

uint64_t cdma_residue(const struct cdma* device) { return device->left; }
