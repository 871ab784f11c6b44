#pragma once

#include <cstdint>
#include <string>

#include "models/common/device_tree.h"
#include "platform/files/stored_bytes.h"
#include "platform/loader/elf_file.h"

namespace vp::linux_boot {

/// The files of a Linux machine, by name and content.
struct BootFiles {
  struct File {
    std::string path;
    StoredBytes content;
  };
  File firmware;  ///< OpenSBI or its like: raw, or an ELF executable
  File kernel;    ///< an Image
  File initrd;    ///< empty path: none
};

/// Where Debian's package opensbi puts the firmware that is told by its caller where the kernel stands.
inline constexpr const char* kDebianFirmware = "/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin";

/// Reads them. An empty `firmware` is Debian's. Throws UserError: what is missing or cannot be read; without Debian's
/// firmware it says which package brings it.
BootFiles read_boot_files(const std::string& kernel, const std::string& initrd, const std::string& firmware);

/// The files as one program: in `memory`, from its start, firmware, kernel at its own offset, initrd, and on the last
/// whole 2 MiB the device tree, with initrd and a seed for random numbers added to it, and what fw_dynamic asks for.
/// xlen: of the CPU that starts them. Throws UserError for whatever does not fit.
ElfProgram place(BootFiles files, const LoadableRange& memory, unsigned xlen, DeviceTreeNode tree);

}  // namespace vp::linux_boot
