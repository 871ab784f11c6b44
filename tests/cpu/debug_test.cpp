// The hart under a debugger, without SystemC.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "models/cpu/csrs.h"
#include "tests/cpu/random_bench.h"

namespace vp::cpu {
namespace {

using namespace encode;

constexpr std::uint64_t kWatched = kBase + 0x10000;  // where s0 of a random program points to

/// A debugger that stops the hart wherever it can, and changes nothing.
class Nuisance {
 public:
  Nuisance(RandomBench& bench, unsigned seed) : core_(*bench.machine.core), dice_(seed) {
    bench.stopped = [this] { stopped(); };
  }
  void before_step() {
    const std::uint64_t address = kBase + 4 * dice_.from_to(0, kWords - 1);
    switch (dice_.from_to(0, 7)) {
      case 0:
        core_.request_debug_stop();
        break;
      case 1:
        points_.insert_breakpoint(address);
        break;
      case 2:
        for (int i = 0; i < 5; ++i) points_.remove_breakpoint(kBase + 4 * dice_.from_to(0, kWords - 1));
        break;
      case 3:
        points_.insert_watchpoint(watch(), kWatched + dice_.from_to(0, 1000), dice_.from_to(1, 600));
        break;
      case 4:
        points_.clear();
        break;
      case 5:
        core_.set_debug_points(nullptr);
        return;
      default:
        break;
    }
    core_.set_debug_points(&points_);
  }
  std::array<unsigned, 8> stops{};

 private:
  Watch watch() { return static_cast<Watch>(dice_.from_to(1, 3)); }
  void stopped() {
    const DebugStop stop = core_.take_debug_stop();
    ++stops.at(static_cast<unsigned>(stop.reason));
    // A breakpoint of a loop that nothing else is in would stop it for ever.
    if (dice_.one_in(20)) points_.clear();
    if (dice_.one_in(10)) points_.insert_breakpoint(core_.pc() + 4 * dice_.from_to(0, 3));
    core_.set_debug_points(&points_);
    core_.debug_resume(dice_.one_in(3));
  }

  Core& core_;
  Dice dice_;
  DebugPoints points_;
};

TEST(CpuDebug, a_hart_that_is_stopped_everywhere_shows_what_one_that_is_not_shows) {
  std::array<unsigned, 8> stops{};
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomBench plain(seed, random_settings(seed)), stopped(seed, random_settings(seed));
    Nuisance nuisance(stopped, seed);
    Dice dice(seed), same(seed);
    for (int step = 0; step < 200; ++step) {
      nuisance.before_step();
      plain.step(dice);
      stopped.step(same);
      ASSERT_EQ(plain.seen.str(), stopped.seen.str()) << "step " << step;
      plain.seen.str("");
      stopped.seen.str("");
    }
    for (std::size_t i = 0; i < stops.size(); ++i) stops[i] += nuisance.stops[i];
  }
  using Reason = DebugStop::Reason;
  for (const Reason reason : {Reason::request, Reason::breakpoint, Reason::watchpoint, Reason::step})
    EXPECT_GT(stops[static_cast<unsigned>(reason)], 100u) << static_cast<unsigned>(reason);
}

class CpuDebugOf : public testing::TestWithParam<unsigned> {
 protected:
  void debug() { machine.core->set_debug_points(&points); }
  /// Runs to the next stop.
  DebugStop next() {
    Stop why = Stop::kAccess;
    while (why == Stop::kAccess) why = machine.core->run(kNever / 8);
    EXPECT_EQ(why, Stop::kDebug);
    return machine.core->take_debug_stop();
  }
  DebugStop go(bool step = false) {
    machine.core->debug_resume(step);
    return next();
  }
  std::uint64_t pc() const { return machine.core->pc(); }

