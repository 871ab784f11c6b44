// Three processes in user mode under a small kernel in supervisor mode, each in an address space of its own (Sv32, or
// Sv39 on a 64-bit hart): the timer takes turns, pages come on demand, forbidden accesses are refused. Machine mode
// gives supervisor mode its timer, and compares what the processes computed with its own result. Exit code 0: all as it
// should be.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "firmware/board/board.h"
#include "firmware/board/clint.h"
#include "firmware/board/cpu.h"
#include "firmware/board/trap.h"
#include "firmware/processes/kernel.h"
#include "firmware/processes/paging.h"

enum { ROUNDS = 3000, REFUSED = 3, MIP_STIP = 1 << 5, SIE_STIE = 1 << 5, INTERRUPTS_OF_SUPERVISOR = 1 << 5 };
enum { PMP_RANGE_RWX = 0x0f };  // pmpcfg: from the entry before it, readable, writable, executable

extern const uint8_t user_code[], user_code_end[];
extern char __ram_start[], __stack_guard[];

static int failures;

static void look(const char* what, bool good) {
  printf("%s %s\n", good ? "ok    " : "FAILED", what);
  failures += !good;
}

static void on_timer(void* context) {
  (void)context;
  clint_stop_timer();
  CSR_SET(mip, MIP_STIP);
}

void machine_serve(struct trap_frame* frame) {
  if (frame->x1_to_x31[16] == SERVICE_TIMER) {
    CSR_CLEAR(mip, MIP_STIP);
    clint_set_timer(clint_time() + frame->x1_to_x31[9]);
    return;
  }
  frame->pc = (uintptr_t)supervisor_back;
  CSR_SET(mstatus, MSTATUS_MPP);
}

// Supervisor mode may use this program's memory up to the guard of the stack, and handles what its processes do.
static void open_machine(void) {
  CSR_WRITE(pmpaddr0, (uintptr_t)__ram_start >> 2);
  CSR_WRITE(pmpaddr1, (uintptr_t)__stack_guard >> 2);
  CSR_SET(pmpcfg0, PMP_RANGE_RWX << 8);
  CSR_WRITE(medeleg,
            1 << CAUSE_ECALL_USER | 1 << CAUSE_INSTRUCTION_PAGE | 1 << CAUSE_LOAD_PAGE | 1 << CAUSE_STORE_PAGE);
  CSR_WRITE(mideleg, INTERRUPTS_OF_SUPERVISOR);
  CSR_SET(mie, SIE_STIE);
  CSR_WRITE(stvec, (uintptr_t)supervisor_entry);
  CSR_WRITE(mtvec, (uintptr_t)machine_entry);
  trap_connect(INTERRUPT_TIMER, on_timer, NULL);
}

static void make_process(uintptr_t number) {
  struct process* process = &kernel.processes[number - 1];
  process->space = space_new();
  process->satp = space_register(process->space, kernel.has_ids ? number : 0);
  void* text = page_new();
  memcpy(text, user_code, (size_t)(user_code_end - user_code));
  space_map(process->space, user_text, text, PTE_R | PTE_X | PTE_U);
  process->frame.pc = user_text;
  __asm__("mv %0, gp" : "=r"(process->frame.x1_to_x31[2]));
  __asm__("mv %0, tp" : "=r"(process->frame.x1_to_x31[3]));
  uintptr_t* const a0 = &process->frame.x1_to_x31[9];
  a0[0] = number;
  a0[1] = ROUNDS;
  a0[2] = user_data;
  a0[3] = (uintptr_t)&kernel;
}

// What user.S computes.
static uintptr_t expected_result(uintptr_t number, unsigned* touched) {
  static int32_t data[USER_DATA_PAGES * PAGE_SIZE / 4];
  memset(data, 0, sizeof data);
  uintptr_t random = number, sum = 0, pages = 0;
  for (unsigned round = 0; round < ROUNDS; ++round) {
    random = random * 1103515245 + 12345;
    int32_t* word = &data[(random >> 9 & 0x7ffc) / 4];
    *word = (int32_t)((uint32_t)*word ^ (uint32_t)random);
    sum = (sum + (uintptr_t)(intptr_t)*word) ^ number;
    pages |= (uintptr_t)1 << (random >> 9 & 0x7ffc) / PAGE_SIZE;
  }
  *touched = (unsigned)__builtin_popcountl(pages);
  return sum;
}

static void check_process(unsigned number) {
  const struct process* process = &kernel.processes[number - 1];
  unsigned touched;
  const bool good = expected_result(number, &touched) == process->result;
  printf("process %u: checksum %" PRIxPTR ", %u pages on demand, %u accesses refused\n", number, process->result,
         process->demanded, process->refused);
  look("its result", good && process->ended);
  look("its pages", process->demanded == touched && process->refused == REFUSED);
  bool marked = true;
  for (unsigned page = 0; page < USER_DATA_PAGES; ++page) {
    const page_table_entry* leaf = space_leaf(process->space, user_data + page * PAGE_SIZE);
    marked = marked && leaf != NULL && (*leaf & (PTE_A | PTE_D)) == (PTE_A | PTE_D);
  }
  const page_table_entry* text = space_leaf(process->space, user_text);
  look("marks of used and written pages", marked && (*text & (PTE_A | PTE_D)) == PTE_A);
}

int main(void) {
  const unsigned id_bits = space_id_bits();
  printf("%d processes, Sv%d, %u bits of ASID\n", PROCESSES, __riscv_xlen == 64 ? 39 : 32, id_bits);
  kernel.has_ids = id_bits >= 2;
  open_machine();
  for (unsigned number = 1; number <= PROCESSES; ++number) make_process(number);
  CSR_WRITE(satp, kernel.processes[0].satp);
  __asm__ volatile("sfence.vma" ::: "memory");
  clint_set_timer(clint_time());
  supervisor_run(&kernel.processes[0].frame);
  clint_stop_timer();
  CSR_WRITE(satp, 0);
  if (kernel.unexpected != 0)
    printf("unexpected trap in supervisor mode: scause %" PRIuPTR ", sepc 0x%" PRIxPTR "\n", kernel.unexpected,
           kernel.unexpected_pc);
  for (unsigned number = 1; number <= PROCESSES; ++number) check_process(number);
  look("turns by the timer", kernel.preempted > 2);
  printf("processes: %s\n", failures == 0 ? "passed" : "failed");
  return failures != 0;
}
