#pragma once

#include <cstdint>
#include <string>

#include "platform/files/stored_bytes.h"

namespace vp::linux_boot {

/// A Linux kernel for RISC-V as its build leaves it in arch/riscv/boot/Image: uncompressed, with a header that says
/// where it wants to stand ("Boot image header in RISC-V Linux", Documentation/arch/riscv/boot-image-header.rst).
struct KernelImage {
  std::uint64_t text_offset = 0;  ///< bytes from the start of memory to its first byte
  std::uint64_t memory_size = 0;  ///< bytes from its first byte on that are its own, zeros behind the file included
};

/// What the header of the file's content says; `path` is for messages only. Throws UserError: another kind of file
/// (with what to do about it, if it is one in which kernels are known to come), truncated, a header that contradicts
/// itself.
KernelImage parse_kernel_image(const StoredBytes& content, const std::string& path);

}  // namespace vp::linux_boot
