// First instructions of a bare-metal program. On entry, as the boot ROM (and QEMU's `virt` machine) leaves it: machine mode,
// a0 = hart id, a1 = address of the device tree.
#include "firmware/board/register_width.h"

    .section .text.start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    csrw mie, zero
    la t0, trap_entry
    csrw mtvec, t0
    la t0, __trap_stack_top
    csrw mscratch, t0
    bnez a0, park            // one hart runs the program

    la sp, __stack_top
    la tp, __tls_start       // one thread: its local storage is the linked image itself
    la t0, __data_start
    la t1, __data_end
    la t2, __data_load
1:  bgeu t0, t1, 2f
    LOAD t3, 0(t2)
    STORE t3, 0(t0)
    addi t0, t0, REGISTER_BYTES
    addi t2, t2, REGISTER_BYTES
    j 1b
2:  la t0, __bss_start
    la t1, __bss_end
3:  bgeu t0, t1, 4f
    STORE zero, 0(t0)
    addi t0, t0, REGISTER_BYTES
    j 3b
4:  call board_init          // a0 and a1 are still the boot arguments
    call main
    call exit                // main's result is the program's exit code

park:
    wfi
    j park

// Every trap. All registers go to a struct trap_frame (trap.h) on the stack of traps, so that the handler can report them and
// change the return address; the stack of the interrupted program may have overflowed. mscratch has the top of the stack of
// traps, or zero while one is handled: a trap in the handler goes on where the handler's stack is.
    .align 2
    .globl trap_entry
trap_entry:
    csrrw sp, mscratch, sp
    bnez sp, 1f
    csrr sp, mscratch
1:  addi sp, sp, -TRAP_FRAME_BYTES
    .irp n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    STORE x\n, \n * REGISTER_BYTES(sp)
    .endr
    csrrw t0, mscratch, zero
    STORE t0, 2 * REGISTER_BYTES(sp)
    csrr t0, mepc
    STORE t0, 0(sp)          // x0 needs no place: it holds the return address
    mv a0, sp
    call trap_handle
    LOAD t0, 0(sp)
    csrw mepc, t0
    addi t0, sp, TRAP_FRAME_BYTES
    la t1, __trap_stack_top
    beq t0, t1, 2f           // back to the program
    mv t1, zero
2:  csrw mscratch, t1
    .irp n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    LOAD x\n, \n * REGISTER_BYTES(sp)
    .endr
    LOAD sp, 2 * REGISTER_BYTES(sp)
    mret
