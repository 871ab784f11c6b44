#include "digits_host.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "interrupt_path.h"
#include "sw/driver/tinytpu/linux/tinytpu_linux.h"

static struct tinytpu_linux host;

int digits_host_open(struct tinytpu* tpu) {
  const char* number = getenv("TINYTPU");
  return tinytpu_linux_open(&host, tpu, number == NULL ? 0 : (unsigned)strtoul(number, NULL, 10));
}

uint32_t digits_host_clock_ps(void) { return host.info.clock_period_ps; }

// A cell of the device tree; 0 where there is none.
static uint32_t read_cell(const char* path) {
  uint8_t bytes[4] = {0};
  FILE* file = fopen(path, "rb");
  if (file == NULL) return 0;
  const size_t count = fread(bytes, sizeof bytes, 1, file);
  fclose(file);
  return count == 1 ? (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3] : 0;
}

uint64_t digits_host_cycles(void) {
  static uint32_t hertz;
  struct timespec now;
  if (hertz == 0) hertz = read_cell("/proc/device-tree/cpus/cpu@0/clock-frequency");
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return (uint64_t)now.tv_sec * hertz + (uint64_t)now.tv_nsec * (hertz / 1000) / 1000000;
}

int digits_host_error(void) {
  const char* refusal = tinytpu_linux_refusal(&host);
  if (refusal != NULL) {
    printf("digits: the driver refused a program at instruction %" PRIu64 ": %s\n", host.instruction, refusal);
  }
  return tinytpu_linux_error(&host);
}

// The device is still this process's, so that nobody else's programs are in the way.
void digits_host_report(void) { interrupt_path_print(host.file, &host.info); }
