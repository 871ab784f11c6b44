#include "sw/driver/tinytpu/tinytpu_recorder.h"

_Static_assert(offsetof(struct tinytpu_recorder, lower) == TINYTPU_LOWER_WORD, "laid out as the instruction space");
_Static_assert(offsetof(struct tinytpu_recorder, upper) == TINYTPU_UPPER_WORD, "laid out as the instruction space");

void tinytpu_record(struct tinytpu* device, struct tinytpu_recorder* recorder, uint32_t (*words)[3], size_t room,
                    void (*submit)(struct tinytpu_recorder* recorder)) {
  *recorder = (struct tinytpu_recorder){.words = words, .room = room, .submit = submit};
  device->instruction_words = (uintptr_t)recorder;
}

// The upper word, which is the last: the instruction is complete.
void tinytpu_io_write16(uintptr_t address, uint16_t value) {
  struct tinytpu_recorder* recorder = (struct tinytpu_recorder*)(address - TINYTPU_UPPER_WORD);
  if (recorder->count == recorder->room) {
    recorder->overflowed = 1;
  } else {
    uint32_t* words = recorder->words[recorder->count++];
    words[0] = recorder->lower;
    words[1] = recorder->middle;
    words[2] = value;
  }
  if ((recorder->lower & 0xFF) != TINYTPU_OP_SYNCHRONIZE) return;
  recorder->submit(recorder);
  recorder->count = 0;
}
