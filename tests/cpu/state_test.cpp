#include <gtest/gtest.h>

#include "tests/cpu/random_bench.h"
#include "tests/support/saved_state.h"

namespace vp::cpu {
namespace {

TEST(CpuState, a_loaded_hart_goes_on_as_the_saved_one) {
  for (unsigned seed = 0; seed < 20; ++seed)
    expect_equal_after_loading([&] { return std::make_unique<RandomBench>(seed, random_settings(seed)); }, seed, 8, 40);
}

TEST(CpuState, the_random_programs_trap_hit_miss_and_are_interrupted) {
  RandomBench bench(1, random_settings(2));
  Dice dice(1);
  for (int i = 0; i < 1000; ++i) bench.step(dice);
  Core& core = *bench.machine.core;
  EXPECT_GT(core.retired(), 10'000u);
  for (const Cause cause : {Cause::load_access_fault, Cause::ecall_from_machine})
    EXPECT_GT(core.exceptions_taken()[static_cast<unsigned>(cause)], 0u) << static_cast<unsigned>(cause);
  for (const unsigned interrupt : {7, 11}) EXPECT_GT(core.interrupts_taken()[interrupt], 0u);
  const CacheFigures caches = core.cache_figures();
  EXPECT_GT(caches.missed_fetches, 0u);
  EXPECT_GT(caches.data->read_hits(), 0u);
  EXPECT_GT(caches.data->write_backs(), 0u);
}

}  // namespace
}  // namespace vp::cpu
