// What runs in supervisor mode: processes take turns by the timer and by their own calls.
#ifndef FIRMWARE_PROCESSES_KERNEL_H
#define FIRMWARE_PROCESSES_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/board/trap.h"
#include "firmware/processes/paging.h"

enum { PROCESSES = 3 };

// Where a process finds things, in its own address space.
static const uintptr_t user_text = 0x40000000, user_data = 0x50000000;
enum { USER_DATA_PAGES = 8 };

struct process {
  struct trap_frame frame;  // first: switch.S saves registers here
  page_table_entry* space;
  uintptr_t satp;
  bool ended;
  uintptr_t result;
  unsigned demanded, refused;  // pages given on demand, accesses that were not allowed
};

struct kernel {
  struct process processes[PROCESSES];
  unsigned running;
  bool has_ids;          // satp has ASIDs: a switch forgets no translations
  unsigned preempted;    // switches by the timer
  uintptr_t unexpected;  // scause of a trap that no process should cause; 0: none
  uintptr_t unexpected_pc;
};
extern struct kernel kernel;

// Services of machine mode for supervisor mode, in a7.
enum { SERVICE_TIMER = 0 /* a0: ticks from now */, SERVICE_END = 8 };
// Calls of a process, in a7 (user.S).
enum { CALL_YIELD = 0, CALL_END = 1 /* a0: result */ };

// switch.S: mtvec while supervisor mode runs; its calls go to machine_serve.
void machine_entry(void);
// The registers in the frame are the caller's, and it goes on at the frame's pc, behind the call.
void machine_serve(struct trap_frame* frame);
// switch.S: runs processes from this one on, in supervisor and user mode, until SERVICE_END; then returns.
void supervisor_run(struct trap_frame* first);
// Machine mode goes on here after SERVICE_END.
void supervisor_back(void);
void supervisor_entry(void);
// Called by supervisor_entry. Returns the frame of whoever runs next.
struct trap_frame* kernel_trap(struct trap_frame* frame);

#endif
