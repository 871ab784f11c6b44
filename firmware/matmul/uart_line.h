// The MatMul driver's byte stream over a 16550 serial port, with interrupts and sleeping while there is nothing to do.
#ifndef FIRMWARE_MATMUL_UART_LINE_H
#define FIRMWARE_MATMUL_UART_LINE_H

#include <stdint.h>

#include "firmware/board/board.h"
#include "sw/driver/matmul/matmul.h"

// Bytes held between program and port, powers of two. Few to be sent, so that who has sent need not wait long for an
// answer.
enum { UART_LINE_TO_SEND = 64, UART_LINE_RECEIVED = 1024 };

struct uart_line {
  uintptr_t base;
  volatile uint32_t events;  // counts interrupts of port and timer: what a sleeper watches
  uint8_t sent[UART_LINE_TO_SEND], received[UART_LINE_RECEIVED];
  volatile uint32_t sent_in, sent_out;  // counters of bytes put in and taken out, modulo 2^32
  volatile uint32_t received_in, received_out;
  volatile uint32_t overruns;  // received bytes lost for want of room, here or in the port
};

// Sets the port up: 8 data bits, two stop bits (the device needs a clock more than ten bits for a frame), RTS on,
// interrupts on. clock_frequency: of the port's baud rate generator. The port's interrupt and the hart's timer belong
// to it from then on.
void uart_line_open(struct uart_line* line, const struct board_device* port, uint32_t clock_frequency, uint32_t baud);

// The same as the driver wants it.
struct matmul_line uart_line_stream(struct uart_line* line);

#endif
