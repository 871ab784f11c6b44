// Control and status registers of the hart, and what is built on them.
#ifndef FIRMWARE_BOARD_CPU_H
#define FIRMWARE_BOARD_CPU_H

#include <stdbool.h>
#include <stdint.h>

#define CSR_READ(name)                                                \
  ({                                                                  \
    uintptr_t csr_value_;                                             \
    __asm__ volatile("csrr %0, " #name : "=r"(csr_value_)::"memory"); \
    csr_value_;                                                       \
  })
#define CSR_WRITE(name, value) __asm__ volatile("csrw " #name ", %0" ::"rK"((uintptr_t)(value)) : "memory")
#define CSR_SET(name, bits) __asm__ volatile("csrs " #name ", %0" ::"rK"((uintptr_t)(bits)) : "memory")
#define CSR_CLEAR(name, bits) __asm__ volatile("csrc " #name ", %0" ::"rK"((uintptr_t)(bits)) : "memory")

enum { MSTATUS_MIE = 1 << 3, MSTATUS_MPIE = 1 << 7, MSTATUS_MPP = 3 << 11 };
enum { INTERRUPT_SOFTWARE = 3, INTERRUPT_TIMER = 7, INTERRUPT_EXTERNAL = 11 };  // bits of mie and mip, codes of mcause

static inline void cpu_enable_interrupts(void) { CSR_SET(mstatus, MSTATUS_MIE); }
static inline void cpu_disable_interrupts(void) { CSR_CLEAR(mstatus, MSTATUS_MIE); }
static inline void cpu_wait_for_interrupt(void) { __asm__ volatile("wfi" ::: "memory"); }

// Sleeps until *flag differs from `seen`. Interrupts are taken here and only here, so none can slip in between the look
// at *flag and the wfi: with interrupts masked, wfi still wakes for a pending one.
static inline void cpu_sleep_while_equal(const volatile uint32_t* flag, uint32_t seen) {
  cpu_disable_interrupts();
  while (*flag == seen) {
    cpu_wait_for_interrupt();
    cpu_enable_interrupts();  // the pending interrupt is taken here
    cpu_disable_interrupts();
  }
  cpu_enable_interrupts();
}

// A 64-bit counter of which a 32-bit hart sees two halves: read again when the upper half moved in between.
#if __riscv_xlen == 64
#define CPU_READ_COUNTER(low, high) CSR_READ(low)
#else
#define CPU_READ_COUNTER(low, high)                                                            \
  ({                                                                                           \
    uint32_t high_before_, low_value_, high_after_;                                            \
    do {                                                                                       \
      high_before_ = CSR_READ(high), low_value_ = CSR_READ(low), high_after_ = CSR_READ(high); \
    } while (high_before_ != high_after_);                                                     \
    (uint64_t) high_after_ << 32 | low_value_;                                                 \
  })
#endif

static inline uint64_t cpu_cycles(void) { return CPU_READ_COUNTER(mcycle, mcycleh); }
static inline uint64_t cpu_instructions(void) { return CPU_READ_COUNTER(minstret, minstreth); }

#endif
