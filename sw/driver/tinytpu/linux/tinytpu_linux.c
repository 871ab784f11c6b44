#include "sw/driver/tinytpu/linux/tinytpu_linux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static int control(const struct tinytpu_linux* host, unsigned long request, void* argument) {
  int result;
  do {
    result = ioctl(host->file, request, argument);
  } while (result != 0 && errno == EINTR);
  return result == 0 ? 0 : -errno;
}

static void fail(struct tinytpu_linux* host, int error) {
  if (host->error == 0) host->error = error;
}

static void submit(struct tinytpu_recorder* recorder) {
  struct tinytpu_linux* host = (struct tinytpu_linux*)recorder;
  if (recorder->overflowed) fail(host, -E2BIG);
  if (host->error != 0) return;
  struct tinytpu_ioc_submit request = {.instructions = (uintptr_t)recorder->words,
                                       .bytes = recorder->count * sizeof *recorder->words};
  const int error = control(host, TINYTPU_IOC_SUBMIT, &request);
  host->ticket = request.ticket;
  host->refusal = request.refusal;
  host->instruction = request.bad_instruction;
  if (error != 0) fail(host, error);
}

static void wait_for_program(void* context, const volatile uint32_t* completed, uint32_t seen) {
  struct tinytpu_linux* host = context;
  if (*completed != seen) return;
  if (host->error == 0) {
    struct tinytpu_ioc_wait request = {.ticket = host->ticket, .timeout_ns = -1};
    const int error = control(host, TINYTPU_IOC_WAIT, &request);
    host->recorder.runtime = request.runtime;
    if (error != 0) fail(host, error);
  }
  tinytpu_interrupt(host->device);
}

// A buffer in its place of the window.
static int map_buffer(const struct tinytpu_linux* host, uint64_t offset, uint64_t size) {
  if (size == 0) return -EOPNOTSUPP;
  void* place = (char*)host->window + offset;
  void* mapped = mmap(place, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, host->file, (off_t)offset);
  return mapped == MAP_FAILED ? -errno : 0;
}

static int map_window(struct tinytpu_linux* host, uint64_t bytes) {
  host->window = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (host->window == MAP_FAILED) {
    host->window = NULL;
    return -errno;
  }
  const struct tinytpu_ioc_info* info = &host->info;
  const int error = map_buffer(host, info->weights_offset, info->weights_size);
  return error != 0 ? error : map_buffer(host, info->unified_offset, info->unified_size);
}

static int set_up(struct tinytpu_linux* host) {
  int error = control(host, TINYTPU_IOC_INFO, &host->info);
  if (error != 0) return error;
  struct tinytpu_ioc_acquire request = {.timeout_ns = -1};
  if ((error = control(host, TINYTPU_IOC_ACQUIRE, &request)) != 0) return error;
  const struct tinytpu_geometry geometry = {host->info.matrix_width, host->info.weight_buffer_depth,
                                            host->info.unified_buffer_depth};
  if ((error = tinytpu_init(host->device, 0, &geometry)) != 0) return error;
  if ((error = map_window(host, host->device->window.size)) != 0) return error;
  uint32_t(*words)[3] = malloc(host->info.max_instructions * sizeof *words);
  if (words == NULL) return -ENOMEM;
  host->device->base = (uintptr_t)host->window;
  tinytpu_record(host->device, &host->recorder, words, host->info.max_instructions, submit);
  host->device->wait = wait_for_program;
  host->device->wait_context = host;
  return 0;
}

int tinytpu_linux_open(struct tinytpu_linux* host, struct tinytpu* device, unsigned number) {
  char path[32];
  memset(host, 0, sizeof *host);
  host->device = device;
  snprintf(path, sizeof path, "/dev/tinytpu%u", number);
  host->file = open(path, O_RDWR | O_CLOEXEC);
  if (host->file < 0) return -errno;
  const int error = set_up(host);
  if (error != 0) tinytpu_linux_close(host);
  return error;
}

void tinytpu_linux_close(struct tinytpu_linux* host) {
  if (host->window != NULL) munmap(host->window, host->device->window.size);
  free(host->recorder.words);
  close(host->file);
  host->window = NULL;
  host->recorder.words = NULL;
  host->file = -1;
}

int tinytpu_linux_error(const struct tinytpu_linux* host) { return host->error; }

const char* tinytpu_linux_refusal(const struct tinytpu_linux* host) {
  static const char* const reasons[] = {
      [TINYTPU_ACCEPTED] = NULL,
      [TINYTPU_INCOMPLETE] = "it is no whole number of instructions",
      [TINYTPU_EMPTY] = "it is empty",
      [TINYTPU_TOO_LONG] = "it is too long",
      [TINYTPU_BAD_WORD] = "bits are set that the instruction has no use for",
      [TINYTPU_BAD_OPCODE] = "the hardware has no such instruction",
      [TINYTPU_BAD_ACTIVATION] = "the hardware has no such activation",
      [TINYTPU_WEIGHT_ROWS] = "rows are beyond the weight buffer",
      [TINYTPU_BUFFER_ROWS] = "rows are beyond the unified buffer",
      [TINYTPU_ACCUMULATOR_ROWS_BEYOND] = "rows are beyond the accumulators",
      [TINYTPU_INNER_SYNCHRONIZE] = "a synchronize is not its last instruction",
  };
  return host->refusal < sizeof reasons / sizeof *reasons ? reasons[host->refusal] : "for an unknown reason";
}
