#include "firmware/matmul/uart_line.h"

#include <string.h>

#include "firmware/board/clint.h"
#include "firmware/board/cpu.h"
#include "firmware/board/mmio.h"
#include "firmware/board/plic.h"
#include "firmware/board/trap.h"
#include "firmware/board/uart.h"

enum { LCR_TWO_STOP_BITS = 0x04, FIFO_BYTES = 16 };

static void take_received(struct uart_line* line) {
  for (uint8_t status; ((status = mmio_read8(line->base + UART_LSR)) & UART_LSR_DR) != 0;) {
    const uint8_t byte = mmio_read8(line->base + UART_RBR);
    if ((status & UART_LSR_OE) != 0) ++line->overruns;
    if (line->received_in - line->received_out == UART_LINE_RECEIVED) {
      ++line->overruns;
    } else {
      line->received[line->received_in % UART_LINE_RECEIVED] = byte;
      ++line->received_in;
    }
  }
}

// Fills the port's FIFO, which is empty. Without anything to send its interrupt is switched off.
static void send_more(struct uart_line* line) {
  unsigned count = 0;
  for (; count < FIFO_BYTES && line->sent_out != line->sent_in; ++count) {
    mmio_write8(line->base + UART_THR, line->sent[line->sent_out % UART_LINE_TO_SEND]);
    ++line->sent_out;
  }
  if (count == 0) mmio_write8(line->base + UART_IER, UART_IER_ERBFI);
}

static void on_port(void* context) {
  struct uart_line* line = context;
  for (;;) {
    const uint8_t cause = mmio_read8(line->base + UART_IIR) & UART_IIR_MASK;
    if (cause == UART_IIR_NONE) break;
    if (cause == UART_IIR_RDA || cause == UART_IIR_TIMEOUT) take_received(line);
    if (cause == UART_IIR_THRE) send_more(line);
  }
  ++line->events;
}

static void on_timer(void* context) {
  struct uart_line* line = context;
  clint_stop_timer();
  ++line->events;
}

void uart_line_open(struct uart_line* line, const struct board_device* port, uint32_t clock_frequency, uint32_t baud) {
  memset(line, 0, sizeof *line);
  line->base = port->base;
  const uint32_t divisor = (clock_frequency + 8 * baud) / (16 * baud);
  mmio_write8(port->base + UART_LCR, UART_LCR_DLAB);
  mmio_write8(port->base + UART_DLL, (uint8_t)divisor);
  mmio_write8(port->base + UART_DLM, (uint8_t)(divisor >> 8));
  mmio_write8(port->base + UART_LCR, UART_LCR_8N1 | LCR_TWO_STOP_BITS);
  mmio_write8(port->base + UART_FCR, UART_FCR_ENABLE | UART_FCR_CLEAR_RX | UART_FCR_CLEAR_TX | UART_FCR_TRIGGER_8);
  mmio_write8(port->base + UART_MCR, UART_MCR_DTR | UART_MCR_RTS | UART_MCR_OUT2);
  trap_connect(INTERRUPT_TIMER, on_timer, line);
  plic_connect(port->interrupt, 1, on_port, line);
  mmio_write8(port->base + UART_IER, UART_IER_ERBFI);
  cpu_enable_interrupts();
}

static void line_send(void* context, const uint8_t* bytes, size_t count) {
  struct uart_line* line = context;
  while (count > 0) {
    const uint32_t seen = line->events;
    while (count > 0 && line->sent_in - line->sent_out < UART_LINE_TO_SEND) {
      line->sent[line->sent_in % UART_LINE_TO_SEND] = *bytes++;
      ++line->sent_in;
      --count;
    }
    mmio_write8(line->base + UART_IER, UART_IER_ERBFI | UART_IER_ETBEI);
    if (count > 0) cpu_sleep_while_equal(&line->events, seen);
  }
}

static size_t line_receive(void* context, uint8_t* bytes, size_t count) {
  struct uart_line* line = context;
  size_t taken = 0;
  for (; taken < count && line->received_out != line->received_in; ++taken) {
    bytes[taken] = line->received[line->received_out % UART_LINE_RECEIVED];
    ++line->received_out;
  }
  return taken;
}

static uint64_t line_microseconds(void* context) {
  (void)context;
  return clint_time() / (board_get()->timer_hz / 1000000);
}

static void line_wait(void* context, uint64_t deadline) {
  struct uart_line* line = context;
  const uint32_t seen = line->events;
  if (line->received_out != line->received_in) return;
  clint_set_timer(deadline * (board_get()->timer_hz / 1000000));
  cpu_sleep_while_equal(&line->events, seen);
}

struct matmul_line uart_line_stream(struct uart_line* line) {
  return (struct matmul_line){line, line_send, line_receive, line_microseconds, line_wait};
}
