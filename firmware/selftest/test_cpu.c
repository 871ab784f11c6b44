// The hart: counters, traps and their registers, user mode.
#include <stddef.h>

#include "firmware/board/cpu.h"
#include "firmware/board/trap.h"
#include "firmware/selftest/selftest.h"

static void illegal_instruction(void* unused) {
  (void)unused;
  __asm__ volatile(".half 0");
}

static void call_environment(void* unused) {
  (void)unused;
  __asm__ volatile("ecall" ::: "memory");
}

static void reach_breakpoint(void* unused) {
  (void)unused;
  __asm__ volatile(".option push; .option norvc; ebreak; .option pop" ::: "memory");
}

static void read_missing_csr(void* unused) {
  (void)unused;
  __asm__ volatile("csrr zero, 0xBC0");
}

static void write_read_only_csr(void* unused) {
  (void)unused;
  __asm__ volatile("csrw mhartid, zero");
}

static void misaligned_load(void* address) {
  uint32_t value;
  __asm__ volatile("lw %0, 0(%1)" : "=r"(value) : "r"(address));
  *(volatile uint32_t*)((char*)address + 7) = value;
}

// Lets user mode reach all memory, where the hart has memory protection at all.
static void open_protection(void* unused) {
  (void)unused;
  __asm__ volatile("csrw pmpaddr0, %0\n csrw pmpcfg0, %1" ::"r"((uintptr_t)-1), "r"(0x1F));
}

// What mret is to bring: user mode, with interrupts on.
static void prepare_user_mode(void) {
  CSR_CLEAR(mstatus, MSTATUS_MPP);
  CSR_SET(mstatus, MSTATUS_MPIE);
}

// The trap brings machine mode back: see trap_expect.
static void ecall_in_user_mode(void* unused) {
  (void)unused;
  prepare_user_mode();
  __asm__ volatile("la t0, 1f\n csrw mepc, t0\n mret\n1: ecall" ::: "t0", "memory");
}

static void machine_csr_in_user_mode(void* unused) {
  (void)unused;
  prepare_user_mode();
  __asm__ volatile("la t0, 1f\n csrw mepc, t0\n mret\n1: csrr t0, mscratch" ::: "t0", "memory");
}

static void expect_cause(const char* name, void (*action)(void*), uintptr_t cause) {
  const struct trap_record trap = trap_expect(action, NULL);
  check_equal(name, trap.taken ? trap.cause : UINTPTR_MAX, cause);
}

static void test_counters(void) {
  const uint64_t cycles = cpu_cycles(), instructions = cpu_instructions();
  for (volatile int i = 0; i < 100; ++i) continue;
  const uint64_t executed = cpu_instructions() - instructions, passed = cpu_cycles() - cycles;
  check("mcycle counts", passed > 0);
  check("minstret counts instructions", executed > 200 && executed < 20000);
}

static void test_csrs(void) {
  const uintptr_t trap_stack = CSR_READ(mscratch);  // start.S
  CSR_WRITE(mscratch, (uintptr_t)0x5A5A5A5A);
  const uintptr_t kept = CSR_READ(mscratch);
  CSR_WRITE(mscratch, trap_stack);
  check_equal("mscratch keeps a value", kept, 0x5A5A5A5A);
  check_equal("misa names the register width", CSR_READ(misa) >> (__riscv_xlen - 2), __riscv_xlen == 64 ? 2 : 1);
  const uintptr_t extensions = 1 << ('I' - 'A') | 1 << ('M' - 'A') | 1 << 0 | 1 << ('C' - 'A');
  check_equal("misa names I, M, A and C", CSR_READ(misa) & extensions, extensions);
}

static void test_traps(void) {
  expect_cause("an illegal instruction traps", illegal_instruction, CAUSE_ILLEGAL_INSTRUCTION);
  expect_cause("a CSR that is not there traps", read_missing_csr, CAUSE_ILLEGAL_INSTRUCTION);
  expect_cause("a write to a read-only CSR traps", write_read_only_csr, CAUSE_ILLEGAL_INSTRUCTION);
  expect_cause("ecall traps", call_environment, CAUSE_ECALL_MACHINE);
  expect_cause("ebreak traps", reach_breakpoint, CAUSE_BREAKPOINT);

  static _Alignas(8) uint8_t bytes[16] = {0x11, 0x22, 0x33, 0x44, 0x55};
  const struct trap_record trap = trap_expect(misaligned_load, bytes + 1);
  const uint32_t loaded =
      (uint32_t)bytes[8] | (uint32_t)bytes[9] << 8 | (uint32_t)bytes[10] << 16 | (uint32_t)bytes[11] << 24;
  check(
      "a misaligned load is done or trapped",
      trap.taken ? trap.cause == CAUSE_LOAD_MISALIGNED && trap.value == (uintptr_t)(bytes + 1) : loaded == 0x55443322);
}

static void test_user_mode(void) {
  (void)trap_expect(open_protection, NULL);  // traps where there is none
  expect_cause("ecall from user mode traps", ecall_in_user_mode, CAUSE_ECALL_USER);
  expect_cause("user mode may not read machine CSRs", machine_csr_in_user_mode, CAUSE_ILLEGAL_INSTRUCTION);
}

void test_cpu(void) {
  section("cpu");
  test_counters();
  test_csrs();
  test_traps();
  test_user_mode();
}
