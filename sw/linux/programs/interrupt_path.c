#include "interrupt_path.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES = 21 };  // odd: the median is one of them

// What the idle process writes down: the last turn of its loop.
struct moment {
  volatile uint64_t time, instructions;
};

#ifdef __riscv
static inline uint64_t read_time(void) {
  unsigned long value;
  __asm__ volatile("rdtime %0" : "=r"(value));
  return value;
}

static inline uint64_t read_instructions(void) {
  unsigned long value;
  __asm__ volatile("rdinstret %0" : "=r"(value));
  return value;
}
#else
static inline uint64_t read_time(void) { return 0; }
static inline uint64_t read_instructions(void) { return 0; }
#endif

static sigjmp_buf not_allowed;
static void on_illegal(int signal) {
  (void)signal;
  siglongjmp(not_allowed, 1);
}

// Whether programs may read the counter of instructions.
static bool may_count(void) {
  struct sigaction before, action = {.sa_handler = on_illegal};
  volatile bool allowed = false;
  sigaction(SIGILL, &action, &before);
  if (sigsetjmp(not_allowed, 1) == 0) {
    (void)read_instructions();
    allowed = true;
  }
  sigaction(SIGILL, &before, NULL);
  return allowed;
}

static void watch(struct moment* last, bool count) {
  const struct sched_param parameters = {0};
  if (sched_setscheduler(0, SCHED_IDLE, &parameters) != 0) _exit(1);
  for (;;) {
    last->time = read_time();
    if (count) last->instructions = read_instructions();
  }
}

// Long enough for the process to fall asleep and the watcher to run: all rows of the weight buffer, a few times.
static int run_program(int file, const struct tinytpu_ioc_info* info) {
  struct tinytpu_instruction_words words[64];
  const uint32_t rows = info->weight_buffer_depth;
  const uint32_t period = info->clock_period_ps != 0 ? info->clock_period_ps : 10000;
  uint64_t count = 2000000000 / ((uint64_t)rows * period) + 1;  // 2 ms
  if (count > 64) count = 64;
  for (uint64_t i = 0; i < count; ++i) words[i] = (struct tinytpu_instruction_words){0x08 | rows << 8, rows >> 24, 0};
  struct tinytpu_ioc_submit submit = {.instructions = (uintptr_t)words, .bytes = count * sizeof *words};
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

static void print(uint64_t* ticks, uint64_t* instructions, bool count) {
  const uint64_t hertz = time_base();
  if (hertz == 0) {
    printf("interrupt path: not measured, the device tree has no timebase-frequency\n");
    return;
  }
  qsort(ticks, TIMES, sizeof *ticks, compare);
  qsort(instructions, TIMES, sizeof *instructions, compare);
  printf("interrupt path, edge to user space awake: %.1f us (%.1f to %.1f)", microseconds(ticks[TIMES / 2], hertz),
         microseconds(ticks[0], hertz), microseconds(ticks[TIMES - 1], hertz));
  if (count) {
    printf(", %" PRIu64 " instructions (%" PRIu64 " to %" PRIu64 ")", instructions[TIMES / 2], instructions[0],
           instructions[TIMES - 1]);
  } else {
    printf("; instructions cannot be read (sysctl kernel.perf_user_access=2 lets programs)");
  }
  printf(", %d times\nmetric interrupt_path.time %.1f us\n", TIMES, microseconds(ticks[TIMES / 2], hertz));
  if (count) printf("metric interrupt_path.instructions %" PRIu64 "\n", instructions[TIMES / 2]);
}

void interrupt_path_print(int file, const struct tinytpu_ioc_info* info) {
  uint64_t ticks[TIMES], instructions[TIMES];
  const bool count = may_count();
  struct moment* last = mmap(NULL, sizeof *last, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (last == MAP_FAILED) return;
  fflush(stdout);
  const pid_t watcher = fork();
  if (watcher == 0) watch(last, count);
  int error = watcher < 0 ? -errno : 0;
  for (int i = 0; i < TIMES && error == 0; ++i) {
    error = run_program(file, info);
    const uint64_t instructions_now = count ? read_instructions() : 0, now = read_time();
    ticks[i] = (unsigned long)(now - last->time);  // 32-bit CPUs read the lower half
    instructions[i] = (unsigned long)(instructions_now - last->instructions);
  }
  if (watcher > 0) {
    kill(watcher, SIGKILL);
    waitpid(watcher, NULL, 0);
  }
  munmap(last, sizeof *last);
  if (error == 0) {
    print(ticks, instructions, count);
  } else {
    printf("interrupt path: not measured (error %d)\n", -error);
  }
}
