#include "firmware/board/board.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/board/cpu.h"
#include "firmware/board/device_tree.h"
#include "firmware/board/finisher.h"
#include "firmware/board/mmio.h"
#include "firmware/board/plic.h"
#include "firmware/board/stack.h"
#include "firmware/board/uart.h"

static struct board board;

// The tree's copy in RAM: it is searched byte by byte, which takes its time in a ROM behind a bus. Not cleared at the
// start.
enum { TREE_BYTES = 16384 };
static _Alignas(8) uint8_t tree_copy[TREE_BYTES] __attribute__((section(".noinit")));

static const void* adopt_tree(const void* tree) {
  if (!device_tree_valid(tree)) return NULL;
  const uint32_t size = device_tree_size(tree);
  return size <= TREE_BYTES ? memcpy(tree_copy, tree, size) : tree;
}

static bool device_of_node(const struct device_tree_node* node, struct board_device* device) {
  uint64_t base, size;
  if (!device_tree_reg(node, 0, &base, &size)) return false;
  uint32_t interrupt = 0;
  device_tree_cell(node, "interrupts", 0, &interrupt);
  *device = (struct board_device){(uintptr_t)base, (uintptr_t)size, interrupt, true};
  return true;
}

bool board_find(const char* compatible, unsigned index, struct board_device* device) {
  struct device_tree_node node;
  return device_tree_find_compatible(board.device_tree, compatible, index, &node) && device_of_node(&node, device);
}

// Address of the console by /chosen: the unit address in its path ("/soc/serial@10000000", options may follow a colon).
// False when the tree names none.
static bool console_address(uintptr_t* address) {
  struct device_tree_node chosen;
  uint32_t length;
  if (!device_tree_find_having(board.device_tree, "stdout-path", 0, &chosen)) return false;
  const char* path = (const char*)device_tree_property(&chosen, "stdout-path", &length);
  if (memchr(path, '\0', length) == NULL) return false;
  const char* unit = strrchr(path, '@');
  if (unit == NULL) return false;
  *address = (uintptr_t)strtoull(unit + 1, NULL, 16);
  return true;
}

// UART0 is the console that the tree names, or else the serial port with the lower address: nodes stand in any order in
// a tree.
static void find_uarts(void) {
  struct board_device first, second;
  if (!board_find("ns16550a", 0, &first)) return;
  uintptr_t console = first.base;
  const bool named = console_address(&console);
  if (!board_find("ns16550a", 1, &second)) {
    *(named && console != first.base ? &board.uart1 : &board.uart0) = first;
    return;
  }
  const bool first_is_console = named ? console == first.base : first.base < second.base;
  board.uart0 = first_is_console ? first : second;
  board.uart1 = first_is_console ? second : first;
}

bool board_has(const struct board_device* device) { return device->in_tree || board.device_tree == NULL; }

static void find_clocks(void) {
  // The timebase is a property of /cpus or of each cpu node, by version of the binding.
  struct device_tree_node node;
  if (device_tree_find_type(board.device_tree, "cpu", 0, &node)) {
    device_tree_cell(&node, "clock-frequency", 0, &board.cpu_hz);
    device_tree_cell(&node, "timebase-frequency", 0, &board.timer_hz);
  }
}

void board_init(uintptr_t hart, const void* device_tree) {
  board = (struct board){
      .hart = hart,
      .device_tree = adopt_tree(device_tree),
      .finisher = {0x00100000, 0x1000, 0, false},
      .clint = {0x02000000, 0x10000, 0, false},
      .plic = {0x0C000000, 0x4000000, 0, false},
      .uart0 = {0x10000000, 0x100, 10, false},
      .uart1 = {0x10001000, 0x100, 11, false},
      .timer_hz = 10000000,
      .cpu_hz = 0,
  };
  board_find("sifive,test1", 0, &board.finisher);
  board_find("sifive,clint0", 0, &board.clint);
  board_find("sifive,plic-1.0.0", 0, &board.plic);
  find_uarts();
  find_clocks();
  uart_init(board.uart0.base);
  if (board_has(&board.plic)) plic_init();
  stack_close_guard();
}

const struct board* board_get(void) { return &board; }

static _Noreturn void finish(uint32_t command) {
  cpu_disable_interrupts();
  if (board_has(&board.uart0)) uart_wait_until_sent(board.uart0.base);
  mmio_write32(board.finisher.base + FINISHER_FINISHER, command);
  for (;;) cpu_wait_for_interrupt();
}

void board_exit(int code) { finish(code == 0 ? FINISHER_PASS : (uint32_t)code << FINISHER_CODE_SHIFT | FINISHER_FAIL); }

void board_reset(void) { finish(FINISHER_RESET); }

bool board_set_timed(bool timed) {
  const uintptr_t fidelity = board.finisher.base + FINISHER_FIDELITY;
  const bool before = mmio_read32(fidelity) != 0;
  mmio_write32(fidelity, timed);
  return before;
}

void board_begin_region(const char* name) {
  mmio_write32(board.finisher.base + FINISHER_REGION, (uint32_t)(uintptr_t)name);
}

void board_end_region(void) { mmio_write32(board.finisher.base + FINISHER_REGION, 0); }
