// Clients beside each other: waiting by read and poll, turns, the lease, a device that goes.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tpu_trial.h"

static short poll_events(int file, int timeout_ms) {
  struct pollfd entry = {.fd = file, .events = POLLIN | POLLPRI};
  return poll(&entry, 1, timeout_ms) >= 0 ? entry.revents : 0;
}

static void ignore(int signal) { (void)signal; }

// A signal ends a wait, and the program is under way as before.
static void interrupt_wait(int file) {
  struct sigaction action = {.sa_handler = ignore};
  const struct itimerval soon = {.it_value = {.tv_usec = 1000}};
  sigaction(SIGALRM, &action, NULL);
  const uint64_t ticket = run_long(file, 5);
  setitimer(ITIMER_REAL, &soon, NULL);
  check_error(wait_for(file, ticket, 5000000000), EINTR, "a wait that a signal ends");
  check_error(wait_for(file, ticket, -1), 0, "the wait after it");
}

void test_waiting(void) {
  const int file = open_tpu();
  struct tinytpu_completion completion;
  check_error(acquire(file, -1), 0, "acquire");
  check(read(file, &completion, sizeof completion) == 0, "a read when nothing is under way");
  uint64_t ticket = run_long(file, 10);
  check(poll_events(file, 0) == 0, "a poll while a program is under way");
  check(poll_events(file, 5000) == POLLIN, "a poll at its end");
  check(read(file, &completion, sizeof completion) == sizeof completion && completion.ticket == ticket, "a read");
  check(completion.runtime > 0, "the runtime counter");
  check(poll_events(file, 0) == 0, "a poll after the read");
  ticket = run_long(file, 10);
  check(read(file, &completion, sizeof completion) == sizeof completion && completion.ticket == ticket,
        "a read that blocks");
  fcntl(file, F_SETFL, O_NONBLOCK);
  ticket = run_long(file, 10);
  check_error((int)read(file, &completion, sizeof completion), EAGAIN, "a read that must not block");
  check_error(wait_for(file, ticket, -1), 0, "a wait");
  check(read(file, &completion, sizeof completion) == 0, "a read of what the wait told");
  interrupt_wait(file);
  close(file);
}

enum { CLIENTS = 4, ROUNDS = 5 };

// Takes the device in turns with the others and writes down when.
static void take_turns(int number, volatile int* log, volatile int* count) {
  const int file = open_tpu();
  for (int round = 0; round < ROUNDS; ++round) {
    if (acquire(file, -1) != 0) _exit(1);
    log[(*count)++] = number;  // who owns the device is alone here
    if (wait_for(file, run_long(file, 5), -1) != 0 || ioctl(file, TINYTPU_IOC_RELEASE) != 0) _exit(1);
  }
  _exit(failures);
}

// Nobody comes twice while another waits: once all are there, each has its turn before anyone has the next.
void test_turns(void) {
  int* log = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int* count = log + CLIENTS * ROUNDS;
  const int file = open_tpu();
  check_error(acquire(file, -1), 0, "acquire");
  pid_t children[CLIENTS];
  for (int i = 0; i < CLIENTS; ++i) {
    if ((children[i] = fork()) != 0) continue;
    close(file);  // or the parent's client would live as long as the child
    take_turns(i, log, count);
  }
  usleep(200000);  // all of them wait now
  check(poll_events(file, 1000) == POLLPRI, "a poll of an owner for which others wait");
  close(file);
  for (int i = 0; i < CLIENTS; ++i) {
    int status = 1;
    check(waitpid(children[i], &status, 0) == children[i] && status == 0, "a client that takes turns");
  }
  check(*count == CLIENTS * ROUNDS, "all turns were taken");
  for (int i = 0; i < CLIENTS * ROUNDS; ++i) check(log[i] == log[i % CLIENTS], "turns in the order of asking");
}

static void set_lease(const char* ms) {
  const int file = open("/sys/module/tinytpu/parameters/lease_ms", O_WRONLY);
  check(file >= 0 && write(file, ms, strlen(ms)) > 0, "the lease can be set");
  close(file);
}

