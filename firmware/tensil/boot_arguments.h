// The boot arguments of the device tree: NAME=VALUE, with blanks between.
#ifndef FIRMWARE_TENSIL_BOOT_ARGUMENTS_H
#define FIRMWARE_TENSIL_BOOT_ARGUMENTS_H

// The value of the next argument of this name behind `after`, a value that was found before (NULL: from the start);
// NULL when there is none. It ends at a blank.
const char* boot_argument(const char* name, const char* after);

#endif
