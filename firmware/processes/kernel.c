#include "firmware/processes/kernel.h"

#include <stddef.h>

#include "firmware/board/cpu.h"

enum { SLICE = 200, SUPERVISOR_TIMER = 5, SSTATUS_SPP = 1 << 8 };  // ticks of the timer; code in scause

struct kernel kernel;

static void call_machine(uintptr_t service, uintptr_t argument) {
  register uintptr_t a0 __asm__("a0") = argument;
  register uintptr_t a7 __asm__("a7") = service;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
}

static struct trap_frame* next_process(void) {
  for (unsigned step = 1; step <= PROCESSES; ++step) {
    const unsigned candidate = (kernel.running + step) % PROCESSES;
    struct process* process = &kernel.processes[candidate];
    if (process->ended) continue;
    kernel.running = candidate;
    CSR_WRITE(satp, process->satp);
    if (!kernel.has_ids) __asm__ volatile("sfence.vma" ::: "memory");
    return &process->frame;
  }
  call_machine(SERVICE_END, 0);
  return NULL;
}

// A page of the data that is touched for the first time, or A and D where the hart does not set them.
static bool give(struct process* process, uintptr_t cause, uintptr_t address) {
  page_table_entry* leaf = space_leaf(process->space, address);
  const bool there = leaf != NULL && (*leaf & PTE_V) != 0;
  if (!there) {
    if (cause == CAUSE_INSTRUCTION_PAGE || address - user_data >= USER_DATA_PAGES * PAGE_SIZE) return false;
    space_map(process->space, address, page_new(), PTE_R | PTE_W | PTE_U);
    ++process->demanded;
  } else {
    const uintptr_t right = cause == CAUSE_INSTRUCTION_PAGE ? PTE_X : cause == CAUSE_LOAD_PAGE ? PTE_R : PTE_W;
    const uintptr_t mark = cause == CAUSE_STORE_PAGE ? PTE_A | PTE_D : PTE_A;
    if ((*leaf & (right | PTE_U)) != (right | PTE_U) || (*leaf & mark) == mark) return false;
    *leaf |= mark;
  }
  __asm__ volatile("sfence.vma %0, zero" ::"r"(address) : "memory");
  return true;
}

static struct trap_frame* page_fault(struct process* process, uintptr_t cause) {
  if (give(process, cause, CSR_READ(stval))) return &process->frame;
  ++process->refused;
  // Behind the load or store; after a jump, back to where it came from.
  process->frame.pc = cause == CAUSE_INSTRUCTION_PAGE ? process->frame.x1_to_x31[0] : process->frame.pc + 4;
  return &process->frame;
}

static struct trap_frame* call(struct process* process) {
  process->frame.pc += 4;
  if (process->frame.x1_to_x31[16] == CALL_END) {
    process->ended = true;
    process->result = process->frame.x1_to_x31[9];
  }
  return next_process();
}

struct trap_frame* kernel_trap(struct trap_frame* frame) {
  struct process* process = (struct process*)frame;
  const uintptr_t cause = CSR_READ(scause);
  if ((CSR_READ(sstatus) & SSTATUS_SPP) == 0) {
    switch (cause) {
      case (uintptr_t)1 << (8 * sizeof cause - 1) | SUPERVISOR_TIMER:
        ++kernel.preempted;
        call_machine(SERVICE_TIMER, SLICE);
        return next_process();
      case CAUSE_ECALL_USER:
        return call(process);
      case CAUSE_INSTRUCTION_PAGE:
      case CAUSE_LOAD_PAGE:
      case CAUSE_STORE_PAGE:
        return page_fault(process, cause);
      default:
        break;
    }
  }
  kernel.unexpected = cause;
  kernel.unexpected_pc = CSR_READ(sepc);
  call_machine(SERVICE_END, 0);
  return NULL;
}
