#include "sw/driver/matmul/matmul.h"

#include <errno.h>
#include <string.h>

enum { OP_TERM = 0, OP_WRITE = 1, OP_LOAD = 2, OP_COMP = 3 };
enum { COMMAND_STORE_INSTRUCTION = 0x40, COMMAND_STORE_BLOCK = 0x80, COMMAND_UPDATE = 0xC0 };
// Silence in the middle of a message, or after the last one, is over at most a byte; the rest is for slow hosts.
enum { SILENT_BYTES = 20 };

int matmul_init(struct matmul* device, const struct matmul_line* line, uint32_t mesh, uint32_t tile, uint32_t baud) {
  memset(device, 0, sizeof *device);
  if (mesh == 0 || tile == 0 || mesh > MATMUL_MAX_SIDE || tile > MATMUL_MAX_SIDE || mesh * tile > MATMUL_MAX_SIDE)
    return -EINVAL;
  if ((tile & (tile - 1)) != 0 || baud == 0) return -EINVAL;
  device->line = *line;
  device->side = mesh * tile;
  device->byte_time = 11 * 1000000 / baud + 1;
  return 0;
}

uint32_t matmul_block_words(const struct matmul* device) { return device->side * device->side; }

static uint32_t message_bytes(const struct matmul* device) { return 5 + 4 * matmul_block_words(device); }

uint32_t matmul_safe_writes(const struct matmul* device) { return MATMUL_FIFO_BYTES / message_bytes(device); }

uint32_t matmul_load(uint8_t b_page) { return (uint32_t)b_page << 2 | OP_LOAD; }

uint32_t matmul_comp(uint8_t a_page, uint8_t d_page, uint8_t c_page) {
  return (uint32_t)c_page << 18 | (uint32_t)d_page << 10 | (uint32_t)a_page << 2 | OP_COMP;
}

uint32_t matmul_write(uint8_t page, uint8_t header) { return (uint32_t)header << 10 | (uint32_t)page << 2 | OP_WRITE; }

uint32_t matmul_term(void) { return OP_TERM; }

static void send(struct matmul* device, const uint8_t* bytes, size_t count) {
  device->line.send(device->line.context, bytes, count);
}

static void pack(uint8_t* bytes, uint32_t word) {
  for (unsigned i = 0; i < 4; ++i) bytes[i] = (uint8_t)(word >> (8 * i));
}

static uint32_t unpack(const uint8_t* bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void update(struct matmul* device, unsigned enabled, unsigned started) {
  // Bits 0 and 2 start threads 0 and 1, bits 1 and 3 keep them enabled.
  const unsigned bits = (enabled & 1) << 1 | (enabled & 2) << 2 | (started & 1) | (started & 2) << 1;
  const uint8_t command = (uint8_t)(COMMAND_UPDATE | bits);
  send(device, &command, 1);
}

void matmul_store_block(struct matmul* device, uint8_t page, const int32_t* words) {
  uint8_t head[5] = {COMMAND_STORE_BLOCK};
  pack(head + 1, (uint32_t)page * MATMUL_PAGE_WORDS);
  send(device, head, sizeof head);
  for (uint32_t i = 0; i < matmul_block_words(device); ++i) {
    uint8_t word[4];
    pack(word, (uint32_t)words[i]);
    send(device, word, sizeof word);
  }
}

int matmul_store_program(struct matmul* device, unsigned thread, const uint32_t* words, size_t count) {
  if (thread >= MATMUL_THREADS || count > MATMUL_PROGRAM_WORDS) return -EINVAL;
  // The store has no thread number: it goes to the first thread that is not enabled.
  update(device, thread == 0 ? 0 : 1, 0);
  for (size_t i = 0; i < count; ++i) {
    uint8_t command[9] = {COMMAND_STORE_INSTRUCTION};
    pack(command + 1, (uint32_t)(4 * i));
    pack(command + 5, words[i]);
    send(device, command, sizeof command);
  }
  matmul_stop(device);
  return 0;
}

void matmul_start(struct matmul* device, unsigned threads) {
  update(device, threads, 0);  // a disabled thread would start a clock later than an enabled one
  update(device, threads, threads);
}

void matmul_stop(struct matmul* device) { update(device, 0, 0); }

// Receives exactly `count` bytes unless none comes for `timeout` microseconds. Returns how many came.
static size_t receive(struct matmul* device, uint8_t* bytes, size_t count, uint64_t timeout) {
  const struct matmul_line* line = &device->line;
  size_t received = 0;
  uint64_t deadline = line->microseconds(line->context) + timeout;
  while (received < count) {
    const size_t more = line->receive(line->context, bytes + received, count - received);
    received += more;
    const uint64_t now = line->microseconds(line->context);
    if (more > 0) {
      deadline = now + timeout;
    } else if (now >= deadline) {
      break;
    } else if (line->wait != NULL) {
      line->wait(line->context, deadline);
    }
  }
  return received;
}

static uint64_t silence(const struct matmul* device) { return (uint64_t)SILENT_BYTES * device->byte_time; }

int matmul_receive(struct matmul* device, struct matmul_message* message, uint64_t timeout) {
  uint8_t head[5];
  if (receive(device, head, 1, timeout) == 0) return -ETIMEDOUT;
  if (receive(device, head + 1, 4, silence(device)) < 4) return -EPROTO;
  if (unpack(head) != message_bytes(device) - 4) return -EPROTO;
  message->header = head[4];
  for (uint32_t i = 0; i < matmul_block_words(device); ++i) {
    uint8_t word[4];
    if (receive(device, word, sizeof word, silence(device)) < sizeof word) return -EPROTO;
    message->words[i] = (int32_t)unpack(word);
  }
  return 0;
}

int matmul_resynchronise(struct matmul* device) {
  const uint8_t zeros[4] = {0};  // the rest of any command, and no command by themselves
  for (uint32_t sent = 0; sent < message_bytes(device); sent += sizeof zeros) send(device, zeros, sizeof zeros);
  matmul_stop(device);
  // A thread may still have to finish its WRITE behind a full FIFO.
  const uint32_t most = 2 * (MATMUL_FIFO_BYTES + MATMUL_THREADS * message_bytes(device));
  for (uint32_t drained = 0; drained < most; ++drained) {
    uint8_t byte;
    if (receive(device, &byte, 1, silence(device)) == 0) return 0;
    ++device->lost_bytes;
  }
  return -ETIMEDOUT;
}
