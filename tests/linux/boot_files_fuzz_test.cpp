// Bounded fuzzing of what boots Linux: damaged files are placed within the memory or are the user's error; never a
// crash.
#include <gtest/gtest.h>

#include <random>

#include "models/common/error.h"
#include "platform/linux/kernel_symbols.h"
#include "platform/linux/placement.h"
#include "tests/linux/image_builder.h"

namespace vp::linux_boot {
namespace {

std::string damaged(std::string content, std::mt19937& random) {
  for (unsigned count = random() % 4; count > 0; --count) {
    const std::size_t at = random() % std::min<std::size_t>(content.size(), 64);
    content[at] = random() % 3 == 0 ? static_cast<char>(0xFF) : static_cast<char>(random());
  }
  if (random() % 8 == 0) content.resize(random() % content.size());
  return content;
}

TEST(BootFilesFuzz, damaged_kernels_are_placed_within_the_memory_or_refused) {
  std::mt19937 random(1);
  const LoadableRange memory{"dram0", 0x8000'0000, 64 << 20};
  unsigned placed = 0;
  for (int round = 0; round < 2000; ++round) {
    BootFiles files;
    files.firmware = {"firmware", damaged(std::string(256, 'f'), random)};
    files.kernel = {"kernel", damaged(small_image(), random)};
    files.initrd = {"initrd", damaged(std::string(256, 'i'), random)};
    try {
      const ElfProgram program = place(files, memory, 64, DeviceTreeNode());
      ++placed;
      for (const ElfProgram::Segment& segment : program.segments) {
        EXPECT_GE(segment.address, memory.base);
        EXPECT_LE(segment.address - memory.base + segment.memory_size, memory.size);
        EXPECT_LE(segment.bytes.size(), segment.memory_size);
      }
    } catch (const UserError&) {
    }
  }
  EXPECT_GT(placed, 200u);
}

TEST(BootFilesFuzz, damaged_lists_of_symbols_are_read_or_refused) {
  std::mt19937 random(2);
  const std::string good = "ffffffff80000000 T _start\nffffffff80001000 t early [mod]\nffffffff80001000 t alias\n";
  unsigned read = 0;
  for (int round = 0; round < 5000; ++round) {
    try {
      const SymbolTable symbols = parse_kernel_symbols(damaged(good, random), "list");
      ++read;
      symbols.describe(0xffffffff80000800);
      symbols.describe(~std::uint64_t{0});
    } catch (const UserError&) {
    }
  }
  EXPECT_GT(read, 500u);
}

}  // namespace
}  // namespace vp::linux_boot
