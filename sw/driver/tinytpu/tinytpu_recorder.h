// For an environment that hands in whole programs: a piece of memory stands in for the device's instruction space. What
// the driver pushes is written down there, and the synchronize behind it submits it. Everything that uses the driver
// with TINYTPU_RECORDED_IO works unchanged; a program must end with a synchronize and fit in `words`.
#ifndef SW_DRIVER_TINYTPU_RECORDER_H
#define SW_DRIVER_TINYTPU_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#include "sw/driver/tinytpu/tinytpu.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tinytpu_recorder {
  // The instruction space: runtime counter and the three words. tinytpu_runtime() reads the first: keep it up to date.
  volatile uint32_t runtime, lower, middle, upper;
  uint32_t (*words)[3];  // lower, middle, upper word of each instruction
  size_t count, room;    // instructions written down, and how many there may be
  int overflowed;        // whether one more had no room; the program is not submitted then
  // Gets a complete program, its synchronize included. Its end is to be told by tinytpu_interrupt().
  void (*submit)(struct tinytpu_recorder* recorder);
};

// Puts an empty recorder in the place of the instruction space of `device`, which tinytpu_init has prepared.
void tinytpu_record(struct tinytpu* device, struct tinytpu_recorder* recorder, uint32_t (*words)[3], size_t room,
                    void (*submit)(struct tinytpu_recorder* recorder));

#ifdef __cplusplus
}
#endif

#endif
