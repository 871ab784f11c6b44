// Platform-level interrupt controller (sifive,plic-1.0.0), machine mode of hart 0.
#ifndef FIRMWARE_BOARD_PLIC_H
#define FIRMWARE_BOARD_PLIC_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/board/trap.h"

enum { PLIC_SOURCES = 64, PLIC_CONTEXT = 0 };  // sources that can be connected; the controller may have more or fewer

// Register offsets from the controller's base.
#define PLIC_PRIORITY(source) (4u * (source))
#define PLIC_PENDING(source) (0x1000u + 4u * ((source) / 32))
#define PLIC_ENABLE(context, source) (0x2000u + 0x80u * (context) + 4u * ((source) / 32))
#define PLIC_THRESHOLD(context) (0x200000u + 0x1000u * (context))
#define PLIC_CLAIM(context) (0x200004u + 0x1000u * (context))

// Highest interrupt number of the controller, by the device tree.
unsigned plic_source_count(void);

// Called by board_init: everything disabled, threshold 0, external interrupts of the hart on.
void plic_init(void);

// Enables an interrupt source (1 to PLIC_SOURCES - 1, if the controller has it) with a priority (1 to 7). The handler
// runs with the source claimed; it is completed behind it.
void plic_connect(unsigned source, unsigned priority, interrupt_handler handler, void* context);
void plic_disconnect(unsigned source);
bool plic_pending(unsigned source);

#endif
