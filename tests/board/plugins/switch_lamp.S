# Switches the lamp of the plug-in at 0x30000000 on and ends with its colour as the exit code.
.globl _start
_start:
  li t0, 0x30000000
  li t1, 1
  sw t1, 0(t0)
  lw t2, 4(t0)
  slli t2, t2, 16
  li t3, 0x3333
  or t2, t2, t3
  li t0, 0x100000
  sw t2, 0(t0)
1:
  j 1b
