#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "tests/cpu/world.h"

namespace vp::cpu {
namespace {

using namespace encode;

TEST(CpuShell, InterruptIsTakenAtTheBoundaryAfterItsEdge) {
  World world;
  put_start(world);
  world.put(kProgram, {addi(t0, 0, 501), sw(t0, s0, 0), addi(a0, a0, 1), jal(0, -4)});
  world.put(kBase + 0x1000, {csrr(a1, mcycle), sw(0, s0, 8)});
  world.action = [&] { world.cpu->request_stop(); };
  sc_core::sc_start();
  ASSERT_TRUE(world.halt);
  // The store starts at 110 ns and reaches the device at once: edge at 611 ns. The store ends at 140 ns.
  ASSERT_EQ(world.edges.size(), 1u);
  EXPECT_EQ(world.edges[0], 611'000u);
  EXPECT_EQ(world.cpu->core().last_trap().time, 620'000u);
  EXPECT_EQ(world.cpu->core().x(a1), 62u);
  EXPECT_EQ(world.cpu->core().x(a0), 24u) << "48 instructions from 140 ns to 620 ns, half of them additions";
  EXPECT_EQ(world.halted_at, 620'000u + kCycle + 30'000u) << "exactly behind the store that stopped it";
}

TEST(CpuShell, EdgeInTheInstantOfTheAccessIsTakenBehindIt) {
  World world;
  put_start(world);
  world.put(kProgram, {sw(0, s0, 0), addi(a0, a0, 1), addi(a0, a0, 1), addi(a0, a0, 1)});
  world.put(kBase + 0x1000, {sw(0, s0, 8)});
  world.action = [&] { world.cpu->request_stop(); };
  sc_core::sc_start();
  EXPECT_EQ(world.cpu->core().x(a0), 0u);
  EXPECT_EQ(world.cpu->core().last_trap().pc, kProgram + 4);
}

/// The figures of the run in which the kernel catches up after every instruction.
void expect_busy_result(World& world) {
  EXPECT_EQ(world.cpu->core().retired(), 15'532u);
  EXPECT_EQ(world.halted_at, 298'140'000u);
  EXPECT_EQ(world.cpu->core().x(a2), 172'165'522'520u);
}

/// Likewise in timed mode, with the caches of DoesNotChangeATimedRun.
void expect_timed_result(World& world) {
  EXPECT_EQ(world.cpu->core().retired(), 15'532u);
  EXPECT_EQ(world.halted_at, 267'354'000u);
  EXPECT_EQ(world.cpu->core().x(a2), 172'127'630'553u);
}

class CpuQuantum : public testing::TestWithParam<Picoseconds> {};
INSTANTIATE_TEST_SUITE_P(Of, CpuQuantum, testing::Values(1'000, 10'000, 12'345, 10 * kUs, 100'000 * kUs));

TEST_P(CpuQuantum, DoesNotChangeTheRun) {
  CpuConfig config;
  config.quantum = GetParam();
  World world(config);
  put_busy_program(world);
  sc_core::sc_start();
  EXPECT_EQ(world.halt, Halt::kRequested);
  EXPECT_EQ(world.cpu->core().interrupts_taken()[11], 80u);
  expect_busy_result(world);
}

/// In timed mode with small caches, so that lines come and go all the time and fetches lie between instructions.
TEST_P(CpuQuantum, DoesNotChangeATimedRun) {
  CpuConfig config;
  config.quantum = GetParam();
  config.icache.size = config.dcache.size = 64;
  config.icache.line = config.dcache.line = 32;
  config.icache.ways = config.dcache.ways = 1;
  World world(config);
  put_busy_program(world);
  world.cpu->set_fidelity(Fidelity::timed);
  sc_core::sc_start();
  EXPECT_EQ(world.halt, Halt::kRequested);
  EXPECT_EQ(world.cpu->core().interrupts_taken()[11], 80u);
  EXPECT_GT(world.cpu->core().cache_figures().missed_fetches, 400u);
  expect_timed_result(world);
}

TEST(CpuShell, AnotherProcessOfTheKernelDoesNotChangeTheRun) {
  World world;
  put_busy_program(world);
  sc_core::sc_spawn([] {
    for (int i = 0; i < 100'000; ++i) sc_core::wait(sc_core::sc_time(333, sc_core::SC_NS));
  });
  sc_core::sc_start();
  expect_busy_result(world);
}

TEST(CpuShell, InterruptThatTheHorizonDidNotAnnounceIsLateByAQuantumAtMostAndCounted) {
  World world;
  put_start(world);
  world.put(kProgram, {jal(0, 0)});
  world.put(kBase + 0x1000, {sw(0, s0, 8)});
  world.action = [&] { world.cpu->request_stop(); };
  sc_core::sc_spawn([&world] {
    sc_core::wait(sc_core::sc_time(24, sc_core::SC_US));
    sc_core::wait(sc_core::sc_time(1, sc_core::SC_US));  // planned when the CPU is under way already
    world.cpu->set_meip(true);
  });
  sc_core::sc_start();
  EXPECT_GE(world.cpu->core().last_trap().time, 25 * kUs);
  EXPECT_LE(world.cpu->core().last_trap().time, 35 * kUs);
  EXPECT_EQ(world.cpu->figures().late_interrupts, 1u);
  EXPECT_EQ(world.cpu->figures().latest_interrupt, world.cpu->core().last_trap().time - 25 * kUs);
}

TEST(CpuShell, WfiSleepsUntilTheInstantOfTheEdge) {
  World world;
  put_start(world);
  world.put(kProgram, {lui(t0, 1000), sw(t0, s0, 0), kWfi, sw(0, s0, 8)});  // 4096000 ns
  world.put(kBase + 0x1000, {sw(0, s0, 8)});
  world.action = [&] { world.cpu->request_stop(); };
  sc_core::sc_start();
  const Picoseconds edge = 110'000 + 4'096'000'000;
  EXPECT_EQ(world.cpu->core().last_trap().time, edge);
  EXPECT_EQ(world.cpu->core().last_trap().pc, kProgram + 12);
  EXPECT_EQ(world.halted_at, edge + 30'000);
  EXPECT_LT(sc_core::sc_delta_count(), 100u) << "nothing polls meanwhile";
}

TEST(CpuShell, TimeAndInstructionLimitsAreExact) {
  World world;
  put_start(world);
  world.put(kProgram, {jal(0, 0)});
  world.cpu->set_time_limit(5 * kUs);
  sc_core::sc_start();
  EXPECT_EQ(world.halt, Halt::kTimeLimit);
  EXPECT_EQ(world.halted_at, 5 * kUs);
  EXPECT_EQ(world.cpu->core().retired(), 500u);
}

TEST(CpuShell, TimeLimitHoldsInSleep) {
  World world;
  put_start(world);
  world.put(kProgram, {kWfi});
  world.cpu->set_time_limit(5 * kUs);
  sc_core::sc_start();
  EXPECT_EQ(world.halt, Halt::kTimeLimit);
  EXPECT_EQ(world.halted_at, 5 * kUs);
}

TEST(CpuShell, InstructionLimitHalts) {
  World world;
  put_start(world);
  world.put(kProgram, {jal(0, 0)});
  world.cpu->set_instruction_limit(123'456);
  sc_core::sc_start();
  EXPECT_EQ(world.halt, Halt::kInstructionLimit);
  EXPECT_EQ(world.cpu->core().retired(), 123'456u);
  EXPECT_EQ(world.halted_at, 123'456 * kCycle);
}

TEST(CpuShell, UnhandledTrapHalts) {
  World world;
  world.put(kBase, {kNop, lw(a0, 0, 16)});
  sc_core::sc_start();
  EXPECT_EQ(world.halt, Halt::kUnhandledTrap);
  EXPECT_EQ(world.cpu->core().last_trap().cause, 5u);
  EXPECT_EQ(world.cpu->core().last_trap().value, 16u);
}

TEST(CpuShell, ResetDuringItsOwnAccessStartsAgain) {
  World world;
  put_start(world);
  world.put(kProgram, {lw(a0, s1, 0), addi(a0, a0, 1), sw(a0, s1, 0), sw(0, s0, 8), addi(a1, 0, 99)});
  world.action = [&] {
    if (world.cpu->core().x(a0) == 3)
      world.cpu->request_stop();
    else
      world.cpu->reset();
  };
  sc_core::sc_start();
  EXPECT_EQ(world.halt, Halt::kRequested);
  EXPECT_EQ(world.cpu->core().x(a0), 3u);
  EXPECT_EQ(world.cpu->core().x(a1), 0u);
  EXPECT_EQ(world.cpu->core().retired(), 3 * 14u);
}

TEST(CpuShell, HaltedCpuCanBeResumed) {
  World world;
  put_start(world);
  world.put(kProgram, {sw(0, s0, 8), addi(a1, 0, 99), sw(0, s0, 8)});
  world.action = [&] { world.cpu->request_stop(); };
  int halts = 0;
  world.cpu->on_halt([&](Halt) {
    ++halts;
    EXPECT_EQ(world.cpu->core().x(a1), halts == 1 ? 0u : 99u);
    sc_core::sc_pause();
  });
  sc_core::sc_start();
  world.cpu->resume();
  sc_core::sc_start();
  EXPECT_EQ(halts, 2);
  EXPECT_EQ(world.cpu->core().x(a1), 99u);
}

TEST(CpuShell, InvalidatedGrantIsNotUsedAgain) {
  World world;
  put_start(world);
  world.put(kProgram, {lw(a0, s1, 0), sw(0, s0, 8), lw(a0, s1, 0), lw(a0, s1, 4), jal(0, 0)});
  world.action = [&] {
    world.grant = false;
    world.target.invalidate_dmi(0, ~std::uint64_t{0} >> 32);
  };
  world.cpu->set_time_limit(kUs);
  sc_core::sc_start();
  EXPECT_EQ(world.accesses, 3u) << "the device, then two loads";
  EXPECT_EQ(world.cpu->direct_traffic().at(0).reads, 1u);
}

/// Asks for interrupts, works, sleeps until they come; each handler notes its time. s1 = memory.
void put_interrupted_work(World& world) {
  put_start(world);
  world.put(kProgram, {addi(t0, 0, 501), sw(t0, s0, 0), addi(t0, t0, 77), lw(a0, s1, 0), addi(a0, a0, 1), sw(a0, s1, 0),
                       lw(a3, s1, 8), add(a3, a3, a0), sw(a3, s1, 8), kWfi, jal(0, -36)});
  world.put(kBase + 0x1000, {sw(0, s0, 4), addi(a1, a1, 1), lw(a2, s0, 0), sw(a2, s1, 16), kMret});
}

TEST(CpuShell, a_held_cpu_goes_on_where_a_saved_one_was) {
  World original;
  put_interrupted_work(original);
  // At work, waiting for the kernel, asleep, in the handler: saved every 97 ns.
  std::vector<std::unique_ptr<World>> copies;
  for (int i = 0; i < 40; ++i) {
    copies.push_back(std::make_unique<World>(("copy" + std::to_string(i)).c_str(), CpuConfig{}));
    copies.back()->cpu->hold();
  }
  std::vector<std::size_t> edges_before;
  std::size_t asleep = 0, woken = 0;
  Picoseconds slept = 0;
  original.cpu->on_times([&](const CpuTimes& times) { woken += std::exchange(slept, times.idle) != times.idle; });
  for (auto& copy : copies) {
    sc_core::sc_start(to_sc_time(97'000));
    ASSERT_FALSE(original.cpu->in_access());
    asleep += original.cpu->figures().sleeps > woken;
    edges_before.push_back(original.edges.size());
    load_state(*copy, save_state(original));
  }
  EXPECT_GT(asleep, 5u);
  EXPECT_LT(asleep, 35u);
  sc_core::sc_start(to_sc_time(20 * kUs));
  EXPECT_GT(original.cpu->core().x(a1), 10u);
  const std::string state = save_state(original);
  for (std::size_t i = 0; i < copies.size(); ++i) {
    SCOPED_TRACE(i);
    // How often it waited for the kernel depends on where the run was cut.
    const std::string difference = state_difference(*copies[i], state);
    EXPECT_TRUE(difference.empty() || difference.find("cpu.synchronisations") == 0) << difference;
    const std::vector<Picoseconds> edges_since(original.edges.begin() + static_cast<std::ptrdiff_t>(edges_before[i]),
                                               original.edges.end());
    EXPECT_EQ(copies[i]->edges, edges_since);
  }
}

}  // namespace
}  // namespace vp::cpu
