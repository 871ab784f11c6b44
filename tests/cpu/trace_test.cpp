// The records of a trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "tests/cpu/random_bench.h"

namespace vp::cpu {
namespace {

using namespace encode;

/// A random program under a trace.
struct TracedBench {
  TracedBench(unsigned seed, const TraceWindow& window) : bench(seed, random_settings(seed)) {
    Hooks hooks;
    hooks.trace = [this](const TraceRecord& record) { lines.push_back(record); };
    hooks.trace_window = window;
    bench.machine.core->set_hooks(std::move(hooks));
  }
  std::vector<std::uint64_t> seen_in(const TraceWindow& window) const {
    std::vector<std::uint64_t> seen;
    for (const TraceRecord& line : lines)
      if (window.contains(line.pc, line.time))
        seen.insert(seen.end(), {line.time, line.pc, line.rd, line.value, line.csr_value, line.stored_value, line.fd,
                                 line.float_value});
    return seen;
  }
  RandomBench bench;
  std::vector<TraceRecord> lines;
};

TEST(CpuTrace, of_some_addresses_and_times_is_that_part_of_the_whole_one_and_changes_nothing) {
  std::size_t lines = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    TraceWindow window;
    window.first_pc = kBase + 2 * dice.from_to(0, 2 * kWords);
    window.last_pc = window.first_pc + dice.from_to(0, 400);
    window.from = dice.from_to(0, 3'000'000);
    window.to = window.from + dice.from_to(0, 60'000'000);
    RandomBench plain(seed, random_settings(seed));
    TracedBench whole(seed, {}), part(seed, window);
    Dice first = dice, second = dice;
    for (int step = 0; step < 100; ++step) {
      plain.step(dice);
      whole.bench.step(first);
      part.bench.step(second);
      ASSERT_EQ(plain.seen.str(), whole.bench.seen.str());
      ASSERT_EQ(plain.seen.str(), part.bench.seen.str());
    }
    EXPECT_EQ(part.lines.size() * 8, part.seen_in(window).size()) << "nothing else";
    EXPECT_EQ(part.seen_in(window), whole.seen_in(window));
    lines += part.lines.size();
  }
  EXPECT_GT(lines, 1000u);
}

TEST(CpuTrace, can_be_paused) {
  TestMachine machine;
  std::vector<TraceRecord> lines;
  Hooks hooks;
  hooks.trace = [&](const TraceRecord& record) { lines.push_back(record); };
  machine.core->set_hooks(std::move(hooks));
  machine.put32(kBase, {addi(a0, a0, 1), jal(0, -4)});
  machine.core->run(10 * kCycle);
  machine.core->set_tracing(false);
  machine.core->run(1000 * kCycle);
  EXPECT_EQ(lines.size(), 10u);
  machine.core->set_tracing(true);
  machine.core->run(1005 * kCycle);
  ASSERT_EQ(lines.size(), 15u);
  EXPECT_EQ(lines[10].time, 1000 * kCycle);
}

class CpuTraceOf : public testing::TestWithParam<unsigned> {
 protected:
  void run(std::initializer_list<std::uint32_t> code) {
    TestMachine machine(config_of(GetParam()));
    Hooks hooks;
    hooks.trace = [this](const TraceRecord& record) { lines.push_back(record); };
    machine.core->set_hooks(std::move(hooks));
    machine.put32(kBase, code);
    machine.run_to_end();
  }
  std::vector<TraceRecord> lines;
};
INSTANTIATE_TEST_SUITE_P(Widths, CpuTraceOf, testing::Values(32u, 64u));

TEST_P(CpuTraceOf, a_store_shows_its_value_and_a_load_none) {
  run({auipc(s0, 1), addi(a0, 0, -2), sb(a0, s0, 3), lw(a1, s0, 0), kWfi});
  EXPECT_EQ(lines[2].stored, 1);
  EXPECT_EQ(lines[2].loaded, 0);
  EXPECT_EQ(lines[2].stored_value & 0xff, 0xfeu);
  EXPECT_EQ(lines[2].address, kBase + 0x1003);
  EXPECT_EQ(lines[3].loaded, 4);
  EXPECT_EQ(lines[3].stored, 0);
  EXPECT_EQ(lines[1].loaded + lines[1].stored, 0);
}

TEST_P(CpuTraceOf, an_amo_shows_what_memory_holds_then_whatever_its_registers_are) {
  run({auipc(s0, 1), addi(a0, 0, 5), sw(a0, s0, 0), amo(0, a0, s0, a0, 4), amo(0, 0, s0, a0, 4), amo(0, s0, s0, a0, 4),
       kWfi});
  for (const std::size_t i : {3, 4, 5}) {
    EXPECT_EQ(lines[i].loaded, 4);
    EXPECT_EQ(lines[i].stored, 4);
    EXPECT_EQ(lines[i].address, kBase + 0x1000) << i;
    EXPECT_EQ(lines[i].stored_value, 5 * (i - 1)) << i;
  }
}

TEST_P(CpuTraceOf, a_store_conditional_that_fails_stores_nothing) {
  run({auipc(s0, 1), addi(a0, 0, 7), lr(a1, s0, 4), sc(a2, s0, a0, 4), sc(a2, s0, a0, 4), kWfi});
  EXPECT_EQ(lines[2].loaded, 4);
  EXPECT_EQ(lines[3].stored, 4);
  EXPECT_EQ(lines[3].stored_value, 7u);
  EXPECT_EQ(lines[3].loaded, 0);
  EXPECT_EQ(lines[4].stored, 0);
}

TEST_P(CpuTraceOf, a_csr_write_shows_the_value_that_it_has_then) {
  run({addi(t0, 0, -1), csrrw(a0, mie, t0), csrr(a1, mie), csrrs(a1, mie, 0), csrrsi(0, mstatus, 8), kWfi});
  EXPECT_EQ(lines[1].csr, static_cast<unsigned>(mie));
  EXPECT_EQ(lines[1].csr_value, 0xaaau);
  EXPECT_EQ(lines[2].csr, TraceRecord::kNoCsr) << "only read";
  EXPECT_EQ(lines[3].csr, TraceRecord::kNoCsr);
  EXPECT_EQ(lines[4].csr, static_cast<unsigned>(mstatus));
  EXPECT_EQ(lines[4].csr_value & 8, 8u);
}

TEST_P(CpuTraceOf, mret_shows_mstatus_and_a_trap_its_cause) {
  run({auipc(t0, 0), addi(t0, t0, 24), csrw(mtvec, t0), kEcall, kWfi, kNop, csrr(t1, mepc), addi(t1, t1, 4),
       csrw(mepc, t1), kMret});
  EXPECT_TRUE(lines[3].trapped);
  EXPECT_EQ(lines[3].cause, 11u);
  EXPECT_EQ(lines[7].csr, static_cast<unsigned>(mstatus));
  EXPECT_EQ(lines[8].pc, kBase + 16);
}

}  // namespace
}  // namespace vp::cpu
