#include "interrupt_path.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES = 21 };   // odd: the median is one of them
enum { MISSES = 50 };  // programs that may be over before the watcher has run; it takes some to start
enum { MULTIPLIES = 32 };

// What the idle process writes down: the last turn of its loop.
struct moment {
  volatile uint64_t time;
};

#ifdef __riscv
static inline uint64_t read_time(void) {
  unsigned long value;
  __asm__ volatile("rdtime %0" : "=r"(value));
  return value;
}
#else
static inline uint64_t read_time(void) { return 0; }
#endif

// It ends with its parent, and does not keep the device.
static void watch(struct moment* last, int file, pid_t parent) {
  const struct sched_param parameters = {0};
  close(file);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(1);
  if (sched_setscheduler(0, SCHED_IDLE, &parameters) != 0) _exit(1);
  for (;;) last->time = read_time();
}

// As many multiplies of the whole unified buffer as the device holds, so that the process has time to fall asleep and
// the watcher to run. They write accumulators only.
static int run_program(int file, const struct tinytpu_ioc_info* info) {
  struct tinytpu_instruction_words words[MULTIPLIES];
  const uint32_t rows = info->unified_buffer_depth;
  for (int i = 0; i < MULTIPLIES; ++i) words[i] = (struct tinytpu_instruction_words){0x20 | rows << 8, rows >> 24, 0};
  struct tinytpu_ioc_submit submit = {.instructions = (uintptr_t)words, .bytes = sizeof words};
  if (ioctl(file, TINYTPU_IOC_SUBMIT, &submit) != 0) return -errno;
  struct tinytpu_ioc_wait wait = {.ticket = submit.ticket, .timeout_ns = -1};
  return ioctl(file, TINYTPU_IOC_WAIT, &wait) == 0 ? 0 : -errno;
}

static int compare(const void* a, const void* b) {
  const uint64_t first = *(const uint64_t*)a, second = *(const uint64_t*)b;
  return (first > second) - (first < second);
}

static uint64_t time_base(void) {
  uint8_t bytes[4];
  FILE* file = fopen("/proc/device-tree/cpus/timebase-frequency", "rb");
  if (file == NULL) return 0;
  const size_t count = fread(bytes, sizeof bytes, 1, file);
  fclose(file);
  if (count != 1) return 0;
  return (uint64_t)bytes[0] << 24 | (uint64_t)bytes[1] << 16 | (uint64_t)bytes[2] << 8 | bytes[3];
}

static double microseconds(uint64_t ticks, uint64_t hertz) { return 1e6 * (double)ticks / (double)hertz; }

static void print(uint64_t* ticks) {
  const uint64_t hertz = time_base();
  if (hertz == 0) {
    printf("interrupt path: not measured, the device tree has no timebase-frequency\n");
    return;
  }
  qsort(ticks, TIMES, sizeof *ticks, compare);
  const double median = microseconds(ticks[TIMES / 2], hertz);
  printf("interrupt path, edge to user space awake: %.1f us (%.1f to %.1f, %d times)\n", median,
         microseconds(ticks[0], hertz), microseconds(ticks[TIMES - 1], hertz), TIMES);
  printf("metric interrupt_path %.1f us\n", median);
}

void interrupt_path_print(int file, const struct tinytpu_ioc_info* info) {
  uint64_t ticks[TIMES];
  struct moment* last = mmap(NULL, sizeof *last, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (last == MAP_FAILED) return;
  fflush(stdout);
  const pid_t self = getpid(), watcher = fork();
  if (watcher == 0) watch(last, file, self);
  int error = watcher < 0 ? -errno : 0;
  int measured = 0, misses = 0;
  while (measured < TIMES && error == 0) {
    const uint64_t before = last->time;
    error = run_program(file, info);
    const uint64_t now = read_time();
    if (error != 0) break;
    if (last->time != before) {
      ticks[measured++] = (unsigned long)(now - last->time);  // 32-bit CPUs read the lower half
    } else if (++misses > MISSES) {
      error = -ETIME;  // the device is too fast: the process never sleeps
    }
  }
  if (watcher > 0) {
    kill(watcher, SIGKILL);
    waitpid(watcher, NULL, 0);
  }
  munmap(last, sizeof *last);
  if (error == 0) {
    print(ticks);
  } else {
    printf("interrupt path: not measured (error %d)\n", -error);
  }
}
