#include "firmware/virtio/queue.h"

#include <string.h>

#include "firmware/board/cpu.h"
#include "firmware/board/mmio.h"
#include "firmware/board/plic.h"

// Registers by the specification's names.
enum {
  MAGIC_VALUE = 0x000,
  VERSION = 0x004,
  DEVICE_ID = 0x008,
  DEVICE_FEATURES = 0x010,
  DEVICE_FEATURES_SEL = 0x014,
  DRIVER_FEATURES = 0x020,
  DRIVER_FEATURES_SEL = 0x024,
  QUEUE_SEL = 0x030,
  QUEUE_NUM_MAX = 0x034,
  QUEUE_NUM = 0x038,
  QUEUE_READY = 0x044,
  QUEUE_NOTIFY = 0x050,
  INTERRUPT_STATUS = 0x060,
  INTERRUPT_ACK = 0x064,
  STATUS = 0x070,
  QUEUE_DESC = 0x080,
  QUEUE_DRIVER = 0x090,
  QUEUE_DEVICE = 0x0A0,
  CONFIG = 0x100,
};
enum { ACKNOWLEDGE = 1, DRIVER = 2, DRIVER_OK = 4, FEATURES_OK = 8, NEEDS_RESET = 0x40 };
enum { NEXT = 1, WRITE = 2, INDIRECT = 4 };
enum { NO_INTERRUPT = 1 };
enum { MAGIC = 0x74726976, TRANSPORT_VERSION = 2 };

static uint32_t get(const struct virtio* virtio, unsigned offset) { return mmio_read32(virtio->device.base + offset); }
static void set(const struct virtio* virtio, unsigned offset, uint32_t value) {
  mmio_write32(virtio->device.base + offset, value);
}
static void set_address(const struct virtio* virtio, unsigned offset, const volatile void* place) {
  set(virtio, offset, (uint32_t)(uintptr_t)place);
  set(virtio, offset + 4, (uint32_t)((uint64_t)(uintptr_t)place >> 32));
}

// Memory accesses of both sides happen in the order in which they stand here.
static void fence(void) { __asm__ volatile("fence" ::: "memory"); }

bool virtio_find(uint32_t device, struct virtio* virtio) {
  for (unsigned i = 0; board_find("virtio,mmio", i, &virtio->device); ++i)
    if (get(virtio, MAGIC_VALUE) == MAGIC && get(virtio, VERSION) == TRANSPORT_VERSION &&
        get(virtio, DEVICE_ID) == device)
      return true;
  return false;
}

static void interrupted(void* context) {
  struct virtio* const virtio = context;
  const uint32_t cause = get(virtio, INTERRUPT_STATUS);
  set(virtio, INTERRUPT_ACK, cause);
  virtio->cause |= cause;
  ++virtio->interrupts;
}

static uint64_t offered_features(const struct virtio* virtio) {
  set(virtio, DEVICE_FEATURES_SEL, 1);
  const uint64_t high = get(virtio, DEVICE_FEATURES);
  set(virtio, DEVICE_FEATURES_SEL, 0);
  return high << 32 | get(virtio, DEVICE_FEATURES);
}

static bool set_queue_up(struct virtio* virtio) {
  memset(virtio->descriptors, 0, sizeof virtio->descriptors);
  memset((void*)&virtio->available, 0, sizeof virtio->available);
  memset((void*)&virtio->used, 0, sizeof virtio->used);
  virtio->seen = 0;
  set(virtio, QUEUE_SEL, virtio->queue);
  if (get(virtio, QUEUE_READY) != 0 || get(virtio, QUEUE_NUM_MAX) < QUEUE_ENTRIES) return false;
  set(virtio, QUEUE_NUM, QUEUE_ENTRIES);
  set_address(virtio, QUEUE_DESC, virtio->descriptors);
  set_address(virtio, QUEUE_DRIVER, &virtio->available);
  set_address(virtio, QUEUE_DEVICE, &virtio->used);
  set(virtio, QUEUE_READY, 1);
  return get(virtio, QUEUE_READY) == 1;
}

