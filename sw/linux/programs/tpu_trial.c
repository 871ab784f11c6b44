// Tests of the module from user space: tpu_trial refused | waiting | turns | lease | gone DRIVER | hold [MS]. Each
// prints what failed and a line at its end; the exit code is 0 if nothing did.
#include "tpu_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

int failures;

bool check(bool good, const char* what) {
  if (good) return true;
  printf("FAILED: %s\n", what);
  ++failures;
  return false;
}

bool check_error(int result, int expected, const char* what) {
  const int got = result < 0 ? errno : 0;
  if (got == expected) return true;
  printf("FAILED: %s: %s, not %s\n", what, got != 0 ? strerror(got) : "success",
         expected != 0 ? strerror(expected) : "success");
  ++failures;
  return false;
}

int open_tpu(void) {
  const int file = open("/dev/tinytpu0", O_RDWR | O_CLOEXEC);
  if (file >= 0) return file;
  perror("tpu_trial: /dev/tinytpu0");
  exit(1);
}

int acquire(int file, int64_t timeout_ns) {
  struct tinytpu_ioc_acquire request = {.timeout_ns = timeout_ns};
  return ioctl(file, TINYTPU_IOC_ACQUIRE, &request);
}

int submit(int file, const struct tinytpu_instruction_words* words, size_t count, uint64_t* ticket) {
  struct tinytpu_ioc_submit request = {.instructions = (uintptr_t)words, .bytes = count * sizeof *words};
  const int result = ioctl(file, TINYTPU_IOC_SUBMIT, &request);
  if (ticket != NULL) *ticket = request.ticket;
  return result;
}

int wait_for(int file, uint64_t ticket, int64_t timeout_ns) {
  struct tinytpu_ioc_wait request = {.ticket = ticket, .timeout_ns = timeout_ns};
  return ioctl(file, TINYTPU_IOC_WAIT, &request);
}

uint64_t run_long(int file, unsigned ms) {
  static struct tinytpu_instruction_words words[4096];
  struct tinytpu_ioc_info info;
  uint64_t ticket = 0;
  if (ioctl(file, TINYTPU_IOC_INFO, &info) != 0) return 0;
  const uint32_t rows = info.weight_buffer_depth;
  const uint64_t one = (uint64_t)rows * info.clock_period_ps;
  uint64_t count = one != 0 ? (uint64_t)ms * 1000000000 / one + 1 : 1;
  if (count > 4096) count = 4096;
  for (uint64_t i = 0; i < count; ++i) words[i] = (struct tinytpu_instruction_words){0x08 | rows << 8, rows >> 24, 0};
  check_error(submit(file, words, count, &ticket), 0, "submit of a long program");
  return ticket;
}

static sigjmp_buf bus_error;
static void on_bus_error(int signal) {
  (void)signal;
  siglongjmp(bus_error, 1);
}

bool can_read(const volatile uint8_t* byte) {
  struct sigaction before, action = {.sa_handler = on_bus_error};
  volatile bool could = false;
  sigaction(SIGBUS, &action, &before);
  if (sigsetjmp(bus_error, 1) == 0) {
    (void)*byte;
    could = true;
  }
  sigaction(SIGBUS, &before, NULL);
  return could;
}

uint64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

// Owns the device and keeps it busy until killed.
static void hold(unsigned ms) {
  const int file = open_tpu();
  if (!check_error(acquire(file, -1), 0, "acquire")) return;
  printf("tpu_trial: holds the device\n");
  fflush(stdout);
  while (failures == 0) {
    const uint64_t ticket = run_long(file, ms);
    check_error(wait_for(file, ticket, -1), 0, "wait");
  }
}

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "";
  if (strcmp(name, "refused") == 0) {
    test_refused();
  } else if (strcmp(name, "waiting") == 0) {
    test_waiting();
  } else if (strcmp(name, "turns") == 0) {
    test_turns();
  } else if (strcmp(name, "lease") == 0) {
    test_lease();
  } else if (strcmp(name, "gone") == 0 && argc > 2) {
    test_gone(argv[2]);
  } else if (strcmp(name, "hold") == 0) {
    hold(argc > 2 ? (unsigned)atoi(argv[2]) : 20);
  } else {
    fprintf(stderr, "usage: tpu_trial refused | waiting | turns | lease | gone DRIVER | hold [MS]\n");
    return 2;
  }
  printf("tpu_trial %s: %s\n", name, failures == 0 ? "passed" : "FAILED");
  return failures == 0 ? 0 : 1;
}
