// Tests a virtio disk, source of entropy and console, by interrupt: sectors written and read back in requests of many
// sizes, directly and through indirect tables, with and without event indices; a flush, the serial number, sectors that
// are not there; a line that the console sends, and one that it has to be given. One line a group of checks. Exit code
// 0 when all are good, or when the machine has no such device (it says so). What the test's sectors held before is put
// back.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "firmware/virtio/queue.h"

enum { SECTOR = 512, MOST_SECTORS = 160, FIRST_SECTOR = 2, AREA = MOST_SECTORS * SECTOR };
enum { READ = 0, WRITE = 1, FLUSH = 4, GET_ID = 8 };
enum { OK = 0, IO_ERROR = 1, UNSUPPORTED = 2, UNTOUCHED = 0xEE };
enum { ID_BYTES = 20 };
#define VIRTIO_BLK_F_FLUSH (1ull << 9)

static uint8_t before[AREA], written[AREA], read_back[AREA];
static struct virtio disk, entropy, console;
static unsigned good, failed;

static void check(bool condition, const char* what, uint32_t number) {
  if (condition) {
    ++good;
  } else {
    ++failed;
    printf("FAILED %s (%" PRIu32 ")\n", what, number);
  }
}

static void fill(uint8_t* bytes, uint32_t count, uint32_t seed) {
  for (uint32_t i = 0; i < count; ++i) {
    seed = seed * 1664525 + 1013904223;
    bytes[i] = (uint8_t)(seed >> 24);
  }
}

// One request of the disk, its data in two pieces where there is enough of it. Returns its status.
static uint8_t request(uint32_t type, uint64_t sector, void* data, uint32_t bytes, bool indirect) {
  static struct {
    uint32_t type, reserved;
    uint64_t sector;
  } header;
  static uint8_t status;
  header.type = type;
  header.sector = sector;
  status = UNTOUCHED;
  struct virtio_buffer buffers[4] = {{&header, sizeof header, false}};
  unsigned count = 1;
  const uint32_t first = bytes > SECTOR ? SECTOR / 2 + 4 : bytes;
  if (first != 0) buffers[count++] = (struct virtio_buffer){data, first, type != WRITE};
  if (bytes != first) buffers[count++] = (struct virtio_buffer){(uint8_t*)data + first, bytes - first, type != WRITE};
  buffers[count++] = (struct virtio_buffer){&status, 1, true};
  return virtio_request(&disk, buffers, count, indirect) < 0 ? (uint8_t)UNTOUCHED : status;
}

static void test_sectors(const char* how, bool indirect) {
  const unsigned were_good = good;
  for (uint32_t sectors = 1; sectors <= MOST_SECTORS; sectors = sectors * 2 + 1) {
    fill(written, sectors * SECTOR, sectors);
    memset(read_back, 0, sectors * SECTOR);
    check(request(WRITE, FIRST_SECTOR, written, sectors * SECTOR, indirect) == OK, "write of sectors", sectors);
    check(request(READ, FIRST_SECTOR, read_back, sectors * SECTOR, indirect) == OK, "read of sectors", sectors);
    check(memcmp(written, read_back, sectors * SECTOR) == 0, "bytes read back, of sectors", sectors);
  }
  printf("sectors written and read back, %s: %u good\n", how, good - were_good);
}

// Two reads under way at a time, whose ends are seen in memory alone.
static void test_polling(void) {
  enum { ROUNDS = 8, REQUESTS = 2, DESCRIPTORS = 4 };
  static struct {
    uint32_t type, reserved;
    uint64_t sector;
  } headers[REQUESTS];
  static uint8_t states[REQUESTS];
  const unsigned were_good = good;
  fill(written, AREA, 99);
  check(request(WRITE, FIRST_SECTOR, written, AREA, false) == OK, "write to be polled", 0);
  for (uint32_t round = 0; round < ROUNDS; ++round) {
    memset(read_back, 0, REQUESTS * SECTOR);
    for (uint32_t i = 0; i < REQUESTS; ++i) {
      headers[i].type = READ;
      headers[i].sector = FIRST_SECTOR + round + i;
      states[i] = UNTOUCHED;
      const struct virtio_buffer buffers[] = {
          {&headers[i], sizeof headers[i], false}, {read_back + i * SECTOR, SECTOR, true}, {&states[i], 1, true}};
      virtio_offer(&disk, DESCRIPTORS * i, buffers, 3);
    }
    virtio_poll(&disk, REQUESTS);
    check(states[0] == OK && states[1] == OK, "polled requests", round);
    check(memcmp(read_back, written + round * SECTOR, REQUESTS * SECTOR) == 0, "polled bytes", round);
  }
  printf("two at a time, polled: %u good\n", good - were_good);
}

