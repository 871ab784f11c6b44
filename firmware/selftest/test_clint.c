// CLINT: its three registers, in both access widths, and both interrupts.
#include "firmware/board/board.h"
#include "firmware/board/clint.h"
#include "firmware/board/cpu.h"
#include "firmware/board/mmio.h"
#include "firmware/board/trap.h"
#include "firmware/selftest/selftest.h"

#include <stddef.h>

static volatile uint32_t timer_count, software_count;
static volatile uint64_t timer_taken;

static void on_timer(void* context) {
  (void)context;
  timer_taken = clint_time();
  ++timer_count;
  clint_stop_timer();
}

static void on_software(void* context) {
  (void)context;
  ++software_count;
  clint_set_software_interrupt(0);
}

static uintptr_t base(void) { return board_get()->clint.base; }
static bool pending(unsigned interrupt) { return CSR_READ(mip) >> interrupt & 1; }

static void test_registers(void) {
  clint_set_timer(0x123456789ABCDEF0);
  check_equal("mtimecmp low", mmio_read32(base() + CLINT_MTIMECMP), 0x9ABCDEF0);
  check_equal("mtimecmp high", mmio_read32(base() + CLINT_MTIMECMP + 4), 0x12345678);
#if __riscv_xlen == 64
  check_equal("mtimecmp as a double word", *(volatile uint64_t*)(base() + CLINT_MTIMECMP), 0x123456789ABCDEF0);
  *(volatile uint64_t*)(base() + CLINT_MTIMECMP) = 0xFEDCBA9876543210;
  check_equal("mtimecmp takes a double word", mmio_read32(base() + CLINT_MTIMECMP + 4), 0xFEDCBA98);
#endif
  clint_stop_timer();
  clint_set_software_interrupt(0xFFFFFFFE);
  check_equal("msip has one bit", mmio_read32(base() + CLINT_MSIP), 0);
}

static void test_time(void) {
  const uint64_t before = clint_time();
  for (volatile int i = 0; i < 10000; ++i) continue;
  const uint64_t by_csr = CPU_READ_COUNTER(time, timeh);
  const uint64_t after = clint_time();
  check("mtime runs", after > before);
  check("the time CSR is mtime", by_csr >= before && by_csr <= after);
  const uint64_t jump = 1u << 30;
  mmio_write32(base() + CLINT_MTIME, (uint32_t)(clint_time() + jump));
  const uint64_t now = clint_time();
  check("mtime can be set", now >= after + jump && now < after + jump + board_get()->timer_hz);
}

static void test_timer_interrupt(void) {
  trap_connect(INTERRUPT_TIMER, on_timer, NULL);
  const uint64_t due = clint_time() + board_get()->timer_hz / 10000;  // 100 us
  clint_set_timer(due);
  check("the timer interrupt comes", wait_for_change(&timer_count, 0));
  check("not before mtimecmp", timer_taken >= due);
  check("its pending bit is gone with mtimecmp in the future", !pending(INTERRUPT_TIMER));
  clint_set_timer(clint_time() + board_get()->timer_hz / 10000);
  cpu_sleep_while_equal(&timer_count, 1);
  check_equal("it wakes a sleeping hart", timer_count, 2);
  trap_disconnect(INTERRUPT_TIMER);
  clint_set_timer(0);
  check("it is pending while it is masked", pending(INTERRUPT_TIMER) && timer_count == 2);
  clint_stop_timer();
}

static void test_software_interrupt(void) {
  clint_set_software_interrupt(1);
  check("msip is pending while it is masked", pending(INTERRUPT_SOFTWARE) && software_count == 0);
  trap_connect(INTERRUPT_SOFTWARE, on_software, NULL);
  check("the software interrupt comes", wait_for_change(&software_count, 0));
  check("once", software_count == 1 && !pending(INTERRUPT_SOFTWARE));
  trap_disconnect(INTERRUPT_SOFTWARE);
}

void test_clint(void) {
  section("clint");
  if (!board_has(&board_get()->clint)) return skip("not in the device tree");
  test_registers();
  test_time();
  test_timer_interrupt();
  test_software_interrupt();
}
