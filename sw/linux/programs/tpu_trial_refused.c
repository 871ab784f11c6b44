// What the module refuses: every kind of bad program, mappings beyond the buffers, calls out of turn.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tpu_trial.h"

static struct tinytpu_instruction_words instruction(uint32_t op, uint64_t length, uint64_t address) {
  return (struct tinytpu_instruction_words){
      op | (uint32_t)(length << 8), (uint32_t)(length >> 24) | (uint32_t)(address << 8), (uint32_t)(address >> 24)};
}

// Buffer row and accumulator row, as multiplies and activates have them.
static uint64_t rows(uint64_t buffer, uint64_t accumulator) { return buffer << 16 | accumulator; }

// A program of one instruction that is refused for this reason, and nothing of it is fed.
static void refuse_one(int file, struct tinytpu_instruction_words words, enum tinytpu_refusal reason,
                       const char* what) {
  struct tinytpu_instruction_words program[2] = {{0, 0, 0}, words};
  struct tinytpu_ioc_submit request = {.instructions = (uintptr_t)program, .bytes = sizeof program};
  check_error(ioctl(file, TINYTPU_IOC_SUBMIT, &request), EINVAL, what);
  check(request.refusal == (uint32_t)reason && request.bad_instruction == 1, what);
}

static void refuse_instructions(int file, const struct tinytpu_ioc_info* info) {
  const uint64_t weights = info->weight_buffer_depth, buffer = info->unified_buffer_depth;
  refuse_one(file, instruction(0x02, 0, 0), TINYTPU_BAD_OPCODE, "halt");
  refuse_one(file, instruction(0x48, 1, 0), TINYTPU_BAD_OPCODE, "an alias of read_weights");
  refuse_one(file, instruction(0x60, 1, 0), TINYTPU_BAD_OPCODE, "an alias of matrix_multiply");
  refuse_one(file, instruction(0xB1, 1, 0), TINYTPU_BAD_OPCODE, "an alias of activate");
  refuse_one(file, instruction(0x92, 1, 0), TINYTPU_BAD_ACTIVATION, "an activation that there is not");
  refuse_one(file, instruction(0x00, 1, 0), TINYTPU_BAD_WORD, "a nop with a length");
  refuse_one(file, (struct tinytpu_instruction_words){0, 0, 0x10000}, TINYTPU_BAD_WORD, "more than 80 bits");
  refuse_one(file, instruction(0x08, weights + 1, 0), TINYTPU_WEIGHT_ROWS, "more weights than there are");
  refuse_one(file, instruction(0x08, 2, weights - 1), TINYTPU_WEIGHT_ROWS, "weights beyond the end");
  refuse_one(file, instruction(0x08, 0xFFFFFFFF, 1), TINYTPU_WEIGHT_ROWS, "weights of the greatest length");
  refuse_one(file, instruction(0x08, 1, 0xFFFFFFFFFF), TINYTPU_WEIGHT_ROWS, "weights at the greatest row");
  refuse_one(file, instruction(0x20, 2, rows(buffer - 1, 0)), TINYTPU_BUFFER_ROWS, "inputs beyond the end");
  refuse_one(file, instruction(0x20, 2, rows(0, 511)), TINYTPU_ACCUMULATOR_ROWS_BEYOND, "sums beyond the end");
  refuse_one(file, instruction(0x81, 2, rows(buffer - 1, 0)), TINYTPU_BUFFER_ROWS, "results beyond the end");
  refuse_one(file, instruction(0x99, 2, rows(0, 511)), TINYTPU_ACCUMULATOR_ROWS_BEYOND, "an activate beyond the sums");
  struct tinytpu_instruction_words inner[3] = {{0, 0, 0}, {0xFF, 0, 0}, {0, 0, 0}};
  struct tinytpu_ioc_submit request = {.instructions = (uintptr_t)inner, .bytes = sizeof inner};
  check_error(ioctl(file, TINYTPU_IOC_SUBMIT, &request), EINVAL, "an inner synchronize");
  check(request.refusal == TINYTPU_INNER_SYNCHRONIZE && request.bad_instruction == 1, "an inner synchronize");
}

