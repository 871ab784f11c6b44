// Accesses through the port: when the hart goes on behind them, and which pages are known to be reached only so.
#include <gtest/gtest.h>

#include "tests/cpu/encode.h"
#include "tests/cpu/test_machine.h"

namespace vp::cpu {
namespace {

using namespace encode;

/// A loop of three instructions that polls the serial port.
class CpuPort : public testing::TestWithParam<unsigned> {
 protected:
  CpuPort() {
    machine.put32(kBase, {lui(s0, 0x10000), lw(t0, s0, 0), addi(a0, a0, 1), jal(0, -8)});
    machine.moved = false;
  }
  std::uint64_t polls() const { return machine.slow_accesses; }

  TestMachine machine{config_of(GetParam())};
};
INSTANTIATE_TEST_SUITE_P(Widths, CpuPort, testing::Values(32u, 64u));

TEST_P(CpuPort, the_hart_goes_on_behind_an_access_that_has_moved_nothing) {
  EXPECT_EQ(machine.core->run(100 * kCycle), Stop::kBudget);
  EXPECT_EQ(machine.core->time(), 100 * kCycle);
  EXPECT_EQ(machine.core->retired(), 100u);
  EXPECT_EQ(polls(), 33u);
}

TEST_P(CpuPort, the_hart_stops_behind_an_access_that_may_have_moved_something) {
  machine.moved = true;
  EXPECT_EQ(machine.core->run(100 * kCycle), Stop::kAccess);
  EXPECT_EQ(machine.core->retired(), 2u);
  EXPECT_EQ(machine.core->run(100 * kCycle), Stop::kAccess);
  EXPECT_EQ(machine.core->retired(), 5u);
}

TEST_P(CpuPort, who_asks_for_a_stop_in_an_access_that_moves_nothing_gets_it_before_the_next_instruction) {
  machine.device = [&](bool, std::uint64_t, void*, unsigned, Picoseconds&) {
    if (polls() == 5) machine.core->request_stop();
    if (polls() == 9) machine.core->request_debug_stop();
    return true;
  };
  Stop why = Stop::kAccess;
  while (why == Stop::kAccess) why = machine.core->run(1000 * kCycle);
  EXPECT_EQ(why, Stop::kStopped);
  EXPECT_EQ(machine.core->retired(), 2u + 4 * 3);
  machine.core->clear_stop();
  DebugPoints points;
  machine.core->set_debug_points(&points);
  for (why = Stop::kAccess; why == Stop::kAccess;) why = machine.core->run(1000 * kCycle);
  EXPECT_EQ(why, Stop::kDebug);
  EXPECT_EQ(machine.core->retired(), 2u + 8 * 3);
}

TEST_P(CpuPort, a_watchpoint_on_a_register_of_a_device_that_is_polled_stops_behind_the_next_poll) {
  EXPECT_EQ(machine.core->run(100 * kCycle), Stop::kBudget);
  DebugPoints points;
  points.insert_watchpoint(Watch::read, TestMachine::kUart + 3, 1);
  machine.core->set_debug_points(&points);
  Stop why = Stop::kAccess;
  while (why == Stop::kAccess) why = machine.core->run(1000 * kCycle);
  EXPECT_EQ(why, Stop::kDebug);
  EXPECT_EQ(machine.core->take_debug_stop().reason, DebugStop::Reason::watchpoint);
  EXPECT_EQ(polls(), 34u);
  EXPECT_EQ(machine.core->pc(), kBase + 8);
}

TEST_P(CpuPort, an_access_that_the_device_refuses_traps_at_once_and_the_next_one_does_as_well) {
  machine.put32(kBase, {auipc(t1, 1), csrw(mtvec, t1), lui(s0, 0x10000), lw(t0, s0, 0), lw(t0, s0, 0x400)});
  machine.put32(kBase + 0x1000, {csrr(t2, mepc), addi(a1, a1, 1), jal(0, -0x1000 + 4)});
  EXPECT_EQ(machine.core->run(50 * kCycle), Stop::kBudget);
  EXPECT_GT(machine.core->x(a1), 3u);
  EXPECT_EQ(machine.core->x(t2), kBase + 16);
  EXPECT_EQ(machine.core->last_trap().cause, 5u);
}

/// Memory that was refused is a page of the port, until host pointers to it may be asked for again.
TEST_P(CpuPort, a_page_that_was_reached_by_the_port_only_is_asked_for_again_when_grants_have_changed) {
  machine.put32(kBase, {auipc(s0, 2), lw(t0, s0, 0), sw(t0, s0, 4), jal(0, -8)});
  machine.allow_direct = false;
  machine.core->run(100 * kCycle);
  const std::uint64_t by_port = polls();
  EXPECT_EQ(by_port, 66u);
  machine.allow_direct = true;
  machine.core->run(200 * kCycle);
  EXPECT_GT(polls(), by_port) << "nobody has said so yet";
  const std::uint64_t told = polls();
  machine.core->invalidate_direct(0, ~std::uint64_t{0});
  machine.core->run(300 * kCycle);
  EXPECT_EQ(polls(), told);
}

TEST_P(CpuPort, a_page_that_was_reached_by_the_port_only_is_cached_when_timed_mode_begins) {
  machine.put32(kBase, {auipc(s0, 2), lw(t0, s0, 0), sw(t0, s0, 4), jal(0, -8)});
  machine.allow_direct = false;
  machine.core->run(100 * kCycle);
  const std::uint64_t functional = polls();
  EXPECT_GT(functional, 50u);
  machine.core->set_fidelity(Fidelity::timed);
  while (machine.core->run(300 * kCycle) == Stop::kAccess) {
  }
  EXPECT_EQ(polls(), functional);
  EXPECT_FALSE(machine.transfers.empty());
  machine.core->set_fidelity(Fidelity::functional);
  while (machine.core->run(400 * kCycle) == Stop::kAccess) {
  }
  EXPECT_GT(polls(), functional);
}

TEST_P(CpuPort, accesses_of_every_size_and_place_are_the_same_the_first_time_and_later) {
  std::string first, later;
  machine.device = [&](bool write, std::uint64_t address, void* data, unsigned size, Picoseconds& time) {
    (machine.core->x(a0) == 0 ? first : later) +=
        (write ? 'w' : 'r') + std::to_string(size) + '@' + std::to_string(address) + ' ';
    if (!write) std::memset(data, 0x80 + static_cast<int>(size), size);
    time += 3'000;
    return true;
  };
  machine.put32(kBase, {lui(s0, 0x10000), lb(t0, s0, 1), lh(t1, s0, 2), lw(t2, s0, 5), sb(t0, s0, 7), sw(t2, s0, 6),
                        addi(a0, a0, 1), addi(s1, 0, 2), bne(a0, s1, -28)});
  while (machine.core->retired() < 1 + 16) machine.core->run(machine.core->time() + 4 * kCycle);
  EXPECT_EQ(first, "r1@268435457 r2@268435458 r3@268435461 r1@268435464 w1@268435463 w2@268435462 w2@268435464 ");
  EXPECT_EQ(later, first);
}

}  // namespace
}  // namespace vp::cpu
