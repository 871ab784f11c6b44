// Ends through the finisher with code 5.
    .globl _start
_start:
    li t0, 0x100000
    li t1, 5 << 16 | 0x3333
    sw t1, 0(t0)
    j .
