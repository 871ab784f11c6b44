// The tinyTPU driver under Linux, over /dev/tinytpuN of the module in sw/linux: buffers by mmap, programs by ioctl.
// What uses the driver is compiled with TINYTPU_RECORDED_IO and works unchanged:
//
//   struct tinytpu_linux host;
//   struct tinytpu tpu;
//   int error = tinytpu_linux_open(&host, &tpu, 0);    /* waits until the device is ours */
//   ... tinytpu_write_weights(&tpu, ...), tinytpu_push(&tpu, ...), tinytpu_synchronize(&tpu) ...
//   if ((error = tinytpu_linux_error(&host)) != 0) ... /* one of them failed */
//   tinytpu_linux_close(&host);
//
// The driver's functions have no errors to return where hardware has none: once something has failed (the module
// refused a program, the device has gone) nothing more is submitted, and every wait returns at once.
#ifndef SW_DRIVER_TINYTPU_LINUX_H
#define SW_DRIVER_TINYTPU_LINUX_H

#include <stdint.h>

#include "sw/driver/tinytpu/tinytpu.h"
#include "sw/driver/tinytpu/tinytpu_recorder.h"
#include "sw/linux/module/tinytpu_uapi.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tinytpu_linux {
  struct tinytpu_recorder recorder;  // first: what submits a program finds the rest by it
  struct tinytpu* device;
  struct tinytpu_ioc_info info;
  int file;
  void* window;  // address space of the whole window; only the buffers can be accessed
  uint64_t ticket;
  int error;             // the first one
  uint32_t refusal;      // of a program, if that was it (enum tinytpu_refusal)
  uint64_t instruction;  // the one that was refused
};

// Opens /dev/tinytpu<number>, waits until the device is this client's, maps its buffers and prepares *device. 0 or a
// negative errno: -ENOENT without such a device, -EOPNOTSUPP when a buffer is too small to be mapped, -ENOMEM.
int tinytpu_linux_open(struct tinytpu_linux* host, struct tinytpu* device, unsigned number);
// Gives the device back; buffers and *device are gone.
void tinytpu_linux_close(struct tinytpu_linux* host);

// The first thing that went wrong since it was opened, a negative errno; -E2BIG: a program was too long.
int tinytpu_linux_error(const struct tinytpu_linux* host);
// Why a program was refused, for people; NULL when none was.
const char* tinytpu_linux_refusal(const struct tinytpu_linux* host);

#ifdef __cplusplus
}
#endif

#endif
