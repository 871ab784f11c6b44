// Every register and region of the platform's devices, their interrupts, and the answers to wrong accesses. Exit code 0
// when all checks are good, 1 otherwise. Devices that the device tree does not name are skipped, so that the program
// also runs on QEMU's `virt` machine.
#include <inttypes.h>
#include <stdio.h>

#include "firmware/board/board.h"
#include "firmware/board/cpu.h"
#include "firmware/board/mmio.h"
#include "firmware/board/trap.h"
#include "firmware/selftest/selftest.h"

static const char* current_section;
static unsigned good_checks, failed_checks, skipped;

void section(const char* name) { current_section = name; }

void check(const char* name, bool good) {
  ++*(good ? &good_checks : &failed_checks);
  printf("%s %s: %s\n", good ? "ok    " : "FAILED", current_section, name);
}

void check_equal(const char* name, uint64_t actual, uint64_t expected) {
  check(name, actual == expected);
  if (actual != expected) printf("       is 0x%" PRIx64 ", should be 0x%" PRIx64 "\n", actual, expected);
}

void skip(const char* what) {
  ++skipped;
  printf("absent %s: %s\n", current_section, what);
}

static void read_word(void* address) { (void)mmio_read32((uintptr_t)address); }
static void write_word(void* address) { mmio_write32((uintptr_t)address, 0); }

static bool refused(void (*access)(void*), uintptr_t address, uintptr_t cause) {
  const struct trap_record trap = trap_expect(access, (void*)address);
  if (trap.taken && (trap.cause != cause || trap.value != address)) {
    printf("       trap with mcause %" PRIuPTR ", mtval 0x%" PRIxPTR "\n", trap.cause, trap.value);
    return false;
  }
  return trap.taken;
}

bool readable(uintptr_t address) { return !refused(read_word, address, CAUSE_LOAD_ACCESS); }
bool writable(uintptr_t address) { return !refused(write_word, address, CAUSE_STORE_ACCESS); }

bool wait_for_change(const volatile uint32_t* counter, uint32_t seen) {
  const uint64_t start = cpu_cycles();
  while (*counter == seen && cpu_cycles() - start < PATIENCE_CYCLES) continue;
  return *counter != seen;
}

int main(void) {
  printf("selftest, rv%d\n", __riscv_xlen);
  cpu_enable_interrupts();
  static void (*const tests[])(void) = {test_cpu,   test_memory,  test_clint, test_plic,
                                        test_uarts, test_tinytpu, test_errors};
  for (unsigned i = 0; i < sizeof tests / sizeof *tests; ++i) tests[i]();
  printf("selftest: %u good, %u failed, %u absent\n", good_checks, failed_checks, skipped);
  return failed_checks != 0;
}
