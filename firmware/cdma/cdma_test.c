// Tests the AXI CDMA through its driver: copies of all alignments and sizes, polled and by interrupt, between both
// memories, in pieces; impossible requests, addresses at which nothing answers, a reset in the middle. One line a group
// of checks. Exit code 0 when all are good, or when the machine has no AXI CDMA (it says so).
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "firmware/board/board.h"
#include "firmware/board/cpu.h"
#include "firmware/board/device_tree.h"
#include "firmware/board/mmio.h"
#include "firmware/cdma/board_cdma.h"

enum { AREA = 96 * 1024, GUARD = 0xA5 };
static _Alignas(4096) uint8_t source_area[AREA] __attribute__((section(".noinit")));
static _Alignas(4096) uint8_t destination_area[AREA] __attribute__((section(".noinit")));

static struct cdma cdma;
static unsigned good, failed;

static void check(bool condition, const char* what, uint32_t a, uint32_t b, uint32_t c) {
  if (condition) {
    ++good;
  } else {
    ++failed;
    printf("FAILED %s (%" PRIu32 ", %" PRIu32 ", %" PRIu32 ")\n", what, a, b, c);
  }
}

static void fill(uint8_t* bytes, uint32_t count, uint32_t seed) {
  for (uint32_t i = 0; i < count; ++i) {
    seed = seed * 1664525 + 1013904223;
    bytes[i] = (uint8_t)(seed >> 24);
  }
}

static uint64_t address(const volatile void* pointer) { return (uintptr_t)pointer; }

// Copies and looks: the bytes, and eight on either side that must have stayed.
static void check_copy(uint32_t to, uint32_t from, uint32_t bytes) {
  uint8_t* const destination = destination_area + 64 + to;
  memset(destination - 8, GUARD, bytes + 16);
  const int result = cdma_copy(&cdma, address(destination), address(source_area + from), bytes);
  bool equal = result == 0 && cdma_residue(&cdma) == 0 && memcmp(destination, source_area + from, bytes) == 0;
  for (uint32_t i = 1; i <= 8; ++i)
    equal = equal && destination[-(int)i] == GUARD && destination[bytes + i - 1] == GUARD;
  check(equal, "copy (to, from, bytes)", to, from, bytes);
}

static void test_alignments(const char* how) {
  static const uint32_t sizes[] = {1, 2, 3, 4, 7, 8, 9, 63, 64, 65, 127, 129, 300};
  const uint32_t places = cdma.geometry.include_dre ? 9 : 1;
  const unsigned before = good;
  for (uint32_t to = 0; to < places; ++to)
    for (uint32_t from = 0; from < places; ++from)
      for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) check_copy(to, from, sizes[i]);
  printf("alignments and sizes, %s: %u good\n", how, good - before);
}

static void test_sizes(void) {
  const unsigned before = good;
  for (uint32_t bytes = 4000; bytes < AREA - 200; bytes = bytes * 3 / 2 + 4) check_copy(0, 0, bytes);
  if (cdma.geometry.include_dre) check_copy(4001, 13, 20000);  // across pages, out of step
  printf("long copies: %u good\n", good - before);
}

static void test_pieces(void) {
  const uint64_t bytes = 2 * (uint64_t)cdma_largest_piece(&cdma) + 5;
  if (bytes > AREA - 200) {
    printf("copies in pieces: one piece is larger than the test's memory\n");
    return;
  }
  check_copy(0, 0, (uint32_t)bytes);
  printf("copies in pieces of %" PRIu32 " bytes: looked at\n", cdma_largest_piece(&cdma));
}

// To the second memory and back.
static void test_memories(void) {
  struct device_tree_node node;
  uint64_t base, size;
  if (!device_tree_find_type(board_get()->device_tree, "memory", 1, &node) ||
      !device_tree_reg(&node, 0, &base, &size) || size < AREA || base > UINTPTR_MAX - AREA) {
    printf("memories: there is one only\n");
    return;
  }
  enum { BYTES = 65536 };
  memset(destination_area, GUARD, BYTES);
  const uint64_t start = cpu_cycles();
  const int there = cdma_copy(&cdma, base, address(source_area), BYTES);
  const uint64_t cycles = cpu_cycles() - start;
  const int back = cdma_copy(&cdma, address(destination_area), base, BYTES);
  check(there == 0 && back == 0 && memcmp(destination_area, source_area, BYTES) == 0, "to the other memory and back",
        (uint32_t)-there, (uint32_t)-back, BYTES);
  printf("memories: %d bytes in %" PRIu64 " cycles of the CPU\n", BYTES, cycles);
}