static void refuse_requests(int file, const struct tinytpu_ioc_info* info) {
  struct tinytpu_instruction_words nops[2] = {{0, 0, 0}, {0, 0, 0}};
  struct tinytpu_ioc_submit request = {.instructions = (uintptr_t)nops, .bytes = 16};
  check_error(ioctl(file, TINYTPU_IOC_SUBMIT, &request), EINVAL, "an incomplete instruction");
  check(request.refusal == TINYTPU_INCOMPLETE, "an incomplete instruction");
  request = (struct tinytpu_ioc_submit){.instructions = (uintptr_t)nops, .bytes = 0};
  check_error(ioctl(file, TINYTPU_IOC_SUBMIT, &request), EINVAL, "an empty program");
  check(request.refusal == TINYTPU_EMPTY, "an empty program");
  request = (struct tinytpu_ioc_submit){.instructions = (uintptr_t)nops,
                                        .bytes = ((uint64_t)info->max_instructions + 1) * sizeof *nops};
  check_error(ioctl(file, TINYTPU_IOC_SUBMIT, &request), EINVAL, "a program that is too long");
  check(request.refusal == TINYTPU_TOO_LONG, "a program that is too long");
  request = (struct tinytpu_ioc_submit){.instructions = (uintptr_t)nops, .bytes = ~(uint64_t)0 / 12 * 12};
  check_error(ioctl(file, TINYTPU_IOC_SUBMIT, &request), EINVAL, "a program of all bytes there are");
  request = (struct tinytpu_ioc_submit){.instructions = (uintptr_t)nops, .bytes = sizeof nops, .flags = 1};
  check_error(ioctl(file, TINYTPU_IOC_SUBMIT, &request), EINVAL, "an unknown flag");
  request = (struct tinytpu_ioc_submit){.instructions = 8, .bytes = sizeof nops};
  check_error(ioctl(file, TINYTPU_IOC_SUBMIT, &request), EFAULT, "a program at no address");
  check_error(ioctl(file, TINYTPU_IOC_SUBMIT, (void*)8), EFAULT, "a request at no address");
  check_error(ioctl(file, 0x1234, &request), ENOTTY, "an unknown ioctl");
  check_error(wait_for(file, 0, -1), EINVAL, "a wait for no program");
  check_error(wait_for(file, 1000, -1), EINVAL, "a wait for a program to come");
  check_error(acquire(file, 0), EALREADY, "a second acquire");
  char byte;
  check_error((int)read(file, &byte, 1), EINVAL, "a read that is too short");
}

static void refuse_mapping(int file, uint64_t offset, uint64_t size, int protection, int flags, const char* what) {
  void* mapped = mmap(NULL, size, protection, flags, file, (off_t)offset);
  if (!check(mapped == MAP_FAILED, what)) munmap(mapped, size);
}

static void refuse_mappings(int file, const struct tinytpu_ioc_info* info) {
  const uint64_t words = info->unified_offset + info->unified_size;
  const int both = PROT_READ | PROT_WRITE;
  refuse_mapping(file, words, 4096, both, MAP_SHARED, "a mapping of the instruction words");
  refuse_mapping(file, words, 4096, PROT_READ, MAP_SHARED, "a mapping of the runtime counter");
  refuse_mapping(file, info->unified_offset, info->unified_size + 4096, both, MAP_SHARED, "buffer and instructions");
  refuse_mapping(file, words + 4096, 4096, both, MAP_SHARED, "an alias of the instruction words");
  refuse_mapping(file, info->unified_offset + 2 * info->unified_size, 4096, both, MAP_SHARED, "an alias of the buffer");
  refuse_mapping(file, 2 * info->unified_offset, 4096, both, MAP_SHARED, "what is behind the window");
  refuse_mapping(file, UINT64_C(1) << 62, 4096, both, MAP_SHARED, "a far offset");
  refuse_mapping(file, 0, 4096, both, MAP_PRIVATE, "a private mapping");
  refuse_mapping(file, 0, 4096, both | PROT_EXEC, MAP_SHARED, "an executable mapping");
  uint8_t* weights = mmap(NULL, 4096, both, MAP_SHARED, file, 0);
  if (!check(weights != MAP_FAILED, "a mapping of weights")) return;
  check(mremap(weights, 4096, 2 * info->unified_offset, MREMAP_MAYMOVE) == MAP_FAILED, "a mapping that grows");
  check_error(mprotect(weights, 4096, PROT_READ | PROT_EXEC), EACCES, "a mapping that becomes executable");
  munmap(weights, 4096);
}

static void refuse_others(int file) {
  const int other = open_tpu();
  struct tinytpu_instruction_words nop = {0, 0, 0};
  check_error(submit(other, &nop, 1, NULL), EPERM, "a program of a client that does not own the device");
  check_error(ioctl(other, TINYTPU_IOC_RELEASE), EPERM, "a release by a client that does not own the device");
  check(mmap(NULL, 4096, PROT_READ, MAP_SHARED, other, 0) == MAP_FAILED && errno == EPERM,
        "a mapping of a client that does not own the device");
  check_error(acquire(other, 0), EBUSY, "an acquire of a device that is not free");
  check_error(acquire(other, 20000000), ETIMEDOUT, "an acquire with a time-out");
  close(other);
  const uint64_t ticket = run_long(file, 20);
  check_error(submit(file, &nop, 1, NULL), EBUSY, "a program while another is under way");
  check_error(wait_for(file, ticket, 1000000), ETIMEDOUT, "a wait with a time-out");
  check_error(wait_for(file, ticket, -1), 0, "a wait without");
}

void test_refused(void) {
  const int file = open_tpu();
  struct tinytpu_ioc_info info;
  if (!check_error(ioctl(file, TINYTPU_IOC_INFO, &info), 0, "info")) return;
  if (!check_error(acquire(file, -1), 0, "acquire")) return;
  refuse_instructions(file, &info);
  refuse_requests(file, &info);
  refuse_mappings(file, &info);
  refuse_others(file);
  // After all that a good program still runs.
  struct tinytpu_instruction_words good[2] = {instruction(0x08, 0, 0), {0xFF, 0, 0}};
  uint64_t ticket;
  check_error(submit(file, good, 2, &ticket), 0, "a good program");
  check_error(wait_for(file, ticket, 1000000000), 0, "its end");
  close(file);
}
