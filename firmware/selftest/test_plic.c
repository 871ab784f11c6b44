// PLIC: priorities, enables, threshold, pending bits and claims, with UART0's transmitter as a source that can be
// raised and lowered at will.
#include "firmware/board/board.h"
#include "firmware/board/cpu.h"
#include "firmware/board/mmio.h"
#include "firmware/board/plic.h"
#include "firmware/board/uart.h"
#include "firmware/selftest/selftest.h"

static uintptr_t base(void) { return board_get()->plic.base; }

static void raise(bool level) { mmio_write8(board_get()->uart0.base + UART_IER, level ? UART_IER_ETBEI : 0); }
static bool external_pending(void) { return CSR_READ(mip) >> INTERRUPT_EXTERNAL & 1; }
static uint32_t claim(void) { return mmio_read32(base() + PLIC_CLAIM(PLIC_CONTEXT)); }
static void complete(uint32_t source) { mmio_write32(base() + PLIC_CLAIM(PLIC_CONTEXT), source); }

// The highest priority there is.
static uint32_t top_priority(void) {
  mmio_write32(base() + PLIC_PRIORITY(1), UINT32_MAX);
  const uint32_t top = mmio_read32(base() + PLIC_PRIORITY(1));
  mmio_write32(base() + PLIC_PRIORITY(1), 0);
  return top;
}

static void test_priorities(uint32_t sources, uint32_t top) {
  check("priorities are whole bits", top != 0 && (top & (top + 1)) == 0);
  bool good = true;
  for (uint32_t source = 1; source <= sources; ++source) {
    mmio_write32(base() + PLIC_PRIORITY(source), source % top + 1);
  }
  for (uint32_t source = 1; source <= sources; ++source) {
    good = good && mmio_read32(base() + PLIC_PRIORITY(source)) == source % top + 1;
    mmio_write32(base() + PLIC_PRIORITY(source), 0);
  }
  check("every source has a priority of its own", good);
}

static void test_enables(uint32_t sources) {
  bool good = true;
  for (uint32_t source = 1; source <= sources; ++source) {
    const uintptr_t address = base() + PLIC_ENABLE(PLIC_CONTEXT, source);
    const uint32_t bit = (uint32_t)1 << source % 32;
    mmio_write32(address, bit);
    good = good && mmio_read32(address) == bit;
    mmio_write32(address, 0);
  }
  check("every source can be enabled", good);
  mmio_write32(base() + PLIC_ENABLE(PLIC_CONTEXT, 0), 1);
  check("source 0 cannot", (mmio_read32(base() + PLIC_ENABLE(PLIC_CONTEXT, 0)) & 1) == 0);
  mmio_write32(base() + PLIC_ENABLE(PLIC_CONTEXT, 0), 0);
}

static void test_threshold(uint32_t top) {
  bool good = true;
  for (uint32_t threshold = top; threshold != 0; threshold /= 2) {
    mmio_write32(base() + PLIC_THRESHOLD(PLIC_CONTEXT), threshold);
    good = good && mmio_read32(base() + PLIC_THRESHOLD(PLIC_CONTEXT)) == threshold;
  }
  mmio_write32(base() + PLIC_THRESHOLD(PLIC_CONTEXT), 0);
  check("the threshold keeps every priority", good);
}

// With interrupts masked in the hart, so that every step can be looked at. Results are printed behind the last step:
// printing moves the very level that is looked at.
static void test_claims(uint32_t top) {
  const uint32_t source = board_get()->uart0.interrupt;
  const uintptr_t priority = base() + PLIC_PRIORITY(source), enable = base() + PLIC_ENABLE(PLIC_CONTEXT, source);
  const uintptr_t threshold = base() + PLIC_THRESHOLD(PLIC_CONTEXT);
  struct {
    const char* name;
    bool good;
  } steps[16];
  unsigned count = 0;
#define STEP(text, condition) steps[count].name = (text), steps[count++].good = (condition)
  uart_wait_until_sent(board_get()->uart0.base);
  STEP("nothing to claim reads as 0", claim() == 0);
  raise(true);
  STEP("a source is pending without being enabled", plic_pending(source) && !external_pending());
  mmio_write32(enable, (uint32_t)1 << source % 32);
  STEP("priority 0 never interrupts", !external_pending());
  mmio_write32(priority, top);
  STEP("an enabled source interrupts", external_pending());
  mmio_write32(threshold, top);
  STEP("not at the threshold", !external_pending());
  mmio_write32(threshold, top - 1);
  STEP("above the threshold", external_pending());
  STEP("the claim names it", claim() == source);
  STEP("a claimed source is no longer pending", !plic_pending(source) && !external_pending());
  complete(source);
  STEP("completion lets a level that is still high in again", plic_pending(source) && external_pending());
  STEP("and it can be claimed again", claim() == source);
  raise(false);
  complete(source);
  STEP("not when the level is low", !plic_pending(source) && !external_pending());
#undef STEP
  mmio_write32(threshold, 0);
  mmio_write32(priority, 0);
  mmio_write32(enable, 0);
  for (unsigned i = 0; i < count; ++i) check(steps[i].name, steps[i].good);
}

void test_plic(void) {
  section("plic");
  if (!board_has(&board_get()->plic)) return skip("not in the device tree");
  const uint32_t sources = plic_source_count();
  cpu_disable_interrupts();
  const uint32_t top = top_priority();
  test_priorities(sources, top);
  test_enables(sources);
  test_threshold(top);
  test_claims(top);
  cpu_enable_interrupts();
}
