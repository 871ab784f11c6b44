// Test finisher (sifive,test1) with this platform's marker registers behind it.
#ifndef FIRMWARE_BOARD_FINISHER_H
#define FIRMWARE_BOARD_FINISHER_H

// Byte offsets of the registers. A RISC-V board that is not this platform has FINISHER only.
enum { FINISHER_FINISHER = 0x0, FINISHER_FIDELITY = 0x100, FINISHER_REGION = 0x110 };

// What FINISHER is given; bits 31:16 are the exit code of a failure.
enum { FINISHER_FAIL = 0x3333, FINISHER_PASS = 0x5555, FINISHER_RESET = 0x7777, FINISHER_CODE_SHIFT = 16 };

#endif
