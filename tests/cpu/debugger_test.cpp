// The CPU under a debugger, in the simulation.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "tests/cpu/world.h"
#include "tests/support/dice.h"

namespace vp::cpu {
namespace {

using namespace encode;
using Reason = DebugStop::Reason;

/// Answers each stop by a function.
struct Monitor : DebugMonitor {
  explicit Monitor(std::function<Resume(const DebugStop&)> how) : answer(std::move(how)) {}
  Resume stopped(const DebugStop& stop) override {
    reasons.push_back(stop.reason);
    return answer(stop);
  }
  std::function<Resume(const DebugStop&)> answer;
  std::vector<Reason> reasons;
};

void attach(World& world, Monitor& monitor) {
  world.cpu->debug().install(monitor);
  world.cpu->debug().engage(true);
}

/// How often it waited for the kernel depends on where it was stopped.
void expect_equal_states(World& stopped, World& plain) {
  const std::string difference = state_difference(stopped, save_state(plain));
  EXPECT_TRUE(difference.empty() || difference.find("cpu.synchronisations") == 0) << difference;
}

class StoppedRun : public testing::TestWithParam<Fidelity> {};
INSTANTIATE_TEST_SUITE_P(Of, StoppedRun, testing::Values(Fidelity::functional, Fidelity::timed));

CpuConfig small_caches_of_the_stopped() {
  CpuConfig config;
  config.icache.size = config.dcache.size = 64;
  config.icache.line = config.dcache.line = 32;
  config.icache.ways = config.dcache.ways = 1;
  return config;
}

TEST_P(StoppedRun, stopped_before_every_instruction_is_the_run_of_which_nobody_looks_at) {
  World plain("plain", small_caches_of_the_stopped()), stopped("stopped", small_caches_of_the_stopped());
  for (World* world : {&plain, &stopped}) {
    put_busy_program(*world);
    world->cpu->set_fidelity(GetParam());
    world->cpu->set_time_limit(100 * kUs);
    world->cpu->on_halt([](Halt) {});
  }
  DebugTarget& target = stopped.cpu->debug();
  Monitor monitor([&](const DebugStop&) {
    EXPECT_GE(kernel_time(), target.time());
    return Resume::step;
  });
  attach(stopped, monitor);
  target.stop_at_start();
  sc_core::sc_start(to_sc_time(100 * kUs));
  EXPECT_GT(monitor.reasons.size(), 5'000u);
  expect_equal_states(stopped, plain);
}

TEST_P(StoppedRun, stopped_now_and_then_is_the_run_of_which_nobody_looks_at) {
  World plain("plain", small_caches_of_the_stopped()), stopped("stopped", small_caches_of_the_stopped());
  for (World* world : {&plain, &stopped}) {
    put_busy_program(*world);
    world->cpu->set_fidelity(GetParam());
    world->cpu->set_time_limit(200 * kUs);
    world->cpu->on_halt([](Halt) {});
  }
  Dice dice(1);
  DebugTarget& target = stopped.cpu->debug();
  Monitor monitor([&](const DebugStop& stop) {
    const std::uint64_t somewhere = kProgram + 4 * dice.from_to(0, 18);
    if (dice.one_in(2)) target.insert_breakpoint(somewhere);
    if (dice.one_in(2)) target.remove_breakpoint(somewhere + 4);
    if (dice.one_in(4)) target.insert_watchpoint(Watch::access, kDevice, 4);
    if (dice.one_in(4)) target.insert_watchpoint(Watch::read, target.x(s1), 8);
    if (dice.one_in(2)) target.remove_watchpoint(Watch::access, kDevice, 4);
    if (dice.one_in(2)) target.remove_watchpoint(Watch::read, target.x(s1), 8);
    return dice.one_in(3) ? Resume::step : stop.reason == Reason::step ? Resume::step : Resume::run;
  });
  attach(stopped, monitor);
  target.stop_at_start();
  sc_core::sc_start(to_sc_time(200 * kUs));
  EXPECT_GT(monitor.reasons.size(), 500u);
  expect_equal_states(stopped, plain);
}

TEST(CpuDebugger, a_store_that_writes_a_watched_register_is_the_last_one_with_the_kernel_at_its_end) {
  World world;
  put_start(world);
  world.put(kProgram, {addi(t0, 0, 5), sw(t0, s0, 4), addi(a0, 0, 1), sw(0, s0, 8)});
  world.action = [&] { world.cpu->request_stop(); };
  DebugTarget& target = world.cpu->debug();
  Monitor monitor([&](const DebugStop& stop) {
    EXPECT_EQ(stop.address, kDevice + 4);
    EXPECT_EQ(target.pc(), kProgram + 8);
    EXPECT_EQ(target.x(a0), 0u);
    EXPECT_EQ(target.time(), 12 * kCycle + 20'000);
    EXPECT_EQ(kernel_time(), target.time());
    return Resume::run;
  });
  attach(world, monitor);
  target.insert_watchpoint(Watch::write, kDevice + 4, 4);
  sc_core::sc_start();
  EXPECT_EQ(monitor.reasons, std::vector<Reason>{Reason::watchpoint});
  EXPECT_EQ(world.cpu->core().x(a0), 1u);
}

TEST(CpuDebugger, another_thread_stops_an_endless_loop) {
  World world;
  put_start(world);
  world.put(kProgram, {jal(0, 0)});
  Monitor monitor([&](const DebugStop&) { return Resume::end; });
  attach(world, monitor);
  std::thread thread([&] { world.cpu->debug().request_stop(); });
  sc_core::sc_start();
  thread.join();
  EXPECT_EQ(monitor.reasons, std::vector<Reason>{Reason::request});
  EXPECT_EQ(world.halt, Halt::kRequested);
}

TEST(CpuDebugger, a_hart_asleep_is_stopped_in_its_sleep_and_sleeps_on) {
  World world;
  put_start(world);
  world.put(kProgram, {addi(t0, 0, 2000), sw(t0, s0, 0), kWfi, sw(0, s0, 8)});
  world.put(kBase + 0x1000, {sw(0, s0, 8)});
  world.action = [&] { world.cpu->request_stop(); };
  Picoseconds seen = 0;
  Monitor monitor([&](const DebugStop&) {
    seen = kernel_time();
    return Resume::run;
  });
  attach(world, monitor);
  sc_core::sc_spawn([&world] {
    sc_core::wait(to_sc_time(kUs));
    world.cpu->debug().request_stop();
    world.cpu->wake();
  });
  sc_core::sc_start();
  EXPECT_EQ(seen, kUs);
  EXPECT_EQ(world.cpu->core().last_trap().time, 110'000u + 2'000'000u);
  EXPECT_EQ(world.cpu->figures().sleeps, 1u);
}

TEST(CpuDebugger, moving_pc_ends_a_sleep) {
  World world;
  put_start(world);
  world.put(kProgram, {kWfi, kNop, kNop, addi(a0, 0, 7), sw(0, s0, 8)});
  world.action = [&] { world.cpu->request_stop(); };
  Monitor monitor([&](const DebugStop&) {
    world.cpu->debug().set_pc(kProgram + 12);
    return Resume::run;
  });
  attach(world, monitor);
  sc_core::sc_spawn([&world] {
    sc_core::wait(to_sc_time(kUs));
    world.cpu->debug().request_stop();
    world.cpu->wake();
  });
  sc_core::sc_start();
  EXPECT_EQ(world.cpu->core().x(a0), 7u);
}

TEST(CpuDebugger, a_trap_that_nobody_handles_is_shown_and_then_ends_the_run) {
  World world;
  world.put(kBase, {kNop, lw(a0, 0, 16)});
  Monitor monitor([&](const DebugStop& stop) {
    EXPECT_EQ(stop.diagnosis, "");
    EXPECT_EQ(world.cpu->debug().pc(), kBase + 4);
    EXPECT_FALSE(world.halt);
    return Resume::run;
  });
  attach(world, monitor);
  sc_core::sc_start();
  EXPECT_EQ(monitor.reasons, std::vector<Reason>{Reason::fault});
  EXPECT_EQ(world.halt, Halt::kUnhandledTrap);
}

TEST(CpuDebugger, a_trap_whose_cause_the_debugger_mends_is_forgotten) {
  World world;
  put_start(world);
  world.put(kBase, {kNop, kNop, lw(a0, t0, 0), lui(s0, 0x10000), sw(0, s0, 8)});
  world.action = [&] { world.cpu->request_stop(); };
  Monitor monitor([&](const DebugStop&) {
    world.cpu->debug().set_x(t0, kBase);
    return Resume::run;
  });
  attach(world, monitor);
  sc_core::sc_start();
  EXPECT_EQ(monitor.reasons, std::vector<Reason>{Reason::fault});
  EXPECT_EQ(world.halt, Halt::kRequested);
  EXPECT_EQ(world.cpu->core().x(a0), kNop);
}

TEST(CpuDebugger, a_fault_that_the_platform_finds_is_shown_at_the_next_instruction) {
  World world;
  put_start(world);
  world.put(kProgram, {sw(0, s0, 8), addi(a0, 0, 1), jal(0, 0)});
  world.action = [&] { EXPECT_TRUE(world.cpu->debug().show_fault("it hangs", [&] { world.cpu->request_stop(); })); };
  Monitor monitor([&](const DebugStop& stop) {
    EXPECT_EQ(stop.diagnosis, "it hangs");
    EXPECT_EQ(world.cpu->debug().pc(), kProgram + 4);
    return Resume::run;
  });
  attach(world, monitor);
  sc_core::sc_start();
  EXPECT_EQ(monitor.reasons, std::vector<Reason>{Reason::fault});
  EXPECT_EQ(world.cpu->core().x(a0), 0u);
  EXPECT_FALSE((world.cpu->debug().engage(false), world.cpu->debug().show_fault("nobody looks", nullptr)));
}

TEST(CpuDebugger, a_reset_that_it_asked_for_stops_before_the_first_instruction) {
  World world;
  put_start(world);
  world.put(kProgram, {jal(0, 0)});
  Monitor monitor([&](const DebugStop& stop) {
    if (stop.reason == Reason::reset) {
      EXPECT_EQ(world.cpu->debug().pc(), kBase);
      EXPECT_EQ(world.cpu->debug().x(s0), 0u);
      return Resume::end;
    }
    EXPECT_EQ(world.cpu->debug().x(s0), kDevice);
    world.cpu->reset();
    return Resume::reset;
  });
  attach(world, monitor);
  world.cpu->debug().insert_breakpoint(kProgram);
  sc_core::sc_start();
  EXPECT_EQ(monitor.reasons, (std::vector<Reason>{Reason::breakpoint, Reason::reset}));
}

TEST(CpuDebugger, memory_is_read_and_written_across_pages_as_far_as_it_is_there) {
  World world;
  put_start(world);
  world.put(kProgram, {addi(a0, 0, 1), sw(0, s0, 8)});
  world.action = [&] { world.cpu->request_stop(); };
  DebugTarget& target = world.cpu->debug();
  Monitor monitor([&](const DebugStop&) {
    std::vector<std::uint8_t> wanted(10'000), got(10'000);
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = static_cast<std::uint8_t>(i * 7);
    EXPECT_EQ(target.write_memory(kBase + 0x2ffd, wanted.data(), wanted.size()), wanted.size());
    EXPECT_EQ(target.read_memory(kBase + 0x2ffd, got.data(), got.size()), got.size());
    EXPECT_EQ(got, wanted);
    EXPECT_EQ(target.read_memory(kBase + world.memory.size() - 100, got.data(), got.size()), 100u);
    EXPECT_EQ(target.read_memory(16, got.data(), 4), 0u);
    const std::uint32_t other = addi(a0, 0, 42);  // the instruction that comes next, decoded already
    EXPECT_EQ(target.write_memory(kProgram, &other, 4), 4u);
    return Resume::run;
  });
  attach(world, monitor);
  target.insert_breakpoint(kProgram);
  sc_core::sc_start();
  EXPECT_EQ(world.cpu->core().x(a0), 42u);
}

TEST(CpuDebugger, it_lists_the_csrs_that_the_hart_has) {
  World world;
  const auto has = [&](const std::string& name) {
    const std::vector<NamedCsr> csrs = world.cpu->debug().csrs();
    return std::any_of(csrs.begin(), csrs.end(), [&](const NamedCsr& csr) { return csr.name == name; });
  };
  for (const char* name : {"mstatus", "mtvec", "pmpcfg0", "pmpaddr15", "cycle"}) EXPECT_TRUE(has(name)) << name;
  for (const char* name : {"mcycleh", "pmpcfg1", "hpmcounter3h", "time"}) EXPECT_FALSE(has(name)) << name;
}

}  // namespace
}  // namespace vp::cpu
