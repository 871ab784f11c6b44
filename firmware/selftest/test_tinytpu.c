// tinyTPU: both buffers to their last row, lanes, strobes and aliases of the window, the instruction words, the runtime
// counter, the synchronize interrupt, and one tile through all units.
#include <string.h>

#include "firmware/board/board.h"
#include "firmware/board/cpu.h"
#include "firmware/board/mmio.h"
#include "firmware/board/plic.h"
#include "firmware/board/tpu.h"
#include "firmware/selftest/selftest.h"

static struct tinytpu tpu;

static uint32_t width(void) { return tpu.geometry.matrix_width; }
static uintptr_t unified(uint32_t row) {
  return tpu.base + tpu.window.unified_buffer + (uintptr_t)row * tpu.window.stride;
}
static uintptr_t words(void) { return tpu.base + tpu.window.instruction; }

static uint8_t pattern(uint32_t row, uint32_t i) { return (uint8_t)(29 * row + 7 * i + (row >> 8)); }

static void fill(uint8_t* bytes, uint32_t row) {
  for (uint32_t i = 0; i < width(); ++i) bytes[i] = pattern(row, i);
}

static void test_unified_buffer(void) {
  _Alignas(4) uint8_t bytes[256], back[256];
  bool good = true;
  for (uint32_t row = 0; row < tpu.geometry.unified_buffer_depth; ++row) {
    fill(bytes, row);
    (void)tinytpu_write_inputs(&tpu, row, 1, bytes, 0);
  }
  for (uint32_t row = 0; row < tpu.geometry.unified_buffer_depth; ++row) {
    fill(bytes, row);
    (void)tinytpu_read_outputs(&tpu, row, 1, back, 0);
    good = good && memcmp(bytes, back, width()) == 0;
  }
  check("every row of the unified buffer keeps its bytes", good);
}

static void test_lanes(void) {
  const uintptr_t row = unified(0);
  for (uint32_t i = 0; i < tpu.window.stride; i += 4) mmio_write32(row + i, 0);
  const uint32_t present = width() >= 4 ? UINT32_MAX : (1u << 8 * width()) - 1;  // the others are padding
  mmio_write32(row, 0x44332211);
  mmio_write8(row + 1, 0xAA);
  check_equal("a byte store changes its byte only", mmio_read32(row), 0x4433AA11 & present);
  if (width() >= 4) {
    mmio_write16(row + 2, 0xBBCC);
    check_equal("a half-word store changes its half only", mmio_read32(row), 0xBBCCAA11);
  }
  bool padding = true;
  for (uint32_t i = 0; i < tpu.window.stride; i += 4) mmio_write32(row + i, 0xFFFFFFFF);
  for (uint32_t i = 0; i < tpu.window.stride; ++i) padding = padding && mmio_read8(row + i) == (i < width() ? 0xFF : 0);
  check("padding bytes read as zero", padding);
#if __riscv_xlen == 64
  *(volatile uint64_t*)row = 0x0807060504030201;
  check("a double word is two lane words", mmio_read8(row) == 1 && (width() < 8 || mmio_read8(row + 7) == 8));
#endif
}

static void test_aliases(void) {
  // Above the unified buffer's offset only two address bits choose: the buffer repeats every two buffer sizes.
  const uint32_t period = 2 * (tpu.window.instruction - tpu.window.unified_buffer);
  bool good = true;
  mmio_write32(unified(0), 0x12345678);
  const uint32_t value = mmio_read32(unified(0));
  for (uint64_t alias = tpu.window.unified_buffer; alias < tpu.window.size; alias += period) {
    good = good && mmio_read32(tpu.base + (uintptr_t)alias) == value;
  }
  check("the unified buffer shows at all its aliases", good);
}

static void test_registers(void) {
  check_equal("the weight buffer reads as zero", mmio_read32(tpu.base), 0);
  check("the instruction words read as zero",
        mmio_read32(words() + 4) == 0 && mmio_read32(words() + 8) == 0 && mmio_read32(words() + 12) == 0);
  const uint32_t runtime = tinytpu_runtime(&tpu);
  mmio_write32(words(), ~runtime);
  check_equal("the runtime counter cannot be written", tinytpu_runtime(&tpu), runtime);
}

