// Core-local interruptor (sifive,clint0) of hart 0: machine timer and software interrupt.
#ifndef FIRMWARE_BOARD_CLINT_H
#define FIRMWARE_BOARD_CLINT_H

#include <stdint.h>

enum { CLINT_MSIP = 0x0, CLINT_MTIMECMP = 0x4000, CLINT_MTIME = 0xBFF8 };

// Ticks of mtime; board_get()->timer_hz of them in a second.
uint64_t clint_time(void);
// The timer interrupt is pending while mtime is at or above this.
void clint_set_timer(uint64_t time);
// Moves the timer so far away that it never comes.
void clint_stop_timer(void);
void clint_set_software_interrupt(uint32_t level);

#endif
