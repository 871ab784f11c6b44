// Between machine mode, supervisor mode and processes.
#include "firmware/board/register_width.h"

#define CAUSE_ECALL_SUPERVISOR 9
#define MSTATUS_MPP 0x1800
#define MSTATUS_MPP_SUPERVISOR 0x800
#define SSTATUS_SPP 0x100
// What a function keeps for its caller: ra, gp, tp, s0 to s11.
#define FOR_KEPT .irp n, 1, 3, 4, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27

#define FOR_ALL_BUT_SP .irp n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, \
  26, 27, 28, 29, 30, 31

    .text
    .globl machine_entry, supervisor_run, supervisor_back, supervisor_entry

// Instead of the board's trap_entry (start.S), with its stack and mscratch: calls of supervisor mode. All else is the board's.
    .align 2
machine_entry:
    csrrw sp, mscratch, sp
    addi sp, sp, -TRAP_FRAME_BYTES
    STORE t0, 5 * REGISTER_BYTES(sp)
    csrr t0, mcause
    addi t0, t0, -CAUSE_ECALL_SUPERVISOR
    beqz t0, 1f
    LOAD t0, 5 * REGISTER_BYTES(sp)
    addi sp, sp, TRAP_FRAME_BYTES
    csrrw sp, mscratch, sp
    j trap_entry
1:  FOR_ALL_BUT_SP
    .ifne \n - 5
    STORE x\n, \n * REGISTER_BYTES(sp)
    .endif
    .endr
    csrrw t0, mscratch, zero
    STORE t0, 2 * REGISTER_BYTES(sp)
    csrr t0, mepc
    addi t0, t0, 4
    STORE t0, 0(sp)
    mv a0, sp
    call machine_serve
    LOAD t0, 0(sp)
    csrw mepc, t0
    addi t0, sp, TRAP_FRAME_BYTES
    csrw mscratch, t0
    FOR_ALL_BUT_SP
    LOAD x\n, \n * REGISTER_BYTES(sp)
    .endr
    LOAD sp, 2 * REGISTER_BYTES(sp)
    mret

supervisor_run:
    addi sp, sp, -TRAP_FRAME_BYTES
    FOR_KEPT
    STORE x\n, \n * REGISTER_BYTES(sp)
    .endr
    la t0, machine_stack
    STORE sp, 0(t0)
    la t0, supervisor_resume
    csrw mepc, t0
    li t0, MSTATUS_MPP
    csrc mstatus, t0
    li t0, MSTATUS_MPP_SUPERVISOR
    csrs mstatus, t0
    mret

supervisor_back:
    la t0, machine_stack
    LOAD sp, 0(t0)
    FOR_KEPT
    LOAD x\n, \n * REGISTER_BYTES(sp)
    .endr
    addi sp, sp, TRAP_FRAME_BYTES
    ret

// sscratch has the frame of the process that runs, which is at the beginning of its struct process. gp and tp are the same
// for all.
    .align 2
supervisor_entry:
    csrrw sp, sscratch, sp
    FOR_ALL_BUT_SP
    STORE x\n, \n * REGISTER_BYTES(sp)
    .endr
    csrr t0, sscratch
    STORE t0, 2 * REGISTER_BYTES(sp)
    csrr t0, sepc
    STORE t0, 0(sp)
    mv a0, sp
    la sp, kernel_stack_top
    call kernel_trap
supervisor_resume:           // a0: the frame of the process to run
    csrw sscratch, a0
    LOAD t0, 0(a0)
    csrw sepc, t0
    li t0, SSTATUS_SPP
    csrc sstatus, t0
    .irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    LOAD x\n, \n * REGISTER_BYTES(a0)
    .endr
    LOAD a0, 10 * REGISTER_BYTES(a0)
    sret

    .bss
    .align 4
machine_stack:
    .space REGISTER_BYTES
    .align 4
    .space 4096
kernel_stack_top:
