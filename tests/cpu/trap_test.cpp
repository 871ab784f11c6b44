#include <gtest/gtest.h>

#include "tests/cpu/encode.h"
#include "tests/cpu/test_machine.h"

namespace vp::cpu {
namespace {

using namespace encode;

constexpr std::uint64_t kHandler = kBase + 0x1000;

/// mtvec at kHandler (plus mode); t0 is used.
void set_handler(TestMachine& machine, unsigned mode = 0) {
  machine.put32(kBase, {auipc(t0, 1), addi(t0, t0, static_cast<int>(mode)), csrw(mtvec, t0), jal(0, 0x100 - 12)});
  machine.put32(kHandler, {kWfi});
}
constexpr std::uint64_t kProgram = kBase + 0x100;

class Traps : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Widths, Traps, testing::Values(32u, 64u));

/// Runs a program whose handler is a wfi, and expects a trap.
void expect_trap(const CpuConfig& config, std::initializer_list<std::uint32_t> program, std::uint64_t cause,
                 std::uint64_t pc, std::uint64_t value) {
  TestMachine machine(config);
  set_handler(machine);
  machine.put32(kProgram, program);
  EXPECT_EQ(machine.run_to_end(), Stop::kWaitForInterrupt);
  EXPECT_EQ(machine.csr(mcause), cause);
  EXPECT_EQ(machine.csr(mepc), pc);
  EXPECT_EQ(machine.csr(mtval), value);
  EXPECT_EQ(machine.core->pc(), kHandler + 4);
  EXPECT_EQ(machine.csr(mstatus) >> 11 & 3, 3u);
}
void expect_trap(unsigned xlen, std::initializer_list<std::uint32_t> program, std::uint64_t cause, std::uint64_t pc,
                 std::uint64_t value) {
  expect_trap(config_of(xlen), program, cause, pc, value);
}

TEST_P(Traps, EcallAndEbreak) {
  expect_trap(GetParam(), {kNop, kEcall}, 11, kProgram + 4, 0);
  expect_trap(GetParam(), {kNop, kEbreak}, 3, kProgram + 4, kProgram + 4);
  expect_trap(GetParam(), {0x9002'0001}, 3, kProgram + 2, kProgram + 2);  // c.nop, c.ebreak
}

TEST_P(Traps, IllegalInstructionGivesItsBits) {
  expect_trap(GetParam(), {kNop, 0xffffffff}, 2, kProgram + 4, 0xffffffff);
  expect_trap(GetParam(), {kNop, 0xdead0000}, 2, kProgram + 4, 0);
  expect_trap(GetParam(), {csrr(a0, 0x15c)}, 2, kProgram, csrr(a0, 0x15c));
  expect_trap(GetParam(), {csrw(mhartid, a0)}, 2, kProgram, csrw(mhartid, a0));
}

TEST_P(Traps, FailedLoadIsPreciseInTheMiddleOfABlock) {
  TestMachine machine(config_of(GetParam()));
  set_handler(machine);
  machine.put32(kProgram, {addi(a0, 0, 1), lw(a0, 0, 64), addi(a1, 0, 1), kWfi});
  machine.run_to_end();
  EXPECT_EQ(machine.csr(mcause), 5u);
  EXPECT_EQ(machine.csr(mtval), 64u);
  EXPECT_EQ(machine.csr(mepc), kProgram + 4);
  EXPECT_EQ(machine.core->x(a0), 1u);
  EXPECT_EQ(machine.core->x(a1), 0u);
  EXPECT_EQ(machine.core->retired(), 4u + 1u + 1u) << "the load did not retire";
}

TEST_P(Traps, StoreAndFetchAccessFaults) {
  expect_trap(GetParam(), {sw(a0, 0, 64)}, 7, kProgram, 64);
  expect_trap(GetParam(), {jalr(0, 0, 64)}, 1, 64, 64);
  expect_trap(GetParam(), {amo(0, a0, 0, a1, 4)}, 7, kProgram, 0);
  expect_trap(GetParam(), {lr(a0, 0, 4)}, 5, kProgram, 0);
}

TEST_P(Traps, FetchFaultOfTheSecondHalfNamesTheHalf) {
  TestMachine machine(config_of(GetParam()), 0x2000);
  set_handler(machine);
  const std::uint16_t half = 0x0013;  // first half of a nop
  machine.put(kBase + 0x1ffe, &half, 2);
  machine.put32(kProgram, {auipc(t0, 2), jalr(0, t0, -0x102)});
  machine.run_to_end();
  EXPECT_EQ(machine.csr(mcause), 1u);
  EXPECT_EQ(machine.csr(mepc), kBase + 0x1ffe);
  EXPECT_EQ(machine.csr(mtval), kBase + 0x2000);
}

TEST_P(Traps, MisalignedAccessesAreDoneOrTrappedAsConfigured) {
  CpuConfig config = config_of(GetParam());
  {
    TestMachine machine(config);
    set_handler(machine);
    machine.put32(kProgram, {auipc(t0, 4), lui(a0, 0x12345), addi(a0, a0, 0x678), sw(a0, t0, 6), lw(a1, t0, 6), kWfi});
    machine.run_to_end();
    EXPECT_EQ(machine.core->x(a1), 0x12345678u);
    EXPECT_EQ(machine.csr(mcause), 0u);
  }
  config.misaligned = Misaligned::kTrap;
  expect_trap(config, {auipc(t0, 4), lw(a1, t0, 1)}, 4, kProgram + 4, kProgram + 0x4001);
  expect_trap(config, {auipc(t0, 4), sw(a1, t0, 2)}, 6, kProgram + 4, kProgram + 0x4002);
}

TEST_P(Traps, MisalignedAccessCrossingAPageReadsBackWhatItWrote) {
  TestMachine machine(config_of(GetParam()));
  set_handler(machine);
  machine.put32(kProgram, {auipc(t0, 4), lui(a0, 0x12345), addi(a0, a0, 0x678), addi(t0, t0, 0x7ff),
                           addi(t0, t0, 0x6ff), sw(a0, t0, 0), lw(a1, t0, 0), kWfi});
  machine.run_to_end();
  ASSERT_EQ(machine.core->x(t0) & 0xfff, 0xffeu);
  EXPECT_EQ(machine.core->x(a1), 0x12345678u);
  EXPECT_EQ(machine.memory[0x4ffe], 0x78);
  EXPECT_EQ(machine.memory[0x5001], 0x12);
}

TEST_P(Traps, AtomicsMustBeAlignedWhateverIsConfigured) {
  expect_trap(GetParam(), {auipc(t0, 4), addi(t0, t0, 2), lr(a0, t0, 4)}, 4, kProgram + 8, kProgram + 0x4002);
  expect_trap(GetParam(), {auipc(t0, 4), addi(t0, t0, 2), amo(0, a0, t0, a1, 4)}, 6, kProgram + 8, kProgram + 0x4002);
}

TEST_P(Traps, TrapStackOfMstatusAndMret) {
  TestMachine machine(config_of(GetParam()));
  set_handler(machine);
  machine.put32(kProgram, {csrrsi(0, mstatus, 8), kEcall, kNop, kWfi});
  machine.put32(kHandler, {csrr(a0, mstatus), csrr(t1, mepc), addi(t1, t1, 4), csrw(mepc, t1), kMret});
  machine.run_to_end();
  EXPECT_EQ(machine.core->x(a0) & 0x1888, 0x1880u) << "MPP = M, MPIE = 1, MIE = 0";
  EXPECT_EQ(machine.csr(mstatus) & 0x1888, 0x0088u) << "MPP = U, MPIE = 1, MIE = 1";
  EXPECT_EQ(machine.core->pc(), kProgram + 16);
}

TEST_P(Traps, UserModeMayNotTouchMachineRegisters) {
  for (std::uint32_t bad : {csrr(a0, mstatus), kMret, csrr(a0, cycle), csrr(a0, time_)}) {
    TestMachine machine(config_of(GetParam()));
    set_handler(machine);
    // All memory open to user mode: NAPOT over everything.
    machine.put32(kProgram, {addi(t0, 0, -1), csrw(pmpaddr0, t0), addi(t0, 0, 0x1f), csrw(pmpcfg0, t0), auipc(t0, 1),
                             csrw(mepc, t0), kMret});
    machine.put32(kProgram + 0x1010, {bad});
    machine.run_to_end();
    EXPECT_EQ(machine.csr(mcause), 2u);
    EXPECT_EQ(machine.csr(mtval), bad);
    EXPECT_EQ(machine.csr(mepc), kProgram + 0x1010);
    EXPECT_EQ(machine.csr(mstatus) >> 11 & 3, 0u) << "came from user mode";
  }
}

TEST_P(Traps, counters_in_user_mode_are_mcounterens_and_scounterens_to_give) {
  TestMachine machine(config_of(GetParam()));
  set_handler(machine);
  machine.put32(kProgram, {addi(t0, 0, -1), csrw(pmpaddr0, t0), addi(t0, 0, 0x1f), csrw(pmpcfg0, t0),
                           csrrwi(0, mcounteren, 7), csrrwi(0, scounteren, 5), auipc(t0, 1), csrw(mepc, t0), kMret});
  machine.put32(kProgram + 0x1018, {csrr(a0, cycle), csrr(a1, instret), csrr(a2, time_)});
  machine.run_to_end();
  EXPECT_EQ(machine.csr(mcause), 2u);
  EXPECT_EQ(machine.csr(mtval), csrr(a2, time_));
  EXPECT_EQ(machine.core->x(a0), 13u) << "instructions before it, one cycle each";
  EXPECT_EQ(machine.core->x(a1), 14u);
}

TEST_P(Traps, UserModeReachesNothingThatPmpDoesNotGrant) {
  TestMachine machine(config_of(GetParam()));
  set_handler(machine);
  // Execute-only for user mode: X of entry 0 over everything, so the load faults, though machine mode may.
  machine.put32(kProgram, {addi(t0, 0, -1), csrw(pmpaddr0, t0), addi(t0, 0, 0x1c), csrw(pmpcfg0, t0), auipc(t0, 1),
                           lw(a1, t0, 0), csrw(mepc, t0), kMret});
  machine.put32(kProgram + 0x1010, {lw(a0, t0, 0)});
  machine.run_to_end();
  EXPECT_EQ(machine.csr(mcause), 5u);
  EXPECT_EQ(machine.csr(mtval), kProgram + 0x1010);
  EXPECT_EQ(machine.core->x(a1), lw(a0, t0, 0));
}

TEST_P(Traps, PmpDividesAPage) {
  TestMachine machine(config_of(GetParam()));
  set_handler(machine);
  // Entry 0: 8 bytes at kBase + 0x3008, no rights, locked; machine mode obeys it, too.
  machine.put32(kProgram,
                {auipc(t2, 3), addi(t2, t2, -0x100), addi(t1, t2, 8), i(2, t1, 5, t0, 0x13), csrw(pmpaddr0, t0),
                 addi(t0, 0, 0x98), csrw(pmpcfg0, t0), lw(a0, t2, 4), lw(a1, t2, 16), sw(a0, t2, 8)});
  const std::uint32_t data[] = {1, 2, 3, 4, 5};
  machine.put(kBase + 0x3000, data, sizeof data);
  machine.run_to_end();
  EXPECT_EQ(machine.core->x(a0), 2u);
  EXPECT_EQ(machine.core->x(a1), 5u);
  EXPECT_EQ(machine.csr(mcause), 7u);
  EXPECT_EQ(machine.csr(mtval), kBase + 0x3008);
}

TEST_P(Traps, an_access_fault_names_the_pmp_entry_that_refused_and_no_other_trap_does) {
  TestMachine machine(config_of(GetParam()));
  set_handler(machine);
  // Entry 3 locks the four bytes at 0x4000 behind the start; entries 0 to 2 are off.
  machine.put32(kProgram, {auipc(t2, 4), addi(t2, t2, -0x100), i(2, t2, 5, t0, 0x13), csrw(pmpaddr0 + 3, t0),
                           lui(t0, 0x90000), csrw(pmpcfg0, t0), lw(a0, t2, 4), lw(a0, t2, 0)});
  machine.run_to_end();
  EXPECT_EQ(machine.csr(mcause), 5u);
  EXPECT_EQ(machine.csr(mtval), kBase + 0x4000);
  EXPECT_EQ(machine.core->last_trap().pmp, 3u);
  for (const std::uint32_t other : {lw(a0, 0, 64), kEbreak}) {
    TestMachine free(config_of(GetParam()));
    set_handler(free);
    free.put32(kProgram, {other});
    free.run_to_end();
    EXPECT_EQ(free.core->last_trap().pmp, kNoPmpEntry);
    EXPECT_FALSE(free.core->last_trap().misaligned);
  }
}

TEST_P(Traps, user_mode_without_a_matching_pmp_entry_is_refused_by_none) {
  TestMachine machine(config_of(GetParam()));
  set_handler(machine);
  machine.put32(kProgram, {auipc(t0, 1), csrw(mepc, t0), kMret});  // to user mode at the address itself
  machine.put32(kProgram + 0x1000, {kNop});
  machine.run_to_end();
  EXPECT_EQ(machine.csr(mcause), 1u);
  EXPECT_EQ(machine.core->last_trap().pmp, kPmpEntries);
}

TEST_P(Traps, a_refused_access_that_was_not_aligned_says_so) {
  TestMachine machine(config_of(GetParam()));
  set_handler(machine);
  machine.put32(kProgram, {lw(a0, 0, 62)});
  machine.run_to_end();
  EXPECT_TRUE(machine.core->last_trap().misaligned);
}

TEST_P(Traps, MprvLoadsWithTheRightsOfThePreviousMode) {
  TestMachine machine(config_of(GetParam()));
  set_handler(machine);
  // MPP = U, MPRV = 1, no PMP entry: user mode may do nothing, so the load in machine mode faults; fetch goes on.
  machine.put32(kProgram, {lui(t0, 0x20), lui(t1, 2), addi(t1, t1, -0x800), csrrc(0, mstatus, t1),
                           csrrs(0, mstatus, t0), kNop, auipc(t2, 0), lw(a0, t2, 0)});
  machine.run_to_end();
  EXPECT_EQ(machine.csr(mcause), 5u);
  EXPECT_EQ(machine.csr(mepc), kProgram + 28);
}

TEST_P(Traps, WfiInUserModeWithTimeoutWaitIsIllegal) {
  TestMachine machine(config_of(GetParam()));
  set_handler(machine);
  machine.put32(kProgram, {addi(t0, 0, -1), csrw(pmpaddr0, t0), addi(t0, 0, 0x1f), csrw(pmpcfg0, t0), lui(t0, 0x200),
                           csrrs(0, mstatus, t0), auipc(t0, 1), csrw(mepc, t0), kMret});
  machine.put32(kProgram + 0x1018, {kWfi});
  machine.run_to_end();
  EXPECT_EQ(machine.csr(mcause), 2u);
  EXPECT_EQ(machine.csr(mtval), kWfi);
}

TEST_P(Traps, NobodyHandlesATrapBeforeMtvecIsWritten) {
  TestMachine machine(config_of(GetParam()));
  machine.put32(kBase, {kNop, kEcall});
  EXPECT_EQ(machine.run_to_end(), Stop::kUnhandledTrap);
  EXPECT_EQ(machine.core->last_trap().cause, 11u);
  EXPECT_EQ(machine.core->last_trap().pc, kBase + 4);
  EXPECT_EQ(machine.core->pc(), kBase + 4);
}

TEST_P(Traps, AHandlerThatCannotBeFetchedIsNoHandler) {
  TestMachine machine(config_of(GetParam()));
  machine.put32(kBase, {addi(t0, 0, 64), csrw(mtvec, t0), kEcall});
  EXPECT_EQ(machine.run_to_end(), Stop::kUnhandledTrap);
  EXPECT_EQ(machine.core->last_trap().cause, 1u);
  EXPECT_EQ(machine.core->last_trap().pc, 64u);
}

TEST_P(Traps, AHandlerThatTrapsAtOnceIsNoHandler) {
  TestMachine machine(config_of(GetParam()));
  set_handler(machine);
  machine.put32(kHandler, {0});
  machine.put32(kProgram, {kEcall});
  EXPECT_EQ(machine.run_to_end(), Stop::kUnhandledTrap);
  EXPECT_EQ(machine.core->last_trap().pc, kHandler);
}

TEST_P(Traps, AHandlerThatAlwaysTrapsAtTheSamePlaceIsNoHandler) {
  TestMachine machine(config_of(GetParam()));
  set_handler(machine);
  machine.put32(kHandler, {addi(sp, sp, -16), lw(a0, 0, 5)});
  machine.put32(kProgram, {kEcall});
  EXPECT_EQ(machine.run_to_end(), Stop::kUnhandledTrap);
  EXPECT_EQ(machine.core->last_trap().pc, kHandler + 4);
  EXPECT_EQ(machine.core->last_trap().value, 5u);
}

TEST_P(Traps, ATrapMayComeBackAnyNumberOfTimesIfItsHandlerReturns) {
  TestMachine machine(config_of(GetParam()));
  set_handler(machine);
  machine.put32(kHandler, {csrr(t1, mepc), addi(t1, t1, 4), csrw(mepc, t1), lui(t1, 2), addi(t1, t1, -0x800),
                           csrrs(0, mstatus, t1), kMret});
  machine.put32(kProgram, {lui(a0, 1), kEcall, addi(a0, a0, -1), bne(a0, 0, -8), kWfi});
  EXPECT_EQ(machine.run_to_end(), Stop::kWaitForInterrupt);
  EXPECT_EQ(machine.core->exceptions_taken()[11], 4096u);
}

TEST_P(Traps, HookSeesEveryTrap) {
  TestMachine machine(config_of(GetParam()));
  set_handler(machine);
  machine.put32(kProgram, {kEcall});
  std::vector<TrapRecord> seen;
  Hooks hooks;
  hooks.trap = [&](const TrapRecord& record) { seen.push_back(record); };
  machine.core->set_hooks(hooks);
  machine.run_to_end();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].cause, 11u);
  EXPECT_EQ(seen[0].handler, kHandler);
  EXPECT_EQ(seen[0].time, 50'000u) << "the trapping instruction starts at 40 ns and takes its cycle";
}

}  // namespace
}  // namespace vp::cpu
