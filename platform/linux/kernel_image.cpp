#include "platform/linux/kernel_image.h"

#include <algorithm>

#include "models/common/error.h"
#include "models/common/wording.h"

namespace vp::linux_boot {

namespace {

constexpr std::size_t kHeaderBytes = 64;
constexpr std::size_t kTextOffset = 8, kImageSize = 16, kFlags = 24, kMagic = 56;
constexpr std::uint64_t kBigEndian = 1;  // of the flags
/// More than any kernel, less than what could overflow.
constexpr std::uint64_t kMost = std::uint64_t{1} << 32;

/// Files in which kernels come and that are none of ours yet.
struct KnownFile {
  std::size_t at;
  std::string magic;
  const char* what;
};

const KnownFile kKnownFiles[] = {
    {0,
     "\x7f"
     "ELF",
     "is an ELF file: give the kernel's arch/riscv/boot/Image here, and the ELF file to --symbols"},
    {4, "zimg", "is compressed for EFI (a zboot image): the package's or the build's uncompressed Image is needed"},
    {0, "\x1f\x8b", "is compressed: unpack it with gunzip first"},
    {0,
     std::string("\xfd"
                 "7zXZ"),
     "is compressed: unpack it with unxz first"},
    {0, "\x28\xb5\x2f\xfd", "is compressed: unpack it with unzstd first"},
    {0, "!<arch>", "is a Debian package: unpack it with 'dpkg-deb -x' first; the kernel lies in its boot/"},
};

std::uint64_t doubleword(const std::string& header, std::size_t at) {
  std::uint64_t value = 0;
  for (unsigned i = 8; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(header[at + i]);
  return value;
}

}  // namespace

KernelImage parse_kernel_image(const StoredBytes& content, const std::string& path) {
  const std::string header = content.first(kHeaderBytes);
  const auto fail = [&path](const std::string& what) { throw UserError("the kernel " + quoted(path) + " " + what); };
  for (const KnownFile& known : kKnownFiles)
    if (header.size() >= known.at && header.compare(known.at, known.magic.size(), known.magic) == 0) fail(known.what);
  if (header.size() < kHeaderBytes || header.compare(kMagic, 4, "RSC\x05") != 0)
    fail("is no Linux kernel for RISC-V: the magic number of an Image is not at byte 56");
  if (doubleword(header, kFlags) & kBigEndian) fail("is big endian, which this CPU is not");
  KernelImage image;
  image.text_offset = doubleword(header, kTextOffset);
  image.memory_size = doubleword(header, kImageSize);
  if (image.memory_size < content.size() || image.memory_size > kMost)
    fail("is damaged: its header says that it takes " + std::to_string(image.memory_size) +
         " bytes of memory, and the file has " + std::to_string(content.size()));
  if (image.text_offset > kMost)
    fail("is damaged: its header says that it wants to stand " + std::to_string(image.text_offset) +
         " bytes behind the start of memory");
  return image;
}

}  // namespace vp::linux_boot