// An owner that does not give the device back loses it, with its mapping, to the one who waits.
void test_lease(void) {
  set_lease("100");
  const int owner = open_tpu(), other = open_tpu();
  struct tinytpu_instruction_words nop = {0, 0, 0};
  check_error(acquire(owner, -1), 0, "acquire");
  uint8_t* weights = mmap(NULL, 4096, PROT_READ, MAP_SHARED, owner, 0);
  check(weights != MAP_FAILED && can_read(weights), "the owner's mapping");
  const uint64_t start = milliseconds();
  check_error(acquire(other, 5000000000), 0, "the one who waits");
  check(milliseconds() - start >= 90, "not before the lease is over");
  check(!can_read(weights), "a mapping of one who has lost the device");
  check_error(submit(owner, &nop, 1, NULL), ESTALE, "a program of one who has lost the device");
  check_error(ioctl(owner, TINYTPU_IOC_RELEASE), ESTALE, "a release of what is lost");
  check_error(ioctl(other, TINYTPU_IOC_RELEASE), 0, "release");
  check_error(acquire(owner, -1), 0, "the device again");
  check(can_read(weights), "the old mapping again");
  close(owner);
  close(other);
  set_lease("10000");
}

static void write_file(const char* path, const char* text) {
  const int file = open(path, O_WRONLY);
  check(file >= 0 && write(file, text, strlen(text)) > 0, path);
  close(file);
}

// A child that waits for a device that goes.
static pid_t wait_in_vain(void) {
  const pid_t child = fork();
  if (child != 0) return child;
  const int file = open_tpu();  // another client, unlike the parent's file
  _exit(acquire(file, -1) != 0 && errno == ENODEV ? 0 : 1);
}

// Unbinds and rebinds while a program is under way and a client waits. `driver`: the folder of the driver and the
// device's name in it, as /sys/bus/platform/drivers/tinytpu/43c00000.tinytpu.
void test_gone(const char* driver) {
  char path[256];
  const char* name = strrchr(driver, '/');
  if (!check(name != NULL && strlen(driver) < 200, "a path")) return;
  const int file = open_tpu();
  check_error(acquire(file, -1), 0, "acquire");
  uint8_t* weights = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  check(weights != MAP_FAILED && can_read(weights), "the owner's mapping");
  const pid_t child = wait_in_vain();
  usleep(100000);
  const uint64_t ticket = run_long(file, 100);
  snprintf(path, sizeof path, "%.*s/unbind", (int)(name - driver), driver);
  write_file(path, name + 1);
  int status = 1;
  check(waitpid(child, &status, 0) == child && status == 0, "who waits for a device that goes gets ENODEV");
  check(!can_read(weights), "a mapping of a device that has gone");
  struct tinytpu_instruction_words nop = {0, 0, 0};
  struct tinytpu_ioc_info info;
  struct tinytpu_completion completion;
  check_error(submit(file, &nop, 1, NULL), ENODEV, "submit to a device that has gone");
  check_error(acquire(file, -1), ENODEV, "acquire of a device that has gone");
  check_error(ioctl(file, TINYTPU_IOC_RELEASE), ENODEV, "release of a device that has gone");
  check_error(ioctl(file, TINYTPU_IOC_INFO, &info), ENODEV, "info of a device that has gone");
  check_error(wait_for(file, ticket, -1), 0, "the program was let run to its end");
  check_error((int)read(file, &completion, sizeof completion), ENODEV, "read of a device that has gone");
  check(mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0) == MAP_FAILED && errno == ENODEV, "a new mapping");
  check((poll_events(file, 0) & (POLLERR | POLLHUP)) != 0, "poll of a device that has gone");
  snprintf(path, sizeof path, "%.*s/bind", (int)(name - driver), driver);
  write_file(path, name + 1);
  const int again = open_tpu();
  check_error(acquire(again, -1), 0, "acquire of the device that is back");
  check_error(wait_for(again, run_long(again, 5), 1000000000), 0, "its program");
  close(again);
  close(file);
}