  TestMachine machine{config_of(GetParam())};
  DebugPoints points;
};
INSTANTIATE_TEST_SUITE_P(Widths, CpuDebugOf, testing::Values(32u, 64u));

TEST_P(CpuDebugOf, a_breakpoint_in_the_middle_of_a_block_stops_each_time_before_its_instruction) {
  machine.put32(kBase, {addi(a0, a0, 1), addi(a1, a1, 1), addi(a2, a2, 1), jal(0, -12)});
  machine.core->run(100 * kCycle);  // decoded and linked before the breakpoint comes
  points.insert_breakpoint(kBase + 4);
  debug();
  for (unsigned i = 26; i < 30; ++i) {
    const DebugStop stop = i == 26 ? next() : go();
    EXPECT_EQ(stop.reason, DebugStop::Reason::breakpoint);
    EXPECT_EQ(pc(), kBase + 4);
    EXPECT_EQ(machine.core->x(a0), i);
    EXPECT_EQ(machine.core->x(a1), i - 1);
    EXPECT_EQ(machine.core->retired(), 4 * (i - 1) + 1);
  }
  points.clear();
  debug();
  machine.core->debug_resume(false);
  EXPECT_EQ(machine.core->run(machine.core->time() + 100 * kCycle), Stop::kBudget);
}

TEST_P(CpuDebugOf, a_computed_jump_does_not_miss_a_breakpoint) {
  machine.put32(kBase, {auipc(t0, 0), addi(t0, t0, 16), jalr(0, t0, 0), kNop, addi(a0, a0, 1), jalr(0, t0, 0)});
  machine.core->run(100 * kCycle);
  points.insert_breakpoint(kBase + 16);
  debug();
  next();
  const std::uint64_t before = machine.core->x(a0);
  for (int i = 0; i < 3; ++i) go();
  EXPECT_EQ(machine.core->x(a0), before + 3);
}

TEST_P(CpuDebugOf, a_step_is_one_instruction_and_its_time) {
  machine.latency = 7'000;
  machine.put32(kBase, {auipc(s0, 1), lw(a0, s0, 0), beq(0, 0, 8), kNop, addi(a0, a0, 1)});
  debug();
  machine.core->request_debug_stop();
  EXPECT_EQ(next().reason, DebugStop::Reason::request);
  const std::pair<std::uint64_t, Picoseconds> expected[] = {
      {4, kCycle}, {8, 2 * kCycle + 7'000}, {16, 3 * kCycle + 7'000}, {20, 4 * kCycle + 7'000}};
  for (const auto& [offset, time] : expected) {
    EXPECT_EQ(go(true).reason, DebugStop::Reason::step);
    EXPECT_EQ(pc(), kBase + offset);
    EXPECT_EQ(machine.core->time(), time);
  }
}

TEST_P(CpuDebugOf, a_step_into_a_trap_or_an_interrupt_ends_at_the_handler) {
  machine.put32(kBase, {auipc(t0, 1), csrw(mtvec, t0), kEcall, csrrsi(0, mstatus, 8), kNop});
  machine.put32(kBase + 0x1000, {csrr(t1, mepc), addi(t1, t1, 4), csrw(mepc, t1), addi(t2, 0, 128), csrw(mie, t2),
                                 csrw(mscratch, 0), kMret});
  debug();
  machine.core->request_debug_stop();
  next();
  for (int i = 0; i < 3; ++i) go(true);
  EXPECT_EQ(pc(), kBase + 0x1000);
  EXPECT_EQ(machine.core->retired(), 2u);
  points.insert_breakpoint(kBase + 12);
  debug();
  go();
  machine.core->set_interrupt(Interrupt::machine_timer, true);
  go(true);  // enables it
  const Picoseconds before = machine.core->time();
  EXPECT_EQ(go(true).reason, DebugStop::Reason::step);
  EXPECT_EQ(pc(), kBase + 0x1000);
  EXPECT_EQ(machine.core->last_trap().pc, kBase + 16);
  EXPECT_EQ(machine.core->time(), before);
}

TEST_P(CpuDebugOf, an_ebreak_stops_only_under_a_debugger_and_then_traps) {
  machine.put32(kBase, {auipc(t0, 1), csrw(mtvec, t0), addi(a0, 0, 1), kEbreak});
  machine.put32(kBase + 0x1000, {addi(a1, a1, 1), csrr(t1, mepc), jalr(0, t1, -4)});
  machine.core->run(100 * kCycle);
  EXPECT_GT(machine.core->x(a1), 10u);
  debug();
  for (int i = 0; i < 3; ++i) {
    const DebugStop stop = i == 0 ? next() : go();
    EXPECT_EQ(stop.reason, DebugStop::Reason::ebreak);
    EXPECT_EQ(pc(), kBase + 12);
  }
  const std::uint64_t trapped = machine.core->exceptions_taken()[3];
  go();
  EXPECT_EQ(machine.core->exceptions_taken()[3], trapped + 1);
}

TEST_P(CpuDebugOf, a_watchpoint_stops_behind_the_store_into_memory_and_not_beside_it) {
  machine.put32(kBase, {auipc(s0, 1), sw(a0, s0, 0), sw(a0, s0, 4), lw(a1, s0, 4), sb(a0, s0, 7), jal(0, -16)});
  machine.core->run(20 * kCycle);  // the page is reached by host pointer
  const std::uint64_t data = kBase + 0x1000;
  points.insert_watchpoint(Watch::write, data + 6, 2);
  debug();
  DebugStop stop = next();
  for (int i = 0; i < 4; ++i, stop = go()) {
    EXPECT_EQ(stop.reason, DebugStop::Reason::watchpoint);
    EXPECT_EQ(stop.watch, Watch::write);
    EXPECT_TRUE(stop.write);
    const bool word = pc() == kBase + 12;
    EXPECT_EQ(stop.address, word ? data + 6 : data + 7);
    EXPECT_EQ(pc(), kBase + (word ? 12 : 20));
  }
}

TEST_P(CpuDebugOf, watchpoints_tell_reads_from_writes) {
  machine.put32(kBase, {auipc(s0, 1), lw(a1, s0, 0), sw(a0, s0, 0), amo(0, a1, s0, a0, 4), lr(a1, s0, 4),
                        sc(a2, s0, a1, 4), sc(a2, s0, a1, 4), jal(0, -28)});
  const auto places = [&](Watch watch) {
    points.clear();
    points.insert_watchpoint(watch, kBase + 0x1000, 4);
    debug();
    std::vector<std::uint64_t> stops;
    for (int i = 0; i < 16; ++i) {
      const std::uint64_t at = (go(), pc() - kBase);
      if (!stops.empty() && at == stops.front()) break;
      stops.push_back(at);
    }
    std::sort(stops.begin(), stops.end());
    return stops;
  };
  // An SC that fails stores nothing, and none loads.
  EXPECT_EQ(places(Watch::read), (std::vector<std::uint64_t>{8, 16, 20}));
  EXPECT_EQ(places(Watch::write), (std::vector<std::uint64_t>{12, 16, 24}));
  EXPECT_EQ(places(Watch::access), (std::vector<std::uint64_t>{8, 12, 16, 20, 24}));
}

TEST_P(CpuDebugOf, a_watchpoint_on_a_device_stops_behind_the_access) {
  machine.put32(kBase, {lui(s0, 0x10000), sb(a0, s0, 1), sb(a0, s0, 0), lbu(a1, s0, 5), jal(0, -16)});
  points.insert_watchpoint(Watch::write, TestMachine::kUart, 1);
  points.insert_watchpoint(Watch::read, TestMachine::kUart + 5, 1);
  debug();
  EXPECT_EQ(go().address, TestMachine::kUart);
  EXPECT_EQ(pc(), kBase + 12);
  EXPECT_EQ(machine.output.size(), 1u) << "it has been done";
  EXPECT_EQ(go().address, TestMachine::kUart + 5);
  EXPECT_EQ(pc(), kBase + 16);
}

TEST_P(CpuDebugOf, csrs_are_written_by_their_rules_and_counters_hold_what_was_written) {
  Core& core = *machine.core;
  core.run(7 * kCycle);
  EXPECT_TRUE(core.set_csr(mie, ~std::uint64_t{0}));
  EXPECT_EQ(machine.csr(mie), 0xaaau);
  EXPECT_TRUE(core.set_csr(mepc, 0x1235));
  EXPECT_EQ(machine.csr(mepc), 0x1234u);
  EXPECT_TRUE(core.set_csr(mcycle, 1000));
  EXPECT_EQ(machine.csr(mcycle), 1000u);
  EXPECT_TRUE(core.set_csr(minstret, 77));
  EXPECT_EQ(machine.csr(minstret), 77u);
  EXPECT_FALSE(core.set_csr(mhartid, 1));
  EXPECT_FALSE(core.set_csr(0x15c, 1));
}

TEST(Csrs, every_name_has_one_number_and_every_readable_number_a_name) {
  TestMachine machines[] = {TestMachine(config_of(32)), TestMachine(config_of(64))};
  std::uint64_t value = 0;
  for (const TestMachine& machine : machines)
    for (unsigned number = 0; number < 4096; ++number)
      EXPECT_TRUE(!machine.core->csr(number, value) || !csr_name(number).empty()) << number;
  for (std::size_t i = 1; i < known_csrs().size(); ++i)
    EXPECT_LT(known_csrs()[i - 1].number, known_csrs()[i].number) << known_csrs()[i].name;
  EXPECT_EQ(csr_name(0x300), "mstatus");
  EXPECT_EQ(csr_name(0xb83), "mhpmcounter3h");
  EXPECT_EQ(csr_name(0x3bf), "pmpaddr15");
  EXPECT_EQ(csr_name(0x7c0), "");
}

}  // namespace
}  // namespace vp::cpu
