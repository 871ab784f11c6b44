// Driver of the MatMul device: blocks, programs, starts, messages, over whatever byte stream leads to its serial line.
// Portable C11 without a heap. One `struct matmul` a device; functions are not reentrant.
//
// What the device does not do for you:
//  - It never acknowledges. What a program has done shows in the messages of its WRITE instructions only.
//  - A lost byte puts the two sides out of step. matmul_resynchronise() brings them together again.
//  - Its transmit FIFO loses bytes when more than a FIFO and a byte are outstanding: let a program send at most
//    matmul_safe_writes() messages before all have been received.
//  - A LOAD that is granted while the other thread computes hangs for half a minute and blocks all other LOADs; only a
//    reset of the device helps earlier. In a program pair let every LOAD begin no later than the other thread's COMP.
//  - While CTS (the host's RTS) is low everything it sends is lost.
//  - Long bursts need a second stop bit: a frame takes the device ten symbols and one clock.
#ifndef SW_DRIVER_MATMUL_H
#define SW_DRIVER_MATMUL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  MATMUL_THREADS = 2,
  MATMUL_PROGRAM_WORDS = 256,  // instruction words of a thread
  MATMUL_PAGES = 256,          // pages that instructions can name
  MATMUL_PAGE_WORDS = 256,     // words of a page
  MATMUL_MAX_SIDE = 16,        // a matrix fits a page
  MATMUL_FIFO_BYTES = 256,     // transmit FIFO
};

// The line. Functions get `context`.
struct matmul_line {
  void* context;
  // Takes all bytes; blocks while more than about a hundred are still to be sent, since time-outs count from its
  // return.
  void (*send)(void* context, const uint8_t* bytes, size_t count);
  // Takes up to `count` bytes that have arrived; 0 if there are none now.
  size_t (*receive)(void* context, uint8_t* bytes, size_t count);
  // A clock that runs on, in microseconds.
  uint64_t (*microseconds)(void* context);
  // Blocks until a byte has arrived or the clock has reached `deadline`. NULL: the driver polls.
  void (*wait)(void* context, uint64_t deadline);
};

struct matmul {
  struct matmul_line line;
  uint32_t side;        // rows and columns of a matrix
  uint32_t byte_time;   // microseconds of a byte on the line, rounded up
  uint64_t lost_bytes;  // received and thrown away by matmul_resynchronise
};

// mesh × tile: the device's size; tile must be a power of two. baud: of the line. -EINVAL: a size that cannot be.
int matmul_init(struct matmul* device, const struct matmul_line* line, uint32_t mesh, uint32_t tile, uint32_t baud);

// Words of a matrix, row-major.
uint32_t matmul_block_words(const struct matmul* device);
// Messages that may be outstanding without losing bytes; 0 for sides from 8 on.
uint32_t matmul_safe_writes(const struct matmul* device);

// Instruction words. Page p holds words 256 p and up of block memory. LOAD fills, and COMP uses, the bank for B of the
// thread that runs it.
uint32_t matmul_load(uint8_t b_page);                                  // B <- block
uint32_t matmul_comp(uint8_t a_page, uint8_t d_page, uint8_t c_page);  // C <- A * B + D
uint32_t matmul_write(uint8_t page, uint8_t header);                   // sends the block as a message
uint32_t matmul_term(void);

// Stores a matrix at a page.
void matmul_store_block(struct matmul* device, uint8_t page, const int32_t* words);
// Stores a thread's program from address 0. Both threads must be at rest; they are disabled. -EINVAL: no such thread,
// or more words than its memory has.
int matmul_store_program(struct matmul* device, unsigned thread, const uint32_t* words, size_t count);
// Starts the threads of a mask (1: thread 0, 2: thread 1, 3: both in the same clock) and disables the other.
void matmul_start(struct matmul* device, unsigned threads);
// Disables both threads: each stops before its next instruction.
void matmul_stop(struct matmul* device);

struct matmul_message {
  uint8_t header;
  int32_t words[MATMUL_MAX_SIDE * MATMUL_MAX_SIDE];  // the first matmul_block_words() are used
};

// Waits for one message. 0: received. -ETIMEDOUT: nothing came for `timeout` microseconds. -EPROTO: no message of this
// device began there, or it broke off: bytes were lost, call matmul_resynchronise.
int matmul_receive(struct matmul* device, struct matmul_message* message, uint64_t timeout);

// Gets both sides in step again after lost bytes: completes a command that the device may still wait for (which stores
// nonsense where that command stored), stops both threads, and throws away what the device still sends. Whatever was
// being stored must be stored again. 0, or -ETIMEDOUT if the device does not fall silent within a FIFO's time.
int matmul_resynchronise(struct matmul* device);

#ifdef __cplusplus
}
#endif

#endif