bool virtio_start(struct virtio* virtio, unsigned queue, uint64_t wanted, const char** why) {
  virtio->queue = queue;
  set(virtio, STATUS, 0);
  while (get(virtio, STATUS) != 0) {
  }
  set(virtio, STATUS, ACKNOWLEDGE);
  set(virtio, STATUS, ACKNOWLEDGE | DRIVER);
  virtio->features = offered_features(virtio) & wanted;
  for (unsigned half = 0; half < 2; ++half) {
    set(virtio, DRIVER_FEATURES_SEL, half);
    set(virtio, DRIVER_FEATURES, (uint32_t)(virtio->features >> (32 * half)));
  }
  set(virtio, STATUS, ACKNOWLEDGE | DRIVER | FEATURES_OK);
  *why = "it does not agree to the features";
  if ((get(virtio, STATUS) & FEATURES_OK) == 0) return false;
  *why = "it does not take a queue";
  if (!set_queue_up(virtio)) return false;
  plic_connect(virtio->device.interrupt, 1, interrupted, virtio);
  cpu_enable_interrupts();
  set(virtio, STATUS, ACKNOWLEDGE | DRIVER | FEATURES_OK | DRIVER_OK);
  return true;
}

static void put_chain(struct virtio_descriptor* table, unsigned first, const struct virtio_buffer* buffers,
                      unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    struct virtio_descriptor* const one = &table[first + i];
    one->address = (uintptr_t)buffers[i].bytes;
    one->size = buffers[i].size;
    one->flags = (uint16_t)((buffers[i].device_writes ? WRITE : 0) | (i + 1 < count ? NEXT : 0));
    one->next = (uint16_t)(first + i + 1);
  }
}

static void put_head(struct virtio* virtio, unsigned head) {
  virtio->available.heads[virtio->available.index % QUEUE_ENTRIES] = (uint16_t)head;
  fence();
  virtio->available.index = (uint16_t)(virtio->available.index + 1);
  fence();
}

int64_t virtio_request(struct virtio* virtio, const struct virtio_buffer* buffers, unsigned count, bool indirect) {
  struct virtio_descriptor* const chain = indirect ? virtio->table : virtio->descriptors;
  put_chain(chain, 0, buffers, count);
  if (indirect) {
    virtio->descriptors[0].address = (uintptr_t)chain;
    virtio->descriptors[0].size = count * (uint32_t)sizeof *chain;
    virtio->descriptors[0].flags = INDIRECT;
  }
  virtio->available.used_event = virtio->seen;  // an interrupt for the next one, if both have VIRTIO_F_EVENT_IDX
  virtio->available.flags = 0;
  put_head(virtio, 0);
  const uint32_t before = virtio->interrupts;
  set(virtio, QUEUE_NOTIFY, virtio->queue);
  cpu_sleep_while_equal(&virtio->interrupts, before);
  fence();
  if (virtio->used.index == virtio->seen) return -1;
  return virtio->used.elements[virtio->seen++ % QUEUE_ENTRIES].bytes;
}

void virtio_offer(struct virtio* virtio, unsigned first, const struct virtio_buffer* buffers, unsigned count) {
  virtio->available.flags = NO_INTERRUPT;
  put_chain(virtio->descriptors, first, buffers, count);
  put_head(virtio, first);
  set(virtio, QUEUE_NOTIFY, virtio->queue);
}

void virtio_poll(struct virtio* virtio, unsigned requests) {
  const uint16_t until = (uint16_t)(virtio->seen + requests);
  while (virtio->used.index != until) {
  }
  fence();
  virtio->seen = until;
}

bool virtio_needs_reset(const struct virtio* virtio) { return (get(virtio, STATUS) & NEEDS_RESET) != 0; }

uint32_t virtio_config(const struct virtio* virtio, unsigned offset) { return get(virtio, CONFIG + offset); }
