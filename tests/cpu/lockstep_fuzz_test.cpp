// Two harts with one random guest, which is to be the same whoever executes it and however its run is cut into pieces.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "models/cpu/jit/native_code.h"
#include "tests/cpu/lockstep.h"
#include "tests/support/rounds.h"

namespace vp::cpu {
namespace {

constexpr unsigned kSteps = 150;

/// Seed and step of the first difference, and what differs.
std::string difference_of(Lockstep& pair) {
  for (unsigned step = 0; step < kSteps; ++step) {
    const std::string difference = pair.step();
    if (!difference.empty()) return "step " + std::to_string(step) + '\n' + difference;
  }
  return pair.memory_difference();
}

TEST(Lockstep, a_run_is_the_same_however_it_is_cut_into_pieces) {
  Rounds rounds(60);
  while (rounds.next()) {
    CpuConfig config = lockstep_settings(rounds.seed());
    config.jit = Jit::off;
    Lockstep pair(rounds.seed(), config, config, Cuts::others);
    ASSERT_EQ(difference_of(pair), "") << "seed " << rounds.seed();
  }
}

/// With generated code of all blocks, or of those that are run more than once or a few times.
CpuConfig with_code(CpuConfig config, Jit jit, unsigned seed) {
  config.jit = jit;
  config.jit_after = seed % 4;
  return config;
}

TEST(Lockstep, a_run_is_the_same_with_generated_code) {
  Rounds rounds(60);
  while (rounds.next()) {
    const unsigned seed = 1000 + rounds.seed();
    const CpuConfig config = lockstep_settings(seed);
    Lockstep pair(seed, with_code(config, Jit::off, seed), with_code(config, Jit::automatic, seed),
                  seed % 2 == 0 ? Cuts::same : Cuts::others);
    ASSERT_EQ(difference_of(pair), "") << "seed " << rounds.seed();
  }
}

TEST(Lockstep, every_block_of_generated_code_does_what_the_interpreter_does) {
  if (!NativeCode::available()) GTEST_SKIP() << "this host has no code generator";
  Rounds rounds(20);
  while (rounds.next()) {
    const unsigned seed = 2000 + rounds.seed();
    const CpuConfig config = lockstep_settings(seed);
    Lockstep pair(seed, with_code(config, Jit::off, seed), with_code(config, Jit::check, seed), Cuts::same);
    ASSERT_EQ(difference_of(pair), "") << "seed " << rounds.seed();
  }
}

TEST(Lockstep, the_random_guests_get_everywhere) {
  std::array<std::uint64_t, kCauses> exceptions{}, interrupts{};
  std::array<unsigned, 4> modes{};
  std::uint64_t retired = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const CpuConfig config = lockstep_settings(seed);
    Lockstep pair(seed, config, config, Cuts::same);
    Core& core = pair.left().core();
    for (unsigned step = 0; step < kSteps; ++step) {
      ASSERT_EQ(pair.step(), "") << "seed " << seed << ", step " << step;
      ++modes[static_cast<unsigned>(core.mode())];
    }
    for (unsigned i = 0; i < kCauses; ++i) {
      exceptions[i] += core.exceptions_taken()[i];
      interrupts[i] += core.interrupts_taken()[i];
    }
    retired += core.retired();
  }
  for (const unsigned cause : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15}) EXPECT_GT(exceptions[cause], 0u) << cause;
  for (const unsigned interrupt : {1, 3, 5, 7, 9, 11}) EXPECT_GT(interrupts[interrupt], 0u) << interrupt;
  for (const Mode mode : {Mode::kUser, Mode::kSupervisor, Mode::kMachine})
    EXPECT_GT(modes[static_cast<unsigned>(mode)], 100u) << static_cast<unsigned>(mode);
  EXPECT_GT(retired, 1'000'000u);
}

}  // namespace
}  // namespace vp::cpu
