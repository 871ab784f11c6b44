// Sstc in the machine: the hart's stimecmp against the CLINT's counter.
#include <gtest/gtest.h>

#include "models/irq/clint.h"
#include "tests/cpu/world.h"
#include "tests/support/socket_modules.h"

namespace vp::cpu {
namespace {

using namespace encode;

constexpr unsigned kTimeCsr = 0xc01;

class SupervisorTimerQuantum : public testing::TestWithParam<Picoseconds> {
 protected:
  static CpuConfig config() {
    CpuConfig config;
    config.quantum = GetParam();
    config.sstc = true;
    return config;
  }
  SupervisorTimerQuantum() {
    world.cpu->set_time_source([this](Picoseconds now) { return clint.mtime(now); });
    world.cpu->set_supervisor_timer(
        [this](std::uint64_t compare, Picoseconds now) { clint.set_supervisor_compare(compare, now); });
    nobody.socket.bind(clint.socket);
    clint.bind_supervisor_timer_interrupt([this](bool level) { world.cpu->set_stip(level); });
    // The timer is given, its interrupt enabled and taken in machine mode.
    put_start(world);
    world.put(kProgram, {addi(t0, 0, 1), slli(t0, t0, 63), csrw(menvcfg, t0), addi(t0, 0, 32), csrw(mie, t0),
                         csrr(t0, kTimeCsr), addi(t0, t0, 7), csrw(stimecmp, t0)});
    world.action = [this] { world.cpu->request_stop(); };
  }

  World world{config()};
  Clint clint{"clint", ClintConfig{}, world.horizon};
  InitiatorModule nobody{"nobody"};  // at the CLINT's socket
};
INSTANTIATE_TEST_SUITE_P(Of, SupervisorTimerQuantum, testing::Values(1'000, 12'345, 10 * kUs, 100'000 * kUs));

TEST_P(SupervisorTimerQuantum, the_interrupt_is_taken_in_the_instant_in_which_the_counter_gets_there) {
  world.put(kProgram + 32, {addi(a0, a0, 1), jal(0, -4)});
  world.put(kBase + 0x1000, {sw(0, s0, 8)});
  sc_core::sc_start();
  // The program begins at 100 ns and reads the counter at 150 ns: 1 and 7 are due at 800 ns.
  EXPECT_EQ(world.cpu->core().last_trap().time, 800'000u);
  EXPECT_EQ(world.cpu->core().last_trap().cause, 5u);
  EXPECT_EQ(world.cpu->figures().late_interrupts, 0u);
}

TEST_P(SupervisorTimerQuantum, it_ends_a_sleep_in_its_instant) {
  world.put(kProgram + 32, {csrrwi(0, mstatus, 0), kWfi, csrr(a0, mcycle), sw(0, s0, 8)});
  sc_core::sc_start();
  EXPECT_EQ(world.cpu->core().x(a0), 80u);
}

/// The handler asks for the next one 300 ns after the last, and notes by how much each was late.
TEST_P(SupervisorTimerQuantum, a_thousand_interrupts_are_all_in_time) {
  world.put(kProgram + 32, {addi(s2, 0, 1000), bne(s2, 0, 0), sw(0, s0, 8)});
  world.put(kBase + 0x1000, {csrr(t1, mcycle), csrr(t0, stimecmp), slli(t2, t0, 3), slli(t3, t0, 1), add(t2, t2, t3),
                             r(0x20, t2, t1, 0, t1, 0x33), add(a2, a2, t1), addi(t0, t0, 3), csrw(stimecmp, t0),
                             addi(s2, s2, -1), kMret});
  sc_core::sc_start();
  EXPECT_EQ(world.cpu->core().interrupts_taken()[5], 1000u);
  EXPECT_EQ(world.cpu->core().x(a2), 0u);
}

TEST_P(SupervisorTimerQuantum, a_value_that_has_passed_interrupts_behind_the_write) {
  world.put(kProgram + 20, {csrw(stimecmp, 0), addi(a0, a0, 1), addi(a0, a0, 1)});
  world.put(kBase + 0x1000, {sw(0, s0, 8)});
  sc_core::sc_start();
  EXPECT_EQ(world.cpu->core().last_trap().pc, kProgram + 24);
  EXPECT_EQ(world.cpu->core().x(a0), 0u);
  EXPECT_EQ(world.cpu->figures().late_interrupts, 0u);
}

}  // namespace
}  // namespace vp::cpu
