// What programs for the original's board call around main. The board library has already done the work.
#ifndef FIRMWARE_COMPAT_PLATFORM_H
#define FIRMWARE_COMPAT_PLATFORM_H

static inline void init_platform(void) {}
static inline void cleanup_platform(void) {}

#endif
