// Programs of the tinyTPU handed in as a whole. The loop that feeds them is that of the Linux module, so that a program
// takes the accelerator as many cycles here as there.
#include <errno.h>

#include "digits_host.h"
#include "sw/driver/tinytpu/tinytpu_recorder.h"
#include "sw/linux/module/feed.h"

enum { MAX_INSTRUCTIONS = 1 << 17 };  // of a layer of all batches at an array of 2 x 2: 71,000
static uint32_t words[MAX_INSTRUCTIONS][3];
static struct tinytpu_recorder recorder;
static uintptr_t instruction_space;

// Interrupts stay off until the device is waited for: nothing comes between two stores, and its end is told there.
static void submit(struct tinytpu_recorder* recorded) {
  if (recorded->overflowed) return;
  cpu_disable_interrupts();
  tinytpu_feed((volatile void*)instruction_space, recorded->words, recorded->words + recorded->count);
}

static void wait(void* context, const volatile uint32_t* completed, uint32_t seen) {
  if (recorder.overflowed) {
    tinytpu_interrupt(context);
    return;
  }
  cpu_sleep_while_equal(completed, seen);
  recorder.runtime = *(volatile uint32_t*)instruction_space;
}

int digits_host_open(struct tinytpu* tpu) {
  const int error = board_tpu_init(tpu, 0);
  if (error != 0) return error;
  instruction_space = tpu->instruction_words;
  tinytpu_record(tpu, &recorder, words, MAX_INSTRUCTIONS, submit);
  tpu->wait = wait;
  tpu->wait_context = tpu;
  return 0;
}

int digits_host_error(void) { return recorder.overflowed ? -E2BIG : 0; }
