#include "sw/driver/tinytpu/tinytpu.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

static uint64_t next_power_of_two(uint64_t value) {
  uint64_t power = 1;
  while (power < value) power <<= 1;
  return power;
}

bool tinytpu_layout(const struct tinytpu_geometry* geometry, struct tinytpu_window* window) {
  const uint32_t width = geometry->matrix_width;
  if (width == 0 || width > 256 || geometry->weight_buffer_depth == 0 || geometry->unified_buffer_depth == 0)
    return false;
  const uint64_t stride = width <= 16 ? 16 : next_power_of_two(width);
  const uint64_t weights = next_power_of_two(stride * geometry->weight_buffer_depth);
  const uint64_t unified = next_power_of_two(stride * geometry->unified_buffer_depth);
  const uint64_t unified_offset = weights > 2 * unified ? weights : 2 * unified;
  if (unified_offset > UINT32_MAX / 2) return false;
  window->stride = (uint32_t)stride;
  window->unified_buffer = (uint32_t)unified_offset;
  window->instruction = (uint32_t)(unified_offset + unified);
  window->size = 2 * unified_offset;
  return true;
}

int tinytpu_init(struct tinytpu* device, uintptr_t base, const struct tinytpu_geometry* geometry) {
  memset(device, 0, sizeof *device);
  if (!tinytpu_layout(geometry, &device->window)) return -EINVAL;
  device->base = base;
  device->geometry = *geometry;
  device->instruction_words = base + device->window.instruction;
  return 0;
}

// Byte i of a vector is bits 8 (i mod 4) of lane word i / 4, whatever the byte order of the host.
static uint32_t pack_word(const uint8_t* bytes, uint32_t count) {
  uint32_t word = 0;
  for (uint32_t i = 0; i < count; ++i) word |= (uint32_t)bytes[i] << (8 * i);
  return word;
}

static void unpack_word(uint32_t word, uint8_t* bytes, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) bytes[i] = (uint8_t)(word >> (8 * i));
}

static void write_vector(uintptr_t address, const uint8_t* bytes, uint32_t width) {
  uint32_t i = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  // A word-aligned vector on a little-endian host is already packed: no shifting on the path that feeds the device.
  if (((uintptr_t)bytes & 3) == 0) {
    for (; i + 4 <= width; i += 4) {
      uint32_t word;
      memcpy(&word, __builtin_assume_aligned(bytes + i, 4), sizeof word);
      tinytpu_io_write32(address + i, word);
    }
  }
#endif
  for (; i + 4 <= width; i += 4) tinytpu_io_write32(address + i, pack_word(bytes + i, 4));
  if (i < width) tinytpu_io_write32(address + i, pack_word(bytes + i, width - i));
}

static void read_vector(uintptr_t address, uint8_t* bytes, uint32_t width) {
  uint32_t i = 0;
  for (; i + 4 <= width; i += 4) unpack_word(tinytpu_io_read32(address + i), bytes + i, 4);
  if (i < width) unpack_word(tinytpu_io_read32(address + i), bytes + i, width - i);
}

static bool rows_outside(uint32_t row, uint32_t rows, uint32_t depth) { return row > depth || rows > depth - row; }

static void write_rows(uintptr_t address, uint32_t rows, const struct tinytpu* device, const void* data,
                       uint32_t pitch) {
  const uint8_t* bytes = data;
  for (uint32_t i = 0; i < rows; ++i) {
    write_vector(address, bytes, device->geometry.matrix_width);
    address += device->window.stride;
    bytes += pitch;
  }
}

int tinytpu_write_weights(const struct tinytpu* device, uint32_t row, uint32_t rows, const void* data, uint32_t pitch) {
  if (rows_outside(row, rows, device->geometry.weight_buffer_depth)) return -EFAULT;
  write_rows(device->base + (uintptr_t)row * device->window.stride, rows, device, data, pitch);
  return 0;
}

static uintptr_t unified_row(const struct tinytpu* device, uint32_t row) {
  return device->base + device->window.unified_buffer + (uintptr_t)row * device->window.stride;
}

int tinytpu_write_inputs(const struct tinytpu* device, uint32_t row, uint32_t rows, const void* data, uint32_t pitch) {
  if (rows_outside(row, rows, device->geometry.unified_buffer_depth)) return -EFAULT;
  write_rows(unified_row(device, row), rows, device, data, pitch);
  return 0;
}

int tinytpu_read_outputs(const struct tinytpu* device, uint32_t row, uint32_t rows, void* data, uint32_t pitch) {
  if (rows_outside(row, rows, device->geometry.unified_buffer_depth)) return -EFAULT;
  uint8_t* bytes = data;
  for (uint32_t i = 0; i < rows; ++i)
    read_vector(unified_row(device, row + i), bytes + (uintptr_t)i * pitch, device->geometry.matrix_width);
  return 0;
}

void tinytpu_interrupt(struct tinytpu* device) { ++device->completed; }

uint32_t tinytpu_start_synchronize(const struct tinytpu* device) {
  const uint32_t ticket = device->completed;  // before the push: the interrupt may come at once
  tinytpu_push(device, tinytpu_encode(TINYTPU_OP_SYNCHRONIZE, 0, 0));
  return ticket;
}

void tinytpu_finish(const struct tinytpu* device, uint32_t ticket) {
  while (device->completed == ticket) {
    if (device->wait != NULL) device->wait(device->wait_context, &device->completed, ticket);
  }
}

void tinytpu_synchronize(const struct tinytpu* device) { tinytpu_finish(device, tinytpu_start_synchronize(device)); }

uint32_t tinytpu_runtime(const struct tinytpu* device) {
  return tinytpu_io_read32(device->instruction_words + TINYTPU_RUNTIME_COUNTER);
}
