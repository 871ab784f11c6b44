#include "models/cpu/core.h"

#include <gtest/gtest.h>

#include "tests/cpu/encode.h"
#include "tests/cpu/test_machine.h"

namespace vp::cpu {
namespace {

using namespace encode;

class Core_ : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Widths, Core_, testing::Values(32u, 64u));

// ---- time ----

TEST(CoreTime, IsTheSumOfClassCostsAndMemoryLatency) {
  CpuConfig config;
  config.clock = 1000;
  unsigned n = 0;
  for (unsigned& cost : config.cycles.of_class)
    cost = 10 + n++;  // alu 10, mul 11, div 12, load 13, store 14, branch 15 ...
  config.cycles.branch_taken = 100;
  TestMachine machine(config);
  machine.latency = 777;
  machine.put32(kBase,
                {auipc(t0, 1), r(1, t0, t0, 0, a0, 0x33), r(1, t0, t0, 4, a0, 0x33), lw(a0, t0, 0), sw(a0, t0, 0),
                 beq(0, t0, 8), beq(0, 0, 8), kNop, jal(0, 4), csrr(a0, mscratch), lr(a0, t0, 4), kFence, kWfi});
  EXPECT_EQ(machine.run_to_end(), Stop::kWaitForInterrupt);
  EXPECT_EQ(machine.core->time(), (10 + 11 + 12 + 13 + 14 + 15 + 115 + 16 + 17 + 18 + 19 + 20) * 1000 + 3 * 777);
  EXPECT_EQ(machine.core->retired(), 12u);
}

TEST(CoreTime, AndStatisticsDoNotDependOnTheAccessPath) {
  Picoseconds time[2];
  std::vector<DirectTraffic> traffic;
  for (bool direct : {false, true}) {
    TestMachine machine;
    machine.latency = 12'345;
    machine.wide_extra = 1'111;
    machine.allow_direct = direct;
    machine.put32(
        kBase, {auipc(t0, 1), lw(a0, t0, 0), sd(a0, t0, 8), sb(a0, t0, 3), ld(a1, t0, 5), amo(0, a0, t0, a1, 4), kWfi});
    machine.run_to_end();
    time[direct] = machine.core->time();
    traffic = machine.core->direct_traffic();
    if (!direct) {
      EXPECT_EQ(machine.slow_accesses, 7u) << "the misaligned load is two";
      EXPECT_TRUE(traffic.empty());
    } else {
      EXPECT_EQ(machine.slow_accesses, 0u);
    }
  }
  EXPECT_EQ(time[0], time[1]);
  ASSERT_EQ(traffic.size(), 1u);
  EXPECT_EQ(traffic[0].reads, 4u);
  EXPECT_EQ(traffic[0].read_bytes, 4u + 8u + 4u);
  EXPECT_EQ(traffic[0].writes, 3u);
  EXPECT_EQ(traffic[0].written_bytes, 8u + 1u + 4u);
}

TEST_P(Core_, RunsEveryInstructionThatStartsBeforeTheLimit) {
  TestMachine machine(config_of(GetParam()));
  machine.put32(kBase, {addi(a0, a0, 1), addi(a0, a0, 1), addi(a0, a0, 1), jal(0, -12)});
  EXPECT_EQ(machine.core->run(0), Stop::kBudget);
  EXPECT_EQ(machine.core->retired(), 0u);
  EXPECT_EQ(machine.core->run(1), Stop::kBudget);
  EXPECT_EQ(machine.core->retired(), 1u);
  EXPECT_EQ(machine.core->time(), kCycle);
  machine.core->run(5 * kCycle);
  EXPECT_EQ(machine.core->retired(), 5u);
  machine.core->run(5 * kCycle + 1);
  EXPECT_EQ(machine.core->retired(), 6u);
}

TEST_P(Core_, StopsExactlyAtTheInstructionLimit) {
  TestMachine machine(config_of(GetParam()));
  machine.latency = 3'333;
  machine.put32(kBase, {auipc(t0, 1), lw(a1, t0, 0), addi(a0, a0, 1), sw(a0, t0, 0), jal(0, -12)});
  for (std::uint64_t limit : {1u, 2u, 77u, 78u, 100'003u}) {
    machine.core->set_instruction_limit(limit);
    EXPECT_EQ(machine.run_to_end(), Stop::kInstructionLimit);
    EXPECT_EQ(machine.core->retired(), limit);
  }
}

/// Program with branches, memory, atomics, CSR reads and a device; counters read in between make every deviation
/// visible.
void put_mixed_program(TestMachine& machine, unsigned xlen) {
  machine.put32(kBase, {auipc(t0, 1), lui(t1, 0x10001), addi(s0, 0, 0),  // loop:
                        addi(s0, s0, 1), store_x(xlen, s0, t0, 0), load_x(xlen, a0, t0, 0), r(1, s0, a0, 0, a1, 0x33),
                        amo(0, a2, t0, a1, 4), csrr(a3, mcycle), add(s1, s1, a3), csrr(a3, minstret), add(s1, s1, a3),
                        csrr(a3, time_), add(s1, s1, a3), lw(a4, t1, 0), add(s1, s1, a4), i(3, s0, 7, a5, 0x13),
                        bne(a5, 0, -56), jal(0, -60)});
}

TEST_P(Core_, AnyQuantumGivesTheSameRun) {
  struct Result {
    std::uint64_t retired, s1, pc;
    Picoseconds time;
  };
  std::vector<Result> results;
  for (Picoseconds quantum :
       {Picoseconds{1}, Picoseconds{9'999}, Picoseconds{10'000}, Picoseconds{77'777}, Picoseconds{10'000'000}}) {
    TestMachine machine(config_of(GetParam()));
    machine.latency = 4'321;
    machine.device = [](bool, std::uint64_t address, void* data, unsigned size, Picoseconds& time) {
      if (address != 0x10001000) return false;
      std::memcpy(data, &time, size);
      time += 12'001;
      return true;
    };
    put_mixed_program(machine, GetParam());
    const Picoseconds end = 5'000'000;
    for (Picoseconds now = quantum; machine.core->time() < end; now += quantum) {
      const Picoseconds until = std::min(std::max(now, machine.core->time() + 1), end);
      machine.core->run(until);
    }
    results.push_back({machine.core->retired(), machine.core->x(s1), machine.core->pc(), machine.core->time()});
  }
  for (const Result& result : results) {
    EXPECT_EQ(result.retired, results[0].retired);
    EXPECT_EQ(result.s1, results[0].s1);
    EXPECT_EQ(result.pc, results[0].pc);
    EXPECT_EQ(result.time, results[0].time);
  }
  EXPECT_GT(results[0].retired, 200u);
}

class FetchCounter : public TestMachine {
 public:
  using TestMachine::TestMachine;
  unsigned fetch(std::uint64_t address, void* data, unsigned size) override {
    ++fetches;
    return TestMachine::fetch(address, data, size);
  }
  unsigned fetches = 0;
};

TEST_P(Core_, limits_between_the_instructions_of_a_block_leave_nothing_to_decode_anew) {
  FetchCounter machine(config_of(GetParam()));
  machine.put32(kBase, {auipc(t0, 1), sw(a0, t0, 0), lw(a1, t0, 0), addi(a0, a0, 1), jal(0, -16)});
  for (Picoseconds now = kCycle; now <= 5 * kCycle; now += kCycle) machine.core->run(now);
  const unsigned before = machine.fetches;
  for (Picoseconds now = 6 * kCycle; now <= 40 * kCycle; now += kCycle) machine.core->run(now);
  EXPECT_EQ(machine.core->retired(), 40u);
  EXPECT_EQ(machine.core->x(a1), 7u);
  EXPECT_EQ(machine.fetches, before);
  EXPECT_LT(before, 5u);
}

// ---- interrupts ----

/// mtvec = kBase + 0x1000 + mode, the interrupts in t1 enabled, then endless additions to a0.
void put_interrupt_program(TestMachine& machine, unsigned vectored, std::uint32_t enabled) {
  machine.put32(kBase, {auipc(t0, 1), addi(t0, t0, static_cast<int>(vectored)), csrw(mtvec, t0), lui(t1, enabled >> 12),
                        addi(t1, t1, static_cast<int>(enabled & 0xfff)), csrw(mie, t1), csrrsi(0, mstatus, 8)});
  std::uint64_t at = kBase + 28;
  for (unsigned k = 0; k < 20; ++k, at += 4) machine.put32(at, {addi(a0, a0, 1)});
  machine.put32(at, {jal(0, -80)});
}

TEST_P(Core_, InterruptIsTakenAtTheFirstBoundaryAtOrAfterItsEdge) {
  for (Picoseconds edge : {100'000u, 100'001u, 109'999u, 110'000u, 155'555u}) {
    TestMachine machine(config_of(GetParam()));
    put_interrupt_program(machine, 0, 1u << 7);
    machine.put32(kBase + 0x1000, {jal(0, 0)});
    EXPECT_EQ(machine.core->run(edge), Stop::kBudget);
    machine.core->set_interrupt(Interrupt::machine_timer, true);
    EXPECT_EQ(machine.core->run(edge + 5 * kCycle), Stop::kBudget);
    const std::uint64_t boundary = (edge + kCycle - 1) / kCycle;
    EXPECT_EQ(machine.core->last_trap().time, boundary * kCycle);
    EXPECT_EQ(machine.core->x(a0), boundary - 7) << "seven instructions of set-up, one cycle each";
    EXPECT_EQ(machine.csr(mepc), kBase + 4 * boundary);
    EXPECT_EQ(machine.csr(mcause), std::uint64_t{7} | std::uint64_t{1} << (GetParam() - 1));
    EXPECT_EQ(machine.csr(mtval), 0u);
  }
}

TEST_P(Core_, InterruptsAreTakenExternalThenSoftwareThenTimer) {
  TestMachine machine(config_of(GetParam()));
  put_interrupt_program(machine, 0, 0x888 - 0x1000);
  machine.put32(kBase + 12, {lui(t1, 1), addi(t1, t1, 0x888 - 0x1000)});
  machine.put32(kBase + 0x1000, {csrr(a1, mcause), kMret});
  for (Interrupt interrupt : {Interrupt::machine_timer, Interrupt::machine_software, Interrupt::machine_external})
    machine.core->set_interrupt(interrupt, true);
  std::vector<unsigned> order;
  Hooks hooks;
  hooks.trap = [&](const TrapRecord& record) {
    order.push_back(record.cause);
    machine.core->set_interrupt(static_cast<Interrupt>(record.cause), false);
  };
  machine.core->set_hooks(hooks);
  machine.core->run(30 * kCycle);
  EXPECT_EQ(order, (std::vector<unsigned>{11, 3, 7}));
  EXPECT_EQ(machine.core->interrupts_taken()[11], 1u);
}

TEST_P(Core_, VectoredInterruptsHaveTheirOwnEntryExceptionsTheBase) {
  TestMachine machine(config_of(GetParam()));
  put_interrupt_program(machine, 1, 1u << 7);
  machine.put32(kBase + 0x1000, {jal(0, 0)});
  machine.put32(kBase + 0x1000 + 4 * 7, {kEcall});
  machine.core->set_interrupt(Interrupt::machine_timer, true);
  machine.core->run(20 * kCycle);
  EXPECT_EQ(machine.csr(mepc), kBase + 0x1000 + 4 * 7);
  EXPECT_EQ(machine.csr(mcause), 11u);
  EXPECT_EQ(machine.core->pc(), kBase + 0x1000);
}

TEST_P(Core_, MaskedInterruptWaitsUntilItIsEnabled) {
  TestMachine machine(config_of(GetParam()));
  machine.put32(kBase,
                {auipc(t0, 1), csrw(mtvec, t0), addi(t1, 0, 0x80), csrw(mie, t1), kNop, csrrsi(0, mstatus, 8), kNop});
  machine.put32(kBase + 0x1000, {jal(0, 0)});
  machine.core->set_interrupt(Interrupt::machine_timer, true);
  machine.core->run(10 * kCycle);
  EXPECT_EQ(machine.csr(mepc), kBase + 24) << "the instruction after the one that enables it";
}

TEST_P(Core_, WfiWaitsForAnyInterruptThatMieEnablesWhateverMstatusSays) {
  TestMachine machine(config_of(GetParam()));
  machine.put32(kBase, {addi(t1, 0, 0x80), csrw(mie, t1), kWfi, addi(a0, a0, 1), kWfi, addi(a0, a0, 1), jal(0, 0)});
  EXPECT_EQ(machine.core->run(kCycle * 100), Stop::kWaitForInterrupt);
  EXPECT_EQ(machine.core->pc(), kBase + 12);
  EXPECT_EQ(machine.core->time(), 3 * kCycle);
  machine.core->set_interrupt(Interrupt::machine_external, true);
  EXPECT_FALSE(machine.core->wakes()) << "not enabled in mie";
  machine.core->set_interrupt(Interrupt::machine_timer, true);
  EXPECT_TRUE(machine.core->wakes());
  machine.core->advance_time(50 * kCycle);
  EXPECT_EQ(machine.core->run(kCycle * 100), Stop::kBudget) << "the second wfi does not wait";
  EXPECT_EQ(machine.core->x(a0), 2u);
  EXPECT_EQ(machine.core->retired(), 3u + 50u);
}

// ---- counters ----

TEST_P(Core_, CountersCountAndCanBeWritten) {
  TestMachine machine(config_of(GetParam()));
  machine.put32(
      kBase, {kNop, csrr(a0, mcycle), csrr(a1, minstret), addi(t0, 0, 100), csrw(mcycle, t0), csrr(a2, mcycle),
              csrw(minstret, t0), csrr(a3, minstret), csrrwi(0, mcountinhibit, 5), csrr(a4, mcycle), csrr(a5, minstret),
              csrrwi(0, mcountinhibit, 0), csrr(a6, mcycle), csrr(a7, minstret), kWfi});
  machine.run_to_end();
  EXPECT_EQ(machine.core->x(a0), 1u);
  EXPECT_EQ(machine.core->x(a1), 2u);
  EXPECT_EQ(machine.core->x(a2), 100u) << "the value written is what the next instruction reads";
  EXPECT_EQ(machine.core->x(a3), 100u);
  EXPECT_EQ(machine.core->x(a4), 104u);
  EXPECT_EQ(machine.core->x(a5), 102u);
  EXPECT_EQ(machine.core->x(a6), 104u) << "stopped meanwhile";
  EXPECT_EQ(machine.core->x(a7), 103u);
}

TEST(CoreCounters, Rv32ReadsAndWritesThemInHalves) {
  TestMachine machine(config_of(32));
  machine.put32(kBase, {addi(t0, 0, 7), csrw(mcycleh, t0), csrr(a0, mcycleh), addi(t0, 0, -1), csrw(mcycle, t0),
                        csrr(a1, mcycle), csrr(a2, mcycleh), kWfi});
  machine.run_to_end();
  EXPECT_EQ(machine.core->x(a0), 7u);
  EXPECT_EQ(machine.core->x(a1), 0xffffffffu);
  EXPECT_EQ(machine.core->x(a2), 8u) << "the lower half has overflowed";
}

TEST(CoreCounters, a_write_of_half_of_minstret_takes_the_place_of_its_own_count) {
  TestMachine machine(config_of(32));
  machine.put32(
      kBase, {addi(t0, 0, -1), csrw(minstret, t0), csrw(minstreth, t0), kNop, csrr(a0, minstret), csrr(a1, minstreth),
              csrw(minstreth, 0), csrw(minstret, t0), csrr(a2, minstreth), csrr(a3, minstreth), kWfi});
  machine.run_to_end();
  EXPECT_EQ(machine.core->x(a0), 0u) << "the no-operation was the one that counted";
  EXPECT_EQ(machine.core->x(a1), 0u);
  EXPECT_EQ(machine.core->x(a2), 0u) << "lower half full, none counted yet";
  EXPECT_EQ(machine.core->x(a3), 1u) << "the carry of the first that counted";
}

TEST_P(Core_, trigger_registers_read_zero_and_ignore_writes) {
  TestMachine machine(config_of(GetParam()));
  machine.put32(kBase, {addi(t0, 0, -1), csrw(0x7a0, t0), csrw(0x7a1, t0), addi(a0, 0, 1), addi(a1, 0, 1),
                        csrr(a0, 0x7a0), csrr(a1, 0x7a1), csrr(a2, 0x7a3), kWfi});
  EXPECT_EQ(machine.run_to_end(), Stop::kWaitForInterrupt);
  EXPECT_EQ(machine.core->x(a0), 0u);
  EXPECT_EQ(machine.core->x(a1), 0u);
}

TEST_P(Core_, TimeComesFromTheMachine) {
  TestMachine machine(config_of(GetParam()));
  machine.put32(kBase, {jal(0, 0)});
  machine.core->run(1'000'000);
  machine.put32(kBase, {csrr(a0, time_), kWfi});
  machine.run_to_end();
  EXPECT_EQ(machine.core->x(a0), 10u);
}

// ---- code ----

TEST_P(Core_, ChangedCodeShowsAfterFenceI) {
  TestMachine machine(config_of(GetParam()));
  // The word at target is executed once, overwritten, and executed again after fence.i.
  machine.put32(
      kBase, {auipc(t0, 0), lui(t1, addi(a0, a0, 16) >> 12), addi(t1, t1, static_cast<int>(addi(a0, a0, 16) & 0xfff)),
              addi(s0, 0, 2), addi(a0, a0, 1) /* target */, addi(s0, s0, -1), beq(s0, 0, 16), sw(t1, t0, 16), kFenceI,
              jal(0, -20), kWfi});
  ASSERT_LT(addi(a0, a0, 16) & 0xfff, 0x800u);
  machine.run_to_end();
  EXPECT_EQ(machine.core->x(a0), 17u);
}

TEST_P(Core_, LoaderAndResetDiscardDecodedCode) {
  TestMachine machine(config_of(GetParam()));
  machine.put32(kBase, {addi(a0, 0, 1), kWfi});
  machine.run_to_end();
  machine.put32(kBase, {addi(a0, 0, 2)});
  machine.core->set_x(a1, 55);
  machine.core->reset();
  EXPECT_EQ(machine.core->x(a1), 0u);
  machine.run_to_end();
  EXPECT_EQ(machine.core->x(a0), 2u);
  EXPECT_EQ(machine.core->time(), 4 * kCycle) << "time goes on";
  EXPECT_EQ(machine.csr(mcycle), 2u) << "the counter starts again";
}

TEST_P(Core_, InstructionsMayLieAcrossPages) {
  TestMachine machine(config_of(GetParam()));
  machine.put32(kBase, {auipc(t0, 1), jalr(0, t0, -2)});
  machine.put32(kBase + 0xffe, {addi(a0, 0, 42), kWfi});
  machine.run_to_end();
  EXPECT_EQ(machine.core->x(a0), 42u);
}

TEST_P(Core_, InvalidatedDirectMemoryIsNotTouchedAgain) {
  TestMachine machine(config_of(GetParam()));
  machine.put32(kBase, {auipc(t0, 1), lw(a0, t0, 0), kWfi, lw(a1, t0, 0), kWfi});
  machine.put32(kBase + 0x1000, {11});
  machine.run_to_end();
  EXPECT_EQ(machine.slow_accesses, 0u);
  machine.allow_direct = false;
  machine.core->invalidate_direct(0, ~std::uint64_t{0});
  machine.run_to_end();
  EXPECT_EQ(machine.slow_accesses, 1u);
  EXPECT_EQ(machine.core->x(a1), 11u);
  EXPECT_EQ(machine.core->direct_traffic()[0].reads, 1u) << "counts outlive the grant";
}

// ---- LR and SC ----

TEST_P(Core_, StoreConditionalSucceedsOnlyWithItsReservation) {
  TestMachine machine(config_of(GetParam()));
  machine.put32(kBase, {auipc(t0, 1), addi(t1, t0, 8), addi(t2, 0, 99), sc(a0, t0, t2, 4),  // none
                        lr(a1, t0, 4), sc(a2, t1, t2, 4), sc(a3, t0, t2, 4),  // other address, then used up
                        lr(a4, t0, 4), sc(a5, t0, t2, 4), lw(a6, t0, 0), kWfi});
  machine.put32(kBase + 0x1000, {5});
  machine.run_to_end();
  EXPECT_EQ(machine.core->x(a0), 1u);
  EXPECT_EQ(machine.core->x(a1), 5u);
  EXPECT_EQ(machine.core->x(a2), 1u);
  EXPECT_EQ(machine.core->x(a3), 1u);
  EXPECT_EQ(machine.core->x(a5), 0u);
  EXPECT_EQ(machine.core->x(a6), 99u);
}

TEST_P(Core_, StoreConditionalWithoutAReservationIsNoAccess) {
  for (const bool direct : {false, true}) {
    TestMachine machine(config_of(GetParam()));
    machine.allow_direct = direct;
    machine.latency = 7'000;
    machine.put32(kBase, {auipc(t0, 1), sc(a0, t0, t0, 4), kWfi});
    machine.run_to_end();
    EXPECT_EQ(machine.core->x(a0), 1u);
    EXPECT_EQ(machine.slow_accesses, 0u);
    EXPECT_EQ(machine.core->time(), 3 * kCycle);
  }
}

TEST_P(Core_, StoreConditionalFailsIfAnotherInitiatorWrote) {
  TestMachine machine(config_of(GetParam()));
  machine.put32(kBase, {auipc(t0, 1), lr(a0, t0, 4), kWfi, sc(a1, t0, t0, 4), kWfi});
  machine.run_to_end();
  machine.reserved = false;  // and wrote the value that was there
  machine.run_to_end();
  EXPECT_EQ(machine.core->x(a1), 1u);
}

/// By host pointer a load and a store, elsewhere an access of a kind of its own; the same result at the same time.
TEST_P(Core_, AtomicsAreTheSameByHostPointerAndThroughThePort) {
  Picoseconds times[2];
  for (const bool direct : {false, true}) {
    TestMachine machine(config_of(GetParam()));
    machine.allow_direct = direct;
    machine.latency = 7'000;
    machine.put32(kBase, {auipc(t0, 1), addi(a1, 0, 5), amo(0, a0, t0, a1, 4), lr(a2, t0, 4), sc(a3, t0, a0, 4),
                          lw(a4, t0, 0), sc(a5, t0, a1, 4), kWfi});
    machine.run_to_end();
    EXPECT_EQ(machine.core->x(a2), 5u);
    EXPECT_EQ(machine.core->x(a3), 0u);
    EXPECT_EQ(machine.core->x(a4), 0u) << "what SC wrote";
    EXPECT_EQ(machine.core->x(a5), 1u) << "nothing is reserved any more";
    times[direct] = machine.core->time();
  }
  EXPECT_EQ(times[0], times[1]);
}

// ---- hooks and stopping ----

TEST_P(Core_, TraceSeesEveryInstructionAndChangesNothing) {
  TestMachine plain(config_of(GetParam())), traced(config_of(GetParam()));
  std::vector<TraceRecord> lines;
  Hooks hooks;
  hooks.trace = [&](const TraceRecord& record) { lines.push_back(record); };
  traced.core->set_hooks(hooks);
  for (TestMachine* machine : {&plain, &traced}) {
    machine->latency = 5'000;
    machine->device = [](bool, std::uint64_t, void* data, unsigned size, Picoseconds&) {
      return std::memset(data, 1, size) != nullptr;
    };
    put_mixed_program(*machine, GetParam());
    while (machine->core->time() < 2'000'000) machine->core->run(2'000'000);
  }
  EXPECT_EQ(plain.core->retired(), traced.core->retired());
  EXPECT_EQ(plain.core->time(), traced.core->time());
  EXPECT_EQ(plain.core->x(s1), traced.core->x(s1));
  ASSERT_EQ(lines.size(), traced.core->retired());
  EXPECT_EQ(lines[0].pc, kBase);
  EXPECT_EQ(lines[0].rd, static_cast<unsigned>(t0));
  EXPECT_EQ(lines[0].value, kBase + 0x1000);
  EXPECT_TRUE(lines[4].has_address);
  EXPECT_EQ(lines[4].address, kBase + 0x1000);
  EXPECT_EQ(lines[4].rd, 0);
  EXPECT_EQ(lines[4].time, 4 * kCycle);
}

/// The mixed program to 2 us; the trace of these times, and where the hart stands behind it.
struct TracedRun {
  std::vector<TraceRecord> lines;
  std::uint64_t retired = 0;
  Picoseconds time = 0;

  TracedRun(unsigned xlen, Picoseconds from, Picoseconds to, Picoseconds step) {
    TestMachine machine(config_of(xlen));
    Hooks hooks;
    hooks.trace = [this](const TraceRecord& record) { lines.push_back(record); };
    hooks.trace_window.from = from;
    hooks.trace_window.to = to;
    machine.core->set_hooks(hooks);
    machine.latency = 5'000;
    machine.device = [](bool, std::uint64_t, void* data, unsigned size, Picoseconds&) {
      return std::memset(data, 1, size) != nullptr;
    };
    put_mixed_program(machine, xlen);
    while (machine.core->time() < 2'000'000)
      machine.core->run(std::min<Picoseconds>(machine.core->time() + step, 2'000'000));
    retired = machine.core->retired();
    time = machine.core->time();
  }
};

TEST_P(Core_, a_trace_of_some_time_is_that_part_of_the_whole_one) {
  const TracedRun whole(GetParam(), 0, kNever, 2'000'000);
  for (const Picoseconds from : {0u, 1u, 30'000u, 777'777u, 1'999'999u, 2'000'000u})
    for (const Picoseconds length : {0u, 1u, 10'000u, 500'000u, 4'000'000u})
      for (const Picoseconds step : {2'000'000u, 70'000u}) {
        const TracedRun part(GetParam(), from, from + length, step);
        EXPECT_EQ(part.retired, whole.retired);
        EXPECT_EQ(part.time, whole.time);
        std::vector<std::uint64_t> expected, got;
        for (const TraceRecord& one : whole.lines)
          if (one.time >= from && one.time < from + length)
            expected.insert(expected.end(), {one.time, one.pc, one.value});
        for (const TraceRecord& one : part.lines) got.insert(got.end(), {one.time, one.pc, one.value});
        EXPECT_EQ(got, expected) << from << " + " << length << " in steps of " << step;
      }
}

TEST_P(Core_, StopRequestDuringAnAccessIsExact) {
  TestMachine machine(config_of(GetParam()));
  machine.put32(kBase, {lui(t0, 0x100), addi(a0, 0, 1), sw(0, t0, 0), addi(a0, 0, 2)});
  machine.run_to_end();
  EXPECT_TRUE(machine.finished);
  EXPECT_EQ(machine.core->run(kNever), Stop::kStopped);
  EXPECT_EQ(machine.core->retired(), 3u);
  EXPECT_EQ(machine.core->x(a0), 1u);
  machine.core->clear_stop();
  machine.core->run(4 * kCycle);
  EXPECT_EQ(machine.core->x(a0), 2u);
}

}  // namespace
}  // namespace vp::cpu
