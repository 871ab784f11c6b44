// What `digits` asks of its environment, on bare metal: the board's tinyTPU, fed instruction by instruction.
#ifndef FIRMWARE_DIGITS_DIGITS_HOST_H
#define FIRMWARE_DIGITS_DIGITS_HOST_H

#include "firmware/board/board.h"
#include "firmware/board/cpu.h"
#include "firmware/board/tpu.h"

#define DIGITS_HOST_NO_TPU "no usable tinyTPU in the device tree"

static inline int digits_host_open(struct tinytpu* tpu) { return board_tpu_init(tpu, 0); }
static inline uint32_t digits_host_clock_ps(void) { return board_tpu_clock_ps(0); }
static inline uint64_t digits_host_cycles(void) { return cpu_cycles(); }
static inline void digits_host_begin_region(const char* name) { board_begin_region(name); }
static inline void digits_host_end_region(void) { board_end_region(); }
static inline int digits_host_error(void) { return 0; }
static inline void digits_host_report(void) {}

#endif
