// A split virtqueue and the transport over MMIO (Virtual I/O Device 1.2, sections 2.7 and 4.2), as far as the test
// program needs them: one request under way at a time, its end told by interrupt.
#ifndef FIRMWARE_VIRTIO_QUEUE_H
#define FIRMWARE_VIRTIO_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/board/board.h"

enum { VIRTIO_DEVICE_BLOCK = 2, VIRTIO_DEVICE_CONSOLE = 3, VIRTIO_DEVICE_ENTROPY = 4 };
enum { QUEUE_ENTRIES = 8 };

// One buffer of a request.
struct virtio_buffer {
  void* bytes;
  uint32_t size;
  bool device_writes;
};

struct virtio_descriptor {
  uint64_t address;
  uint32_t size;
  uint16_t flags;
  uint16_t next;
};

struct virtio_available {
  uint16_t flags;
  uint16_t index;
  uint16_t heads[QUEUE_ENTRIES];
  uint16_t used_event;
};

struct virtio_used {
  uint16_t flags;
  uint16_t index;
  struct {
    uint32_t head;
    uint32_t bytes;
  } elements[QUEUE_ENTRIES];
  uint16_t avail_event;
};

struct virtio {
  struct board_device device;
  unsigned queue;                // that is used, of the device's
  uint64_t features;             // that both sides have
  volatile uint32_t interrupts;  // that have come
  volatile uint32_t cause;       // all InterruptStatus bits that have been seen
  uint16_t seen;                 // of the used ring
  _Alignas(16) struct virtio_descriptor descriptors[QUEUE_ENTRIES];
  _Alignas(16) struct virtio_descriptor table[QUEUE_ENTRIES];
  _Alignas(4) volatile struct virtio_available available;
  _Alignas(4) volatile struct virtio_used used;
};

// The first device of this kind behind a transport of version 2. False when there is none.
bool virtio_find(uint32_t device, struct virtio* virtio);
// Resets the device and sets one of its queues up. `wanted`: features to be taken where they are offered. False, with
// *why set, when the device does not agree.
bool virtio_start(struct virtio* virtio, unsigned queue, uint64_t wanted, const char** why);
// Hands the buffers over and sleeps until they have been used, or the device needs a reset. Returns the bytes written,
// or -1. indirect: the chain stands in a table of its own.
int64_t virtio_request(struct virtio* virtio, const struct virtio_buffer* buffers, unsigned count, bool indirect);
// Offers the buffers as a chain of descriptors from `first` on and does not wait; no interrupt is wanted for them.
void virtio_offer(struct virtio* virtio, unsigned first, const struct virtio_buffer* buffers, unsigned count);
// Looks at the used ring in memory until so many more requests are there.
void virtio_poll(struct virtio* virtio, unsigned requests);
bool virtio_needs_reset(const struct virtio* virtio);
uint32_t virtio_config(const struct virtio* virtio, unsigned offset);

#define VIRTIO_F_INDIRECT_DESC (1ull << 28)
#define VIRTIO_F_EVENT_IDX (1ull << 29)
#define VIRTIO_F_VERSION_1 (1ull << 32)

#endif
