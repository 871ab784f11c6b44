#include "firmware/board/plic.h"

#include <stddef.h>

#include "firmware/board/board.h"
#include "firmware/board/cpu.h"
#include "firmware/board/device_tree.h"
#include "firmware/board/mmio.h"

static struct {
  interrupt_handler handler;
  void* context;
} sources[PLIC_SOURCES];

static uintptr_t base(void) { return board_get()->plic.base; }

// Interrupts can become pending while one is served: claim until there is none.
static void dispatch(void* context) {
  (void)context;
  const uintptr_t claim = base() + PLIC_CLAIM(PLIC_CONTEXT);
  for (uint32_t source = mmio_read32(claim); source != 0; source = mmio_read32(claim)) {
    if (source < PLIC_SOURCES && sources[source].handler != NULL) sources[source].handler(sources[source].context);
    mmio_write32(claim, source);
  }
}

unsigned plic_source_count(void) {
  struct device_tree_node node;
  uint32_t count = 31;  // a tree that does not say
  if (device_tree_find_compatible(board_get()->device_tree, "sifive,plic-1.0.0", 0, &node)) {
    device_tree_cell(&node, "riscv,ndev", 0, &count);
  }
  return count;
}

void plic_init(void) {
  for (unsigned source = 0; source <= plic_source_count(); source += 32)
    mmio_write32(base() + PLIC_ENABLE(PLIC_CONTEXT, source), 0);
  mmio_write32(base() + PLIC_THRESHOLD(PLIC_CONTEXT), 0);
  trap_connect(INTERRUPT_EXTERNAL, dispatch, NULL);
}

static void change_enable(unsigned source, bool enabled) {
  const uintptr_t address = base() + PLIC_ENABLE(PLIC_CONTEXT, source);
  const uint32_t bit = (uint32_t)1 << (source % 32);
  const uint32_t others = mmio_read32(address) & ~bit;
  mmio_write32(address, enabled ? others | bit : others);
}

void plic_connect(unsigned source, unsigned priority, interrupt_handler handler, void* context) {
  change_enable(source, false);
  sources[source].handler = handler;
  sources[source].context = context;
  mmio_write32(base() + PLIC_PRIORITY(source), priority);
  change_enable(source, true);
}

void plic_disconnect(unsigned source) {
  change_enable(source, false);
  mmio_write32(base() + PLIC_PRIORITY(source), 0);
  sources[source].handler = NULL;
}

bool plic_pending(unsigned source) { return mmio_read32(base() + PLIC_PENDING(source)) >> (source % 32) & 1; }
