// The board a program runs on: where its devices are, console, power switch. Addresses and interrupt numbers come from
// the device tree; a device that the tree does not name keeps the default machine's place.
#ifndef FIRMWARE_BOARD_BOARD_H
#define FIRMWARE_BOARD_BOARD_H

#include <stdbool.h>
#include <stdint.h>

// A device's window and its first interrupt at the PLIC (0: none).
struct board_device {
  uintptr_t base;
  uintptr_t size;  // bytes
  uint32_t interrupt;
  bool in_tree;  // false: not in the device tree, the default place is assumed
};

struct board {
  uintptr_t hart;
  const void* device_tree;  // NULL: none was handed over
  struct board_device finisher, clint, plic, uart0, uart1;
  uint32_t timer_hz;  // of the CLINT's mtime
  uint32_t cpu_hz;    // 0: unknown
};

// Called by the start-up code before main.
void board_init(uintptr_t hart, const void* device_tree);
const struct board* board_get(void);

// Whether the device is there: the device tree names it, or there is no tree to ask.
bool board_has(const struct board_device* device);

// The index-th device with this `compatible` name. False when the tree has none.
bool board_find(const char* compatible, unsigned index, struct board_device* device);

// Exit codes of the board library; programs use 0 for success and 1 for a failed check.
enum { BOARD_EXIT_TRAP = 3 };

// Ends the run through the finisher, once the console has sent all: code 0 passes, every other (16 bits) is the failure
// code.
_Noreturn void board_exit(int code);
// Resets the machine, likewise.
_Noreturn void board_reset(void);

// Brackets a region of interest: from here on the platform is in `timed` mode, or no longer. Returns whether it was
// before. On machines without this register nothing happens.
bool board_set_timed(bool timed);

// Names what the program does from here on, for the report: figures, roofline and bounds of each region. The name, 1 to
// 64 of A-Z a-z 0-9 _ . and below 4 GiB, is read at once; a region ends the one before it. Likewise without effect
// elsewhere.
void board_begin_region(const char* name);
void board_end_region(void);

#endif
