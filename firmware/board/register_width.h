// Loads and stores of one integer register, for assembly that is built for both register widths.
#ifndef FIRMWARE_BOARD_REGISTER_WIDTH_H
#define FIRMWARE_BOARD_REGISTER_WIDTH_H

#if __riscv_xlen == 64
#define LOAD ld
#define STORE sd
#define REGISTER_BYTES 8
#else
#define LOAD lw
#define STORE sw
#define REGISTER_BYTES 4
#endif
#define TRAP_FRAME_BYTES (32 * REGISTER_BYTES)

#endif
