// The program of every process, copied to a page of its own: a0 = its number, a1 = rounds, a2 = its data, a3 = an address of
// the kernel. main.c has the same in C. It may be interrupted anywhere, so every register is used and looked at.
    .section .rodata
    .option norvc
    .globl user_code, user_code_end
    .align 2
user_code:
    mv s0, a0                // random number
    mv s1, zero              // checksum
    mv s2, a1
    mv s3, a0
    li s4, 1103515245
    li s5, 0x7ffc            // a word of the data
1:  mul s0, s0, s4
    li t0, 12345
    add s0, s0, t0
    srli t1, s0, 9
    and t1, t1, s5
    add t1, t1, a2
    lw t2, 0(t1)
    xor t2, t2, s0
    sw t2, 0(t1)
    lw t3, 0(t1)
    add s1, s1, t3
    xor s1, s1, s3
    andi t4, s2, 63
    bnez t4, 2f
    li a7, 0                 // CALL_YIELD
    ecall
2:  addi s2, s2, -1
    bnez s2, 1b
    // What it must not: each is counted, and gone over.
    lw t5, 0(a3)
    auipc t6, 0
    sw t6, 0(t6)
    jalr a2
    mv a0, s1
    li a7, 1                 // CALL_END
    ecall
user_code_end:
