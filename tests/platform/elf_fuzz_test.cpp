// Bounded fuzzing of the ELF loader: a damaged program is loaded within its limits or is the user's error; never a
// crash.
#include <gtest/gtest.h>

#include <random>

#include "models/common/error.h"
#include "platform/loader/elf_file.h"
#include "tests/platform/elf_builder.h"

namespace vp {
namespace {

template <unsigned Xlen>
unsigned loaded_of_damaged(unsigned seed, int rounds) {
  std::mt19937 random(seed);
  const std::string good = small_program<Xlen>();
  unsigned loaded = 0;
  for (int round = 0; round < rounds; ++round) {
    std::string content = good;
    for (unsigned count = 1 + random() % 4; count > 0; --count) {
      const std::size_t at = random() % content.size();
      content[at] = random() % 3 == 0 ? static_cast<char>(0xFF) : static_cast<char>(random());
    }
    if (random() % 4 == 0) content.resize(random() % content.size());
    try {
      const ElfProgram program = parse_elf(content, "fuzz.elf");
      ++loaded;
      for (const ElfProgram::Segment& segment : program.segments) {
        EXPECT_LE(segment.bytes.size(), content.size());
        EXPECT_LE(segment.bytes.size(), segment.memory_size);
      }
      for (const std::uint64_t address : {std::uint64_t{0}, program.entry, ~std::uint64_t{0}})
        program.symbols.describe(address);
    } catch (const UserError&) {
    }
  }
  return loaded;
}

TEST(ElfFuzz, damaged_64_bit_programs) { EXPECT_GT(loaded_of_damaged<64>(5, 20'000), 100u); }

TEST(ElfFuzz, damaged_32_bit_programs) { EXPECT_GT(loaded_of_damaged<32>(6, 20'000), 100u); }

}  // namespace
}  // namespace vp