static void test_synchronize(void) {
  const uint32_t before = tpu.completed;
  tinytpu_synchronize(&tpu);
  check_equal("synchronize interrupts once", tpu.completed, before + 1);
  const uint32_t alone = tinytpu_runtime(&tpu);
  check("the runtime counter stands still after it", alone != 0 && tinytpu_runtime(&tpu) == alone);
  const uint32_t ticket = tpu.completed;
  mmio_write16(words() + 12, 0);
  mmio_write32(words() + 8, 0);
  mmio_write32(words() + 4, 0xFF);
  check("instruction words count in any order", wait_for_change(&tpu.completed, ticket));
  check_equal("and take no other time", tinytpu_runtime(&tpu), alone);
}

static void test_full_fifo(void) {
  for (uint32_t i = 0; i < 200; ++i) tinytpu_push(&tpu, tinytpu_matrix_multiply(0, 0, 64, TINYTPU_SIGNED_DATA));
  const uint32_t before = tpu.completed;
  tinytpu_synchronize(&tpu);
  check("a full instruction FIFO holds the writer and loses nothing",
        tpu.completed == before + 1 && tinytpu_runtime(&tpu) >= 200 * (64 + 4));
}

// 32 bytes a row at most are looked at: weights are a diagonal of 64 / 128, so ReLU (v / 2) gives a quarter of each
// input.
static void test_tile(uint32_t weight_row, uint32_t input_row, uint32_t output_row) {
  _Alignas(4) uint8_t bytes[256];
  for (uint32_t row = 0; row < width(); ++row) {
    memset(bytes, 0, sizeof bytes);
    bytes[row] = 64;
    (void)tinytpu_write_weights(&tpu, weight_row + row, 1, bytes, 0);
    fill(bytes, row);
    (void)tinytpu_write_inputs(&tpu, input_row + row, 1, bytes, 0);
  }
  tinytpu_push(&tpu, tinytpu_read_weights(weight_row, width(), true));
  tinytpu_push(&tpu, tinytpu_matrix_multiply(input_row, 0, width(), TINYTPU_SIGNED_DATA));
  tinytpu_push(&tpu, tinytpu_activate(output_row, 0, width(), TINYTPU_RELU, true));
  tinytpu_synchronize(&tpu);
  bool good = true;
  for (uint32_t row = 0; row < width(); ++row) {
    (void)tinytpu_read_outputs(&tpu, output_row + row, 1, bytes, 0);
    for (uint32_t i = 0; i < width(); ++i) {
      const int input = (int8_t)pattern(row, i);
      good = good && bytes[i] == (input > 0 ? (input * 64 + 128) / 256 : 0);
    }
  }
  check("a tile goes through weights, multiply and activate", good);
  const uint32_t least = 3 * width() + 28;
  check("in the cycles that takes", tinytpu_runtime(&tpu) >= least && tinytpu_runtime(&tpu) < least + 10000);
}

void test_tinytpu(void) {
  section("tinytpu");
  struct board_device device;
  if (!board_find("jofrfu,tinytpu", 0, &device)) return skip("not in the device tree");
  if (device.interrupt == 0) return skip("no interrupt");
  const int error = board_tpu_init(&tpu, 0);
  check("the device tree gives its sizes, and its window fits them", error == 0);
  if (error != 0) return;
  test_registers();
  test_unified_buffer();
  test_lanes();
  test_aliases();
  test_synchronize();
  test_full_fifo();
  if (tpu.geometry.weight_buffer_depth >= width() && tpu.geometry.unified_buffer_depth >= 2 * width()) {
    test_tile(0, 0, width());
    test_tile(tpu.geometry.weight_buffer_depth - width(), tpu.geometry.unified_buffer_depth - width(), 0);
  }
}