static void test_others(uint64_t sectors) {
  const unsigned were_good = good;
  char serial[ID_BYTES + 1] = "";
  if ((disk.features & VIRTIO_BLK_F_FLUSH) != 0) check(request(FLUSH, 0, 0, 0, false) == OK, "flush", 0);
  check(request(GET_ID, 0, serial, ID_BYTES, false) == OK, "serial number", 0);
  memset(read_back, 0x5A, SECTOR);
  check(request(READ, sectors, read_back, SECTOR, false) == IO_ERROR, "read behind the end", 0);
  check(request(WRITE, sectors - 1, written, 2 * SECTOR, false) == IO_ERROR, "write across the end", 0);
  check(request(77, 0, read_back, SECTOR, false) == UNSUPPORTED, "unknown request", 0);
  check(!virtio_needs_reset(&disk), "the device goes on", 0);
  printf("flush, serial number, impossible requests: %u good\n", good - were_good);
}

static void test_disk(void) {
  const char* why = "";
  if (!virtio_start(&disk, 0, VIRTIO_F_VERSION_1 | VIRTIO_F_INDIRECT_DESC | VIRTIO_BLK_F_FLUSH, &why))
    return check(false, why, 0);
  const uint64_t sectors = virtio_config(&disk, 0) | (uint64_t)virtio_config(&disk, 4) << 32;
  printf("disk at %#lx: %lu KiB\n", (unsigned long)disk.device.base, (unsigned long)(sectors / 2));
  if (sectors < FIRST_SECTOR + MOST_SECTORS) return check(false, "the disk is too small", (uint32_t)sectors);
  check(request(READ, FIRST_SECTOR, before, AREA, false) == OK, "first read", 0);
  test_sectors("direct", false);
  test_sectors("indirect", true);
  test_others(sectors);
  test_polling();
  if (!virtio_start(&disk, 0, VIRTIO_F_VERSION_1 | VIRTIO_F_EVENT_IDX, &why)) return check(false, why, 0);
  test_sectors("after a reset, with event indices", false);
  check(request(WRITE, FIRST_SECTOR, before, AREA, false) == OK, "last write", 0);
}

static void test_entropy(void) {
  static uint8_t bytes[64];
  const char* why = "";
  if (!virtio_start(&entropy, 0, VIRTIO_F_VERSION_1, &why)) return check(false, why, 0);
  const struct virtio_buffer buffer = {bytes, sizeof bytes, true};
  const int64_t count = virtio_request(&entropy, &buffer, 1, false);
  check(count > 0 && count <= (int64_t)sizeof bytes, "random bytes", (uint32_t)count);
  unsigned different = 0;
  for (int64_t i = 1; i < count; ++i) different += bytes[i] != bytes[0];
  check(different != 0, "they are not all the same", 0);
  printf("entropy at %#lx: %u bytes\n", (unsigned long)entropy.device.base, (unsigned)count);
}

// Sends a line by the console's queue 1, and waits for one on its queue 0.
static void test_console(void) {
  static char prompt[] = "virtio console: a line, please\n", answer[80];
  const char* why = "";
  if (!virtio_start(&console, 1, VIRTIO_F_VERSION_1, &why)) return check(false, why, 1);
  const struct virtio_buffer out = {prompt, sizeof prompt - 1, false};
  check(virtio_request(&console, &out, 1, false) == 0, "a line sent", 0);
  if (!virtio_start(&console, 0, VIRTIO_F_VERSION_1, &why)) return check(false, why, 0);
  uint32_t length = 0;
  while (length < sizeof answer - 1 && (length == 0 || answer[length - 1] != '\n')) {
    const struct virtio_buffer in = {answer + length, sizeof answer - 1 - length, true};
    const int64_t count = virtio_request(&console, &in, 1, false);
    check(count > 0, "bytes received", (uint32_t)count);
    if (count <= 0) return;
    length += (uint32_t)count;
  }
  printf("console at %#lx: was told %s", (unsigned long)console.device.base, answer);
}

int main(void) {
  const bool has_disk = virtio_find(VIRTIO_DEVICE_BLOCK, &disk);
  const bool has_entropy = virtio_find(VIRTIO_DEVICE_ENTROPY, &entropy);
  const bool has_console = virtio_find(VIRTIO_DEVICE_CONSOLE, &console);
  if (!has_disk && !has_entropy && !has_console) {
    printf("virtio_test: skipped, no virtio device in the device tree\n");
    return 0;
  }
  if (has_disk) test_disk();
  if (has_entropy) test_entropy();
  if (has_console) test_console();
  printf("virtio_test: %u good, %u failed\n", good, failed);
  return failed != 0;
}
