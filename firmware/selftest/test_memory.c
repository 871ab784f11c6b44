// Every memory of the device tree: access sizes, address lines, atomics, and its end. And the boot ROM.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "firmware/board/board.h"
#include "firmware/board/device_tree.h"
#include "firmware/board/mmio.h"
#include "firmware/selftest/selftest.h"

extern char __stack_top[];

static void test_access_sizes(uintptr_t base) {
  volatile uint32_t* const words = (volatile uint32_t*)base;
  words[0] = 0x04030201;
  words[1] = 0x08070605;
  bool bytes = true;
  for (unsigned i = 0; i < 8; ++i) bytes = bytes && mmio_read8(base + i) == i + 1;
  check("bytes of a word are in little-endian order", bytes);
  mmio_write8(base + 1, 0xAA);
  mmio_write16(base + 2, 0xBBCC);
  check_equal("byte and half-word stores leave the other bytes alone", words[0], 0xBBCCAA01);
#if __riscv_xlen == 64
  *(volatile uint64_t*)base = 0x1122334455667788;
  check_equal("a double word holds two words", (uint64_t)words[1] << 32 | words[0], 0x1122334455667788);
#endif
}

// Writes a different value at each power-of-two distance from the end: two that fall together show a dead address line.
static void test_address_lines(uintptr_t base, uintptr_t size) {
  const uintptr_t last = base + size - 4;
  unsigned count = 0;
  for (uintptr_t distance = 4; distance <= size / 2; distance *= 2) mmio_write32(last - distance, 0xA5000000 + count++);
  mmio_write32(last, 0x5A5A5A5A);
  bool good = mmio_read32(last) == 0x5A5A5A5A;
  count = 0;
  for (uintptr_t distance = 4; distance <= size / 2; distance *= 2) {
    good = good && mmio_read32(last - distance) == 0xA5000000 + count++;
  }
  check("address lines up to the last word", good);
}

static void test_atomics(uintptr_t base) {
  volatile uint32_t* const word = (volatile uint32_t*)base;
  uint32_t old, failure;
  *word = 40;
  __asm__ volatile("amoadd.w %0, %2, (%1)" : "=r"(old) : "r"(word), "r"(2) : "memory");
  check("amoadd returns the old and stores the sum", old == 40 && *word == 42);
  __asm__ volatile("amomaxu.w %0, %2, (%1)" : "=r"(old) : "r"(word), "r"(-1) : "memory");
  check("amomaxu compares without sign", old == 42 && *word == UINT32_MAX);
  __asm__ volatile("lr.w %0, (%2)\n sc.w %1, %3, (%2)" : "=&r"(old), "=&r"(failure) : "r"(word), "r"(7) : "memory");
  check("a store conditional behind its load succeeds", failure == 0 && *word == 7);
  __asm__ volatile("sc.w %0, %2, (%1)" : "=r"(failure) : "r"(word), "r"(9) : "memory");
  check("a store conditional without reservation fails", failure != 0 && *word == 7);
}

// Whether a memory of the tree begins at this address.
static bool memory_begins_at(uintptr_t address) {
  struct device_tree_node node;
  uint64_t base, size;
  for (unsigned i = 0; device_tree_find_type(board_get()->device_tree, "memory", i, &node); ++i) {
    for (unsigned range = 0; device_tree_reg(&node, range, &base, &size); ++range) {
      if (base == address) return true;
    }
  }
  return false;
}

static void test_range(uintptr_t base, uintptr_t size) {
  static char name[32];
  snprintf(name, sizeof name, "memory 0x%08" PRIxPTR, base);
  section(name);
  const uintptr_t program_end = (uintptr_t)__stack_top;
  const bool holds_program = program_end > base && program_end <= base + size;
  const uintptr_t free_base = holds_program ? program_end : base;
  const uintptr_t free_size = base + size - free_base;
  if (free_size < 4096) return skip("all of it belongs to the program");
  test_access_sizes(free_base);
  test_address_lines(free_base, free_size);
  test_atomics(free_base);
  check("the first word is readable", readable(base));
  if (!memory_begins_at(base + size)) check("behind its end nothing is readable", !readable(base + size));
}

void test_memory(void) {
  struct device_tree_node node;
  bool found = false;
  for (unsigned i = 0; device_tree_find_type(board_get()->device_tree, "memory", i, &node); ++i) {
    uint64_t base, size;
    for (unsigned range = 0; device_tree_reg(&node, range, &base, &size); ++range) {
      found = true;
      test_range((uintptr_t)base, (uintptr_t)size);
    }
  }
  section("boot");
  check("the device tree lists memory", found);
  const uintptr_t tree = (uintptr_t)board_get()->device_tree;
  check("the device tree starts with its magic number", tree != 0 && memcmp((void*)tree, "\xD0\x0D\xFE\xED", 4) == 0);
  const uintptr_t rom = 0x1000;  // no device tree names it
  if (!readable(rom)) return skip("the boot ROM is not at its default place");
  const uint32_t first = mmio_read32(rom);
  check("the boot ROM holds code", first != 0);
  (void)writable(rom);  // refused or without effect: both are a ROM
  check_equal("the boot ROM does not change", mmio_read32(rom), first);
}
