#include "models/cpu/block_cache.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/cpu/test_machine.h"

namespace vp::cpu {
namespace {

/// A cache with blocks of one to three instructions, each linked to the one before it.
class FilledCache : public ::testing::TestWithParam<bool> {
 public:
  static constexpr std::uint64_t kBlocks = 1000;

  FilledCache() {
    Block* before = cache.unlinked();
    for (std::uint64_t number = 0; number < kBlocks; ++number) before = &add(number, *before);
  }
  Block& add(std::uint64_t number, Block& before) {
    const std::size_t instructions = 1 + number % 3;
    Block& block = *cache.allocate(instructions, GetParam());
    block.count = static_cast<std::uint16_t>(instructions);
    block.physical = block.pc = 4 * number;
    block.mode = Mode::kMachine;
    block.taken = &before;
    block.worst = 1;
    cache.insert(&block);
    return block;
  }
  Block* find(std::uint64_t number) { return cache.find({4 * number, 4 * number, Mode::kMachine}); }
  void drop_but_tenths() {
    cache.drop([](const Block& block) { return block.pc % 40 != 0; });
  }

  BlockCache cache;
};

INSTANTIATE_TEST_SUITE_P(WithLines, FilledCache, ::testing::Bool());

TEST_P(FilledCache, finds_the_blocks_that_have_not_been_dropped) {
  drop_but_tenths();
  for (std::uint64_t number = 0; number < kBlocks; ++number) {
    EXPECT_EQ(find(number) != nullptr, number % 10 == 0);
    EXPECT_EQ(cache.in_front(4 * number) != nullptr, number % 10 == 0);
  }
}

TEST_P(FilledCache, leads_to_no_dropped_block) {
  drop_but_tenths();
  for (std::uint64_t number = 0; number < kBlocks; number += 10) EXPECT_EQ(find(number)->taken, cache.unlinked());
}

TEST_P(FilledCache, keeps_links_between_blocks_that_stay) {
  cache.drop([](const Block& block) { return block.pc >= 400; });
  for (std::uint64_t number = 1; number < 100; ++number) EXPECT_EQ(find(number)->taken, find(number - 1));
}

TEST_P(FilledCache, uses_the_memory_of_dropped_blocks_again) {
  const std::size_t used = cache.used(), size = cache.size();
  for (unsigned times = 0; times < 50; ++times) {
    drop_but_tenths();
    EXPECT_LT(cache.used(), used / 5);
    for (std::uint64_t number = 0; number < kBlocks; ++number)
      if (number % 10 != 0) add(number, *cache.unlinked());
    EXPECT_EQ(cache.used(), used);
  }
  EXPECT_EQ(cache.size(), size);
}

/// More small blocks than are kept, each of which calls a function that becomes hot.
class ManyBlocks : public ::testing::TestWithParam<Jit> {
 public:
  static constexpr unsigned kCalls = 160'000, kRounds = 2;

  static std::uint32_t call(std::int32_t offset) {
    const auto bits = static_cast<std::uint32_t>(offset);
    return 0xef | (bits >> 20 & 1) << 31 | (bits >> 1 & 0x3ff) << 21 | (bits >> 11 & 1) << 20 | (bits & 0xff000);
  }
};

INSTANTIATE_TEST_SUITE_P(Jits, ManyBlocks, ::testing::Values(Jit::off, Jit::automatic),
                         [](const auto& one) { return one.param == Jit::off ? "Interpreted" : "Generated"; });

TEST_P(ManyBlocks, are_executed_as_few_are) {
  CpuConfig config;
  config.jit = GetParam();
  config.jit_after = 31;
  TestMachine machine(config);
  std::vector<std::uint32_t> code = {0x00130313, 0x00008067};  // addi t1, t1, 1; ret
  for (unsigned i = 0; i < kCalls; ++i) code.push_back(call(-4 * static_cast<std::int32_t>(code.size())));
  machine.put(TestMachine::kBase, code.data(), 4 * code.size());
  for (unsigned round = 1; round <= kRounds; ++round) {
    machine.core->set_pc(TestMachine::kBase + 8);
    machine.core->set_instruction_limit(machine.core->retired() + 3 * kCalls);
    EXPECT_EQ(machine.run_to_end(), Stop::kInstructionLimit);
    EXPECT_EQ(machine.core->x(6), std::uint64_t{round} * kCalls);
    EXPECT_EQ(machine.core->pc(), TestMachine::kBase + 4 * code.size());
  }
}

}  // namespace
}  // namespace vp::cpu
