// 16550 serial port, polled. The first one is the console: stdin, stdout and stderr of the C library.
#ifndef FIRMWARE_BOARD_UART_H
#define FIRMWARE_BOARD_UART_H

#include <stdint.h>

// Registers by their datasheet names, as byte offsets. RBR/THR and IER give way to DLL and DLM while LCR.DLAB is set.
enum { UART_RBR = 0, UART_THR = 0, UART_DLL = 0, UART_IER = 1, UART_DLM = 1, UART_IIR = 2, UART_FCR = 2 };
enum { UART_LCR = 3, UART_MCR = 4, UART_LSR = 5, UART_MSR = 6, UART_SCR = 7 };

enum { UART_IER_ERBFI = 0x01, UART_IER_ETBEI = 0x02, UART_IER_ELSI = 0x04, UART_IER_EDSSI = 0x08 };
enum { UART_IIR_MASK = 0x0F, UART_IIR_NONE = 0x01, UART_IIR_MSR = 0x00, UART_IIR_THRE = 0x02, UART_IIR_RDA = 0x04 };
enum { UART_IIR_LSR = 0x06, UART_IIR_TIMEOUT = 0x0C, UART_IIR_FIFOS = 0xC0 };
enum { UART_FCR_ENABLE = 0x01, UART_FCR_CLEAR_RX = 0x02, UART_FCR_CLEAR_TX = 0x04, UART_FCR_TRIGGER_8 = 0x80 };
enum { UART_LCR_8N1 = 0x03, UART_LCR_DLAB = 0x80 };
enum { UART_MCR_DTR = 0x01, UART_MCR_RTS = 0x02, UART_MCR_OUT1 = 0x04, UART_MCR_OUT2 = 0x08, UART_MCR_LOOP = 0x10 };
enum { UART_LSR_DR = 0x01, UART_LSR_OE = 0x02, UART_LSR_THRE = 0x20, UART_LSR_TEMT = 0x40 };
enum { UART_MSR_CTS = 0x10, UART_MSR_DSR = 0x20, UART_MSR_RI = 0x40, UART_MSR_DCD = 0x80 };

// Makes this port the console: 8 bits, no parity, FIFOs on, interrupts off.
void uart_init(uintptr_t base);
// Waits until the last character has left this port.
void uart_wait_until_sent(uintptr_t base);

#endif
