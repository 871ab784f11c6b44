// 16550: every register and bit that can be seen without a partner, in loop-back mode, and its interrupts at the PLIC.
#include <stddef.h>

#include "firmware/board/board.h"
#include "firmware/board/cpu.h"
#include "firmware/board/mmio.h"
#include "firmware/board/plic.h"
#include "firmware/board/uart.h"
#include "firmware/selftest/selftest.h"

static const struct board_device* port;
static volatile uint32_t interrupts;
static volatile uint8_t identification, received;

static uint8_t get(unsigned reg) { return mmio_read8(port->base + reg); }
static void set(unsigned reg, uint8_t value) { mmio_write8(port->base + reg, value); }

// Reads LSR until these bits are set, or too long. All bits seen on the way: reading forgets the error bits.
static uint8_t wait_for_status(uint8_t bits) {
  const uint64_t start = cpu_cycles();
  uint8_t seen = 0;
  do {
    seen |= get(UART_LSR);
  } while ((seen & bits) != bits && cpu_cycles() - start < PATIENCE_CYCLES);
  return seen;
}

static void test_registers(void) {
  bool scratch = true, divisor;
  for (unsigned value = 0; value < 256; ++value) {
    set(UART_SCR, (uint8_t)value);
    scratch = scratch && get(UART_SCR) == value;
  }
  check("SCR keeps every byte", scratch);
  uart_wait_until_sent(port->base);
  set(UART_LCR, UART_LCR_8N1 | UART_LCR_DLAB);
  const uint8_t low = get(UART_DLL), high = get(UART_DLM);
  set(UART_DLL, 0x34);
  set(UART_DLM, 0x12);
  divisor = get(UART_DLL) == 0x34 && get(UART_DLM) == 0x12 && get(UART_LCR) == (UART_LCR_8N1 | UART_LCR_DLAB);
  set(UART_DLL, low);
  set(UART_DLM, high);
  set(UART_LCR, UART_LCR_8N1);
  check("DLL and DLM stand in for RBR and IER behind DLAB", divisor);
  check_equal("LCR keeps the format", get(UART_LCR), UART_LCR_8N1);
  set(UART_IER, 0xFF);
  const uint8_t enables = get(UART_IER);
  set(UART_IER, 0);
  check_equal("IER has four bits", enables, 0x0F);
  check_equal("IIR shows that the FIFOs are on", get(UART_IIR) & UART_IIR_FIFOS, UART_IIR_FIFOS);
  check_equal("IIR shows that nothing is pending", get(UART_IIR) & UART_IIR_MASK, UART_IIR_NONE);
  uart_wait_until_sent(port->base);
  check("LSR shows the transmitter empty", (get(UART_LSR) & (UART_LSR_THRE | UART_LSR_TEMT)) != 0);
}

static void start_loop_back(void) {
  uart_wait_until_sent(port->base);
  set(UART_MCR, UART_MCR_LOOP);
  set(UART_FCR, UART_FCR_ENABLE | UART_FCR_CLEAR_RX | UART_FCR_CLEAR_TX);
}

static void end_loop_back(void) {
  set(UART_FCR, UART_FCR_ENABLE | UART_FCR_CLEAR_RX | UART_FCR_CLEAR_TX);
  set(UART_MCR, UART_MCR_DTR | UART_MCR_RTS);
  (void)get(UART_MSR);
}

static void test_modem_loop_back(void) {
  static const struct {
    uint8_t control, status;
  } lines[] = {{UART_MCR_DTR, UART_MSR_DSR},
               {UART_MCR_RTS, UART_MSR_CTS},
               {UART_MCR_OUT1, UART_MSR_RI},
               {UART_MCR_OUT2, UART_MSR_DCD}};
  bool good = true;
  start_loop_back();
  for (unsigned i = 0; i < sizeof lines / sizeof *lines; ++i) {
    set(UART_MCR, UART_MCR_LOOP | lines[i].control);
    good = good && (get(UART_MSR) & 0xF0) == lines[i].status;
  }
  end_loop_back();
  check("in loop-back each MCR output is its MSR input", good);
}

static void test_data_loop_back(void) {
  bool arrived = true;
  start_loop_back();
  const bool empty = (get(UART_LSR) & UART_LSR_DR) == 0;
  for (unsigned i = 0; i < 16; ++i) set(UART_THR, (uint8_t)(0xF0 + i));
  for (unsigned i = 0; i < 16; ++i)
    arrived = arrived && (wait_for_status(UART_LSR_DR) & UART_LSR_DR) != 0 && get(UART_RBR) == 0xF0 + i;
  const bool empty_again = (get(UART_LSR) & UART_LSR_DR) == 0;
  for (unsigned i = 0; i < 17; ++i) {
    (void)wait_for_status(UART_LSR_THRE);
    set(UART_THR, (uint8_t)i);
  }
  const bool overrun = (wait_for_status(UART_LSR_TEMT) & UART_LSR_OE) != 0,
             forgotten = (get(UART_LSR) & UART_LSR_OE) == 0;
  end_loop_back();
  check("an empty receiver says so", empty && empty_again);
  check("16 bytes come back in order", arrived);
  check("the 17th overruns, and reading LSR forgets it", overrun && forgotten);
}

static void on_interrupt(void* context) {
  (void)context;
  const uint8_t cause = get(UART_IIR) & UART_IIR_MASK;
  if (cause == UART_IIR_NONE) return;  // left over from a time when the source was not enabled
  identification = cause;
  if (identification == UART_IIR_RDA || identification == UART_IIR_TIMEOUT) received = get(UART_RBR);
  if (identification == UART_IIR_THRE) set(UART_IER, 0);
  ++interrupts;
}

static void test_interrupts(void) {
  if (port->interrupt == 0) return skip("no interrupt");
  interrupts = 0;
  plic_connect(port->interrupt, 1, on_interrupt, NULL);
  start_loop_back();
  set(UART_FCR, UART_FCR_ENABLE | UART_FCR_CLEAR_RX);
  set(UART_IER, UART_IER_ERBFI);
  set(UART_THR, 0x42);
  const bool data = wait_for_change(&interrupts, 0) && identification == UART_IIR_RDA && received == 0x42;
  set(UART_IER, 0);
  interrupts = 0;
  set(UART_IER, UART_IER_ETBEI);
  const bool empty = wait_for_change(&interrupts, 0) && identification == UART_IIR_THRE;
  end_loop_back();
  plic_disconnect(port->interrupt);
  check("received data interrupt", data);
  check("transmitter empty interrupt", empty);
}

static void test_port(const char* name, const struct board_device* device) {
  section(name);
  if (!device->in_tree) return skip("not in the device tree");
  port = device;
  test_registers();
  test_modem_loop_back();
  test_data_loop_back();
  test_interrupts();
}

void test_uarts(void) {
  test_port("uart0", &board_get()->uart0);
  if (board_get()->uart1.in_tree) {
    mmio_write8(board_get()->uart1.base + UART_LCR, UART_LCR_8N1);
    mmio_write8(board_get()->uart1.base + UART_FCR, UART_FCR_ENABLE);
  }
  test_port("uart1", &board_get()->uart1);
}
