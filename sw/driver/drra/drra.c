#include "sw/driver/drra/drra.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

static uint32_t read_register(const struct drra* device, uint32_t offset) {
  return drra_io_read32(device->base + offset);
}
static void write_register(const struct drra* device, uint32_t offset, uint32_t value) {
  drra_io_write32(device->base + offset, value);
}

static uint32_t interrupts(const struct drra* device) {
  return device->wait != NULL ? DRRA_DONE_IRQ_EN | DRRA_DMA_IRQ_EN : 0;
}

int drra_init(struct drra* device, uintptr_t base) {
  memset(device, 0, sizeof *device);
  device->base = base;
  if (read_register(device, DRRA_ID) != DRRA_IDENTIFICATION) return -ENODEV;
  const uint32_t size = read_register(device, DRRA_SIZE);
  device->columns = size & 0xFF;
  device->dimarch_rows = size >> 16 & 0xF;
  device->io_rows = read_register(device, DRRA_IO_ROWS);
  device->start_skew = (read_register(device, DRRA_FEATURES) & DRRA_START_SKEW) != 0;
  drra_reset(device);
  return 0;
}

void drra_reset(struct drra* device) {
  write_register(device, DRRA_CONTROL, DRRA_RESET);
  device->ended = 0;
  write_register(device, DRRA_CONTROL, interrupts(device));
}

void drra_use_interrupt(struct drra* device, drra_wait wait, void* context) {
  device->wait = wait;
  device->wait_context = context;
  write_register(device, DRRA_CONTROL, interrupts(device));
}

// Takes from STATUS what has ended, so that the line goes low.
static void collect(struct drra* device) {
  const uint32_t ended = read_register(device, DRRA_STATUS) & (DRRA_DONE | DRRA_DMA_DONE | DRRA_DMA_ERROR);
  if (ended == 0) return;
  write_register(device, DRRA_STATUS, ended);
  device->ended = device->ended | ended;
}

void drra_interrupt(struct drra* device) {
  collect(device);
  device->events = device->events + 1;
}

// Waits until one of these has come, and returns which have. The interrupts are off while `ended` changes here.
static uint32_t await(struct drra* device, uint32_t what) {
  for (;;) {
    const uint32_t seen = device->events;
    if (device->wait == NULL) collect(device);
    if ((device->ended & what) != 0) break;
    if (device->wait != NULL) device->wait(device->wait_context, &device->events, seen);
  }
  write_register(device, DRRA_CONTROL, 0);
  const uint32_t come = device->ended & what;
  device->ended = device->ended & ~what;
  write_register(device, DRRA_CONTROL, interrupts(device));
  return come;
}

int drra_load(struct drra* device, uint32_t row, uint32_t column, const uint32_t* words, uint32_t count) {
  if (row >= DRRA_ROWS || column >= device->columns || count > DRRA_INSTRUCTION_WORDS) return -EINVAL;
  const uint32_t cell = row * device->columns + column;
  for (uint32_t i = 0; i < count; ++i)
    write_register(device, DRRA_INSTRUCTIONS + 4 * (cell * DRRA_INSTRUCTION_WORDS + i), words[i]);
  write_register(device, DRRA_LENGTH + 4 * cell, count);
  return 0;
}

bool drra_is_running(struct drra* device) { return (read_register(device, DRRA_STATUS) & DRRA_RUNNING) != 0; }

int drra_start(struct drra* device) {
  if (drra_is_running(device)) return -EBUSY;
  write_register(device, DRRA_CONTROL, DRRA_START | interrupts(device));
  return 0;
}

void drra_finish(struct drra* device) { await(device, DRRA_DONE); }

uint64_t drra_run(struct drra* device) {
  if (drra_start(device) != 0) return 0;
  drra_finish(device);
  return drra_cycles(device);
}

// Reading the lower half holds the upper one.
uint64_t drra_cycles(struct drra* device) {
  const uint32_t low = read_register(device, DRRA_CYCLES);
  return (uint64_t)read_register(device, DRRA_CYCLES_MSB) << 32 | low;
}

uint32_t drra_findings(struct drra* device) { return read_register(device, DRRA_FINDINGS); }

static int start_carry(struct drra* device, struct drra_rows rows, uint64_t address, uint32_t direction) {
  const uint32_t most = rows.io ? device->io_rows : device->dimarch_rows * device->columns * DRRA_TILE_ROWS;
  if (rows.count == 0 || rows.first >= most || rows.count > most - rows.first) return -EINVAL;
  if (address + ((uint64_t)rows.count * DRRA_ROW_BYTES - 1) < address) return -EINVAL;
  if (read_register(device, DRRA_STATUS) & DRRA_DMA_BUSY) return -EBUSY;
  write_register(device, DRRA_DMA_ADDRESS, (uint32_t)address);
  write_register(device, DRRA_DMA_ADDRESS_MSB, (uint32_t)(address >> 32));
  write_register(device, DRRA_DMA_ROW, rows.first);
  write_register(device, DRRA_DMA_ROWS, rows.count);
  write_register(device, DRRA_DMA_CONTROL, DRRA_DMA_START | direction | (rows.io ? DRRA_DMA_IO : 0));
  return 0;
}

int drra_start_carry_in(struct drra* device, struct drra_rows rows, uint64_t address) {
  return start_carry(device, rows, address, 0);
}
int drra_start_carry_out(struct drra* device, struct drra_rows rows, uint64_t address) {
  return start_carry(device, rows, address, DRRA_DMA_TO_MEMORY);
}

int drra_finish_carry(struct drra* device) {
  return await(device, DRRA_DMA_DONE | DRRA_DMA_ERROR) & DRRA_DMA_ERROR ? -EIO : 0;
}

int drra_carry_in(struct drra* device, struct drra_rows rows, uint64_t address) {
  const int error = drra_start_carry_in(device, rows, address);
  return error != 0 ? error : drra_finish_carry(device);
}

int drra_carry_out(struct drra* device, struct drra_rows rows, uint64_t address) {
  const int error = drra_start_carry_out(device, rows, address);
  return error != 0 ? error : drra_finish_carry(device);
}

int16_t drra_peek(struct drra* device, uint32_t row, uint32_t column, uint32_t address) {
  const uint32_t cell = row * device->columns + column;
  const uint32_t pair = read_register(device, DRRA_REGISTER_FILES + cell * 2 * DRRA_REGISTERS + address / 2 * 4);
  return (int16_t)(address % 2 != 0 ? pair >> 16 : pair);
}
