// What the programs that classify the digits print of their result. Static functions, so that each program has its own.
#ifndef SW_DIGITS_DIGITS_JUDGE_H
#define SW_DIGITS_DIGITS_JUDGE_H

#include <inttypes.h>
#include <stdio.h>

#include "sw/digits/digits_data.h"

// Hundredths of a percent, rounded.
static uint32_t share(uint32_t part, uint32_t whole) { return (10000 * part + whole / 2) / whole; }

static void print_share(const char* name, uint32_t right, uint32_t images) {
  const uint32_t hundredths = share(right, images);
  printf("%s: %" PRIu32 " of %" PRIu32 " right (%" PRIu32 ".%02" PRIu32 " %%)\n", name, right, images, hundredths / 100,
         hundredths % 100);
}

static void print_rate(const char* name, uint64_t cycles, uint32_t images) {
  printf("%s: %" PRIu64 " cycles, %" PRIu64 " an image\n", name, cycles, (cycles + images / 2) / images);
}

// Compares with the reference. Returns the program's exit code.
static int judge(const struct digits_data* data, const uint8_t* outputs) {
  const uint32_t bytes = data->images * data->classes;
  uint32_t equal = 0, right = 0, ties = 0;
  for (uint32_t i = 0; i < bytes; ++i) equal += outputs[i] == data->outputs[i];
  for (uint32_t i = 0; i < data->images; ++i) {
    const int answer = digits_classify(outputs + i * data->classes, data->classes);
    right += answer == data->labels[i];
    ties += answer < 0;
  }
  print_share("accuracy", right, data->images);
  print_share("float network", data->float_right, data->images);
  printf("ties: %" PRIu32 "\n", ties);
  printf("output bytes equal to the reference: %" PRIu32 " of %" PRIu32 "\n", equal, bytes);
  return equal == bytes && right == data->reference_right ? 0 : 1;
}

#endif
