// Calls itself for ever: shows the board library's report of a stack that overflows. Exit code 3.
#include <stdint.h>
#include <stdio.h>

static uint32_t __attribute__((noinline)) descend(uint32_t depth) {
  volatile uint32_t frame[20];
  frame[depth % 20] = depth;
  return descend(depth + 1) + frame[depth % 20];
}

int main(void) {
  printf("about to go down\n");
  printf("came back with %u\n", (unsigned)descend(0));
  return 0;
}
