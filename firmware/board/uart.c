#include "firmware/board/uart.h"

#include <stdio.h>
#include <unistd.h>

#include "firmware/board/board.h"
#include "firmware/board/mmio.h"

static uintptr_t console;

void uart_init(uintptr_t base) {
  console = base;
  mmio_write8(base + UART_IER, 0);
  mmio_write8(base + UART_LCR, UART_LCR_8N1);
  mmio_write8(base + UART_FCR, UART_FCR_ENABLE);  // keeps what has already been received
  mmio_write8(base + UART_MCR, UART_MCR_DTR | UART_MCR_RTS);
}

void uart_wait_until_sent(uintptr_t base) {
  while ((mmio_read8(base + UART_LSR) & UART_LSR_TEMT) == 0) continue;
}

static int console_put(char character, FILE* file) {
  (void)file;
  while ((mmio_read8(console + UART_LSR) & UART_LSR_THRE) == 0) continue;
  mmio_write8(console + UART_THR, (uint8_t)character);
  return (unsigned char)character;
}

static int console_get(FILE* file) {
  (void)file;
  while ((mmio_read8(console + UART_LSR) & UART_LSR_DR) == 0) continue;
  return mmio_read8(console + UART_RBR);
}

// The three standard streams of picolibc. Each character goes out at once, so that none is lost when a program dies.
static FILE console_file = FDEV_SETUP_STREAM(console_put, console_get, NULL, _FDEV_SETUP_RW);
FILE* const stdin = &console_file;
FILE* const stdout = &console_file;
FILE* const stderr = &console_file;

// picolibc's exit ends here.
void _exit(int code) { board_exit(code); }
