// Programs drawn at random: none crashes or hangs the core, and legal ones run to their end.
#include <gtest/gtest.h>

#include "tests/support/dice.h"
#include "tests/support/slow_host.h"
#include "tests/tensil/legal_program.h"
#include "tests/tensil/small_tcu.h"

namespace vp::tensil {
namespace {

Architecture drawn(Dice& dice) {
  Architecture made;
  made.data_type = static_cast<DataType>(dice.from_to(0, 3));
  made.array_size = dice.from_to(1, 20);
  made.dram0_depth = dice.from_to(2, 300);
  made.dram1_depth = dice.from_to(2, 300);
  made.local_depth = dice.from_to(8, 100);
  made.accumulator_depth = dice.from_to(8, 100);
  made.simd_registers_depth = dice.from_to(0, 4);
  made.stride0_depth = dice.from_to(1, 9);
  made.stride1_depth = dice.from_to(1, 9);
  made.number_of_threads = dice.from_to(1, 3);
  if (made.simd_registers_depth > 1 && dice.one_in(2)) {
    made.number_of_luts = dice.from_to(1, made.simd_registers_depth);
    made.lut_depth = dice.from_to(1, 8);
  }
  made.check("test");
  return made;
}

TEST(TensilFuzz, any_bytes_run_to_their_end_as_on_the_hardware) {
  Dice dice(1);
  for (unsigned round = 0; round < 400 / slow_host(); ++round) {
    const Architecture architecture = drawn(dice);
    SmallTcu tcu(architecture, OnError::hardware, dice.one_in(2) ? Encoding::v1 : Encoding::v2,
                 {4, dice.from_to(0, 9), 3});
    std::vector<std::uint8_t> bytes(tcu.core.layout().instruction_bytes() * std::size_t{40});
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(dice.source()());
    tcu.core.push(bytes.data(), bytes.size());
    EXPECT_EQ(tcu.core.figures().instructions, 40u);
    EXPECT_FALSE(tcu.core.stopped());
    EXPECT_GT(tcu.cycles(), 0u);
  }
}

TEST(TensilFuzz, stopping_on_errors_leaves_the_rest_of_any_bytes_alone) {
  Dice dice(2);
  unsigned stopped = 0;
  for (int round = 0; round < 400; ++round) {
    SmallTcu tcu(drawn(dice), OnError::stop, dice.one_in(2) ? Encoding::v1 : Encoding::v2);
    std::vector<std::uint8_t> bytes(tcu.core.layout().instruction_bytes() * std::size_t{40});
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(dice.source()());
    tcu.core.push(bytes.data(), bytes.size());
    if (!tcu.core.stopped()) continue;
    ++stopped;
    EXPECT_FALSE(tcu.core.stopped()->reason.empty());
    EXPECT_LE(tcu.core.figures().instructions, 40u);
  }
  EXPECT_GT(stopped, 300u);
}

TEST(TensilFuzz, legal_programs_end_equal_whichever_dot_product_computes_and_in_whatever_pieces_they_come) {
  Dice dice(3);
  for (int round = 0; round < 150; ++round) {
    Architecture architecture = small_architecture();
    architecture.array_size = dice.from_to(1, 36);
    architecture.data_type = static_cast<DataType>(dice.from_to(0, 3));
    std::string text;
    for (int i = 0; i < 60; ++i) text += legal_line(dice, whole_of(architecture)) + "\n";
    std::vector<std::vector<std::int32_t>> contents(256, std::vector<std::int32_t>(architecture.array_size));
    for (auto& vector : contents)
      for (auto& scalar : vector)
        scalar = saturate(architecture.format(), static_cast<std::int32_t>(dice.source()()) >> dice.from_to(0, 31));
    SmallTcu plain(architecture), fast(architecture);
    plain.core.use(dot_product_variants().back());
    for (SmallTcu* tcu : {&plain, &fast}) {
      tcu->fill(tcu->dram0, 0, contents);
      tcu->fill(tcu->dram1, 0, contents);
    }
    plain.run(text);
    const auto bytes = assemble(fast.core.layout(), text, "test");
    for (std::size_t at = 0; at < bytes.size(); at += 5)
      fast.core.push(&bytes[at], std::min<std::size_t>(5, bytes.size() - at));
    ASSERT_FALSE(plain.core.stopped()) << plain.core.stopped()->reason;
    for (unsigned row = 0; row < architecture.local_depth; ++row) ASSERT_EQ(plain.local(row), fast.local(row));
    for (unsigned row = 0; row < architecture.accumulator_depth; ++row)
      ASSERT_EQ(plain.accumulator(row), fast.accumulator(row));
    ASSERT_EQ(plain.cycles(), fast.cycles());
  }
}

}  // namespace
}  // namespace vp::tensil