// A request and what comes of it; the engine has to work afterwards.
static void check_error(const char* what, int expected, uint64_t to, uint64_t from, uint32_t bytes) {
  const int result = cdma_copy(&cdma, to, from, bytes);
  check(result == expected && cdma_residue(&cdma) == bytes, what, (uint32_t)-result, (uint32_t)-expected,
        (uint32_t)cdma_residue(&cdma));
  check_copy(0, 0, 100);
}

static void test_errors(void) {
  const unsigned before = good;
  const uint64_t nowhere = 0x7FFF0000;  // in front of the memory
  check_error("from nowhere", -EFAULT, address(destination_area), nowhere, 256);
  check_error("to nowhere", -EFAULT, nowhere, address(source_area), 5000);
  check(cdma_copy(&cdma, address(destination_area), address(source_area), 0) == -EINVAL, "no bytes, by the driver", 0,
        0, 0);
  if (!cdma.geometry.include_dre)
    check(cdma_copy(&cdma, address(destination_area) + 1, address(source_area), 4) == -EINVAL, "out of step", 0, 0, 0);
  printf("errors: %u good\n", good - before);
}

// No bytes past the driver, which would refuse them.
static void test_no_bytes(void) {
  check(cdma_reset(&cdma) == 0, "reset", 0, 0, 0);
  mmio_write32(cdma.base + CDMA_BTT, 0);
  uint32_t status = 0;
  for (uint32_t poll = 0; poll < 1000 && !(status & CDMA_ERR_IRQ); ++poll)
    status = mmio_read32(cdma.base + CDMA_CDMASR);
  check((status & (CDMA_SR_ERRORS | CDMA_ERR_IRQ | CDMA_IOC_IRQ)) == (CDMA_SR_DMA_INT_ERR | CDMA_ERR_IRQ), "no bytes",
        status, 0, 0);
  check(cdma_reset(&cdma) == 0, "reset after an error", 0, 0, 0);
  check(mmio_read32(cdma.base + CDMA_CDMASR) == 0x00010002, "status after a reset",
        mmio_read32(cdma.base + CDMA_CDMASR), 0, 0);
  check(mmio_read32(cdma.base + CDMA_CDMACR) == 0x00010002, "control after a reset",
        mmio_read32(cdma.base + CDMA_CDMACR), 0, 0);
}

static void test_reset_in_the_middle(void) {
  if (cdma_largest_piece(&cdma) < AREA) {
    printf("resets: a piece is too short for the program to come in its middle\n");
    return;
  }
  check(cdma_start(&cdma, address(destination_area), address(source_area), AREA) == 0, "start", 0, 0, 0);
  check(cdma_start(&cdma, address(destination_area), address(source_area), 1) == -EBUSY, "busy", 0, 0, 0);
  const int reset = cdma_reset(&cdma), result = cdma_finish(&cdma);
  check(reset == 0 && result == -ECANCELED && cdma_residue(&cdma) > 0, "cancelled", (uint32_t)-reset, (uint32_t)-result,
        (uint32_t)cdma_residue(&cdma));
  check_copy(0, 0, 1000);
  printf("resets: looked at\n");
}

int main(void) {
  const int error = board_cdma_init(&cdma, 0);
  if (error == -ENODEV) {
    printf("cdma_test: skipped, no AXI CDMA in the device tree\n");
    return 0;
  }
  if (error != 0) {
    printf("cdma_test: the AXI CDMA of the device tree is not usable (error %d)\n", -error);
    return 1;
  }
  printf("AXI CDMA at 0x%" PRIxPTR ": %" PRIu32 " bit, %s realignment, %s\n", cdma.base, cdma.geometry.data_width,
         cdma.geometry.include_dre ? "with" : "without", cdma.wait != NULL ? "interrupt" : "no interrupt");
  fill(source_area, AREA, 1);
  const cdma_wait wait = cdma.wait;
  cdma_use_interrupt(&cdma, NULL, NULL);
  test_alignments("polled");
  cdma_use_interrupt(&cdma, wait, NULL);
  if (wait != NULL) test_alignments("by interrupt");
  test_sizes();
  test_pieces();
  test_memories();
  test_errors();
  test_no_bytes();
  test_reset_in_the_middle();
  printf("cdma_test: %u good, %u failed\n", good, failed);
  return failed == 0 ? 0 : 1;
}
