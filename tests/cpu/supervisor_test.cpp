#include <gtest/gtest.h>

#include "tests/cpu/encode.h"
#include "tests/cpu/test_machine.h"

namespace vp::cpu {
namespace {

using namespace encode;

constexpr std::uint64_t kMachineTrap = kBase + 0x1000;
constexpr std::uint64_t kSupervisorTrap = kBase + 0x2000;
constexpr std::uint64_t kStart = kBase + 0x100;
// Bits of mstatus.
constexpr std::uint64_t kSie = 1 << 1, kMie = 1 << 3, kSpie = 1 << 5, kSpp = 1 << 8, kMpp = 3 << 11, kTvm = 1 << 20,
                        kTw = 1 << 21, kTsr = 1 << 22;

/// Handlers of both modes sleep.
class Supervisor : public testing::TestWithParam<unsigned> {
 protected:
  Supervisor() : machine(config_of(GetParam())) {
    machine.put32(kMachineTrap, {kWfi});
    machine.put32(kSupervisorTrap, {kWfi});
    set(pmpaddr0, ~std::uint64_t{0});
    set(pmpcfg0, 0x1f);
    set(mtvec, kMachineTrap);
    set(stvec, kSupervisorTrap);
  }
  void set(unsigned number, std::uint64_t value) { ASSERT_TRUE(machine.core->set_csr(number, value)) << number; }
  void run(Mode mode, std::initializer_list<std::uint32_t> code) {
    machine.put32(kStart, code);
    machine.core->set_mode(mode);
    machine.core->set_pc(kStart);
    machine.run_to_end();
  }
  void run_for(unsigned cycles, Mode mode, std::initializer_list<std::uint32_t> code) {
    machine.put32(kStart, code);
    machine.core->set_mode(mode);
    machine.core->set_pc(kStart);
    machine.core->run(machine.core->time() + cycles * kCycle);
  }
  std::uint64_t status() const { return machine.csr(mstatus); }
  std::uint64_t interrupt_bit() const { return std::uint64_t{1} << (GetParam() - 1); }

  TestMachine machine;
};
INSTANTIATE_TEST_SUITE_P(Widths, Supervisor, testing::Values(32u, 64u));

TEST_P(Supervisor, exceptions_go_to_supervisor_mode_where_they_are_delegated) {
  set(medeleg, 1 << 8 | 1 << 9);
  for (const Mode mode : {Mode::kUser, Mode::kSupervisor}) {
    set(mstatus, kSie);
    run(mode, {kNop, kEcall});
    EXPECT_EQ(machine.core->mode(), Mode::kSupervisor);
    EXPECT_EQ(machine.core->pc(), kSupervisorTrap + 4);
    EXPECT_EQ(machine.csr(scause), mode == Mode::kUser ? 8u : 9u);
    EXPECT_EQ(machine.csr(sepc), kStart + 4);
    EXPECT_EQ(machine.csr(stval), 0u);
    EXPECT_EQ(status() & (kSie | kSpie | kSpp), kSpie | (mode == Mode::kSupervisor ? kSpp : 0));
  }
  run(Mode::kMachine, {kEcall});
  EXPECT_EQ(machine.core->mode(), Mode::kMachine) << "its own are never delegated";
  EXPECT_EQ(machine.csr(mcause), 11u);
  run(Mode::kSupervisor, {0xffffffff});
  EXPECT_EQ(machine.core->mode(), Mode::kMachine);
  EXPECT_EQ(machine.csr(mcause), 2u);
  EXPECT_EQ(status() >> 11 & 3, 1u);
}

TEST_P(Supervisor, sret_goes_to_spp_and_ends_mprv) {
  set(mstatus, kSpp | kSpie | 1 << 17);
  set(sepc, kSupervisorTrap);
  run(Mode::kMachine, {kSret});
  EXPECT_EQ(machine.core->mode(), Mode::kSupervisor);
  EXPECT_EQ(status() & (kSie | kSpie | kSpp | 1 << 17), kSie | kSpie);
  machine.put32(kSupervisorTrap, {kEcall});
  run(Mode::kSupervisor, {kSret});
  EXPECT_EQ(machine.csr(mcause), 8u) << "SPP is user mode after sret";
  EXPECT_EQ(status() & (kSie | kSpie), kSie | kSpie) << "SIE from SPIE, and SPIE set";
}

TEST_P(Supervisor, mret_goes_to_any_mode_and_mpp_2_is_not_written) {
  set(mstatus, std::uint64_t{1} << 11);
  set(mepc, kSupervisorTrap);
  run(Mode::kMachine, {kMret});
  EXPECT_EQ(machine.core->mode(), Mode::kSupervisor);
  set(mstatus, std::uint64_t{1} << 11);
  set(mstatus, std::uint64_t{2} << 11);
  EXPECT_EQ(status() & kMpp, std::uint64_t{1} << 11);
}

void expect_illegal(TestMachine& machine, std::uint32_t instruction, bool illegal) {
  EXPECT_EQ(machine.csr(mcause) == 2 && machine.core->pc() == kMachineTrap + 4, illegal) << std::hex << instruction;
  if (illegal) {
    EXPECT_EQ(machine.csr(mtval), instruction);
  }
}

TEST_P(Supervisor, mstatus_forbids_what_a_machine_monitor_wants_to_see) {
  set(sepc, kSupervisorTrap);
  const struct {
    std::uint32_t instruction;
    std::uint64_t bit;
  } kRules[] = {{kSret, kTsr}, {kWfi, kTw}, {sfence_vma(), kTvm}, {csrr(a0, satp), kTvm}, {csrw(satp, 0), kTvm}};
  for (const auto& [instruction, bit] : kRules)
    for (const std::uint64_t set_bits : {std::uint64_t{0}, bit, (kTvm | kTw | kTsr) & ~bit}) {
      for (const Mode mode : {Mode::kUser, Mode::kSupervisor, Mode::kMachine}) {
        set(mcause, 0);
        set(mstatus, set_bits | kSpp);
        run(mode, {instruction, kWfi});
        const bool illegal = mode == Mode::kUser || (mode == Mode::kSupervisor && (set_bits & bit));
        // Where only what comes behind it is forbidden, it was legal.
        const bool behind = machine.csr(mepc) != kStart && machine.csr(mcause) == 2;
        if (behind) {
          EXPECT_FALSE(illegal) << std::hex << instruction;
        } else {
          expect_illegal(machine, instruction, illegal);
        }
      }
    }
  run(Mode::kSupervisor, {kMret});
  expect_illegal(machine, kMret, true);
}

TEST_P(Supervisor, counters_are_machine_modes_to_give) {
  for (const bool given : {false, true}) {
    set(mcounteren, given ? 7 : 0);
    set(mcause, 0);
    run(Mode::kSupervisor, {csrr(a0, cycle), kWfi});
    expect_illegal(machine, csrr(a0, cycle), !given);
  }
}

TEST_P(Supervisor, sstatus_shows_and_changes_a_part_of_mstatus) {
  set(mstatus, ~std::uint64_t{0});
  const std::uint64_t seen = machine.csr(sstatus);
  EXPECT_EQ(seen & 0xffffffff & ~std::uint64_t{0x80006000}, kSie | kSpie | kSpp | 1 << 18 | 1 << 19);
  if (GetParam() == 64) {
    EXPECT_EQ(seen >> 32 & 0x7fffffff, 2u) << "UXL";
    EXPECT_EQ(status() >> 34 & 3, 2u) << "SXL";
  }
  set(sstatus, 0);
  EXPECT_EQ(status() & (kSie | kSpie | kSpp | kMie | kMpp | kTvm | kTw | kTsr), kMie | kMpp | kTvm | kTw | kTsr);
}

TEST_P(Supervisor, registers_hold_what_their_fields_can) {
  const std::uint64_t all = GetParam() == 64 ? ~std::uint64_t{0} : 0xffffffff;
  const struct {
    unsigned number;
    std::uint64_t held;
  } kHeld[] = {{medeleg, 0xb3ff}, {mideleg, 0x222}, {mie, 0xaaa},        {sie, 0x222},  {scounteren, 7},
               {senvcfg, 1},      {sscratch, all},  {sepc, all & ~1ull}, {scause, all}, {stval, all}};
  for (const auto& [number, held] : kHeld) {
    set(number, ~std::uint64_t{0});
    EXPECT_EQ(machine.csr(number), held) << std::hex << number;
  }
  set(stvec, 0x1000);
  set(stvec, 0x2002);
  EXPECT_EQ(machine.csr(stvec), 0x1000u) << "a reserved mode is not written";
}

TEST_P(Supervisor, satp_holds_bare_and_one_scheme_with_every_bit_of_asid_and_table) {
  const unsigned mode_at = GetParam() == 64 ? 60 : 31;
  const std::uint64_t paged = (GetParam() == 64 ? std::uint64_t{8} : 1) << mode_at;
  const std::uint64_t all = (std::uint64_t{1} << mode_at) - 1;
  for (unsigned bit = 0; bit < mode_at; ++bit) {
    set(satp, paged | std::uint64_t{1} << bit);
    EXPECT_EQ(machine.csr(satp), paged | std::uint64_t{1} << bit);
  }
  set(satp, paged | all);
  EXPECT_EQ(machine.csr(satp), paged | all);
  set(satp, 0x123);
  EXPECT_EQ(machine.csr(satp), 0x123u) << "Bare";
  set(satp, 0);
  EXPECT_EQ(machine.csr(satp), 0u);
  if (GetParam() == 32) return;
  set(satp, 0x8fff'f000'0000'1234);
  for (unsigned mode = 1; mode < 16; ++mode) {
    if (mode == 8) continue;
    set(satp, std::uint64_t{mode} << 60 | 0x77);
    EXPECT_EQ(machine.csr(satp), 0x8fff'f000'0000'1234u) << "a mode that there is not is not written: " << mode;
  }
}

TEST_P(Supervisor, mip_has_bits_to_write_and_the_line_of_seip_apart) {
  set(mideleg, 0x222);
  set(mip, ~std::uint64_t{0});
  EXPECT_EQ(machine.csr(mip), 0x222u);
  set(mip, 0);
  machine.core->set_interrupt(Interrupt::supervisor_external, true);
  EXPECT_EQ(machine.csr(mip), 0x200u);
  // csrrs of another bit must not make the line's level a written one.
  run(Mode::kMachine, {csrrsi(a0, mip, 2), kWfi});
  EXPECT_EQ(machine.core->x(a0), 0x200u);
  machine.core->set_interrupt(Interrupt::supervisor_external, false);
  EXPECT_EQ(machine.csr(mip), 2u);
  set(mip, 0x200);
  machine.core->set_interrupt(Interrupt::supervisor_external, true);
  machine.core->set_interrupt(Interrupt::supervisor_external, false);
  EXPECT_EQ(machine.csr(mip), 0x200u) << "written";
}

TEST_P(Supervisor, sie_and_sip_show_what_is_delegated_and_only_ssip_is_written) {
  set(mideleg, 0x020);
  set(mie, 0xaaa);
  set(mip, 0x222);
  EXPECT_EQ(machine.csr(sie), 0x020u);
  EXPECT_EQ(machine.csr(sip), 0x020u);
  set(sip, 0);
  EXPECT_EQ(machine.csr(mip), 0x222u);
  set(mideleg, 0x222);
  set(sip, 0);
  EXPECT_EQ(machine.csr(mip), 0x220u);
  set(sie, 0x200);
  EXPECT_EQ(machine.csr(mie), 0xa88u);
}

TEST_P(Supervisor, interrupts_come_by_priority_and_those_of_machine_mode_first) {
  machine.put32(kMachineTrap, {jal(0, 0)});
  machine.put32(kSupervisorTrap, {jal(0, 0)});
  set(mip, 0x222);
  for (const Interrupt line : {Interrupt::machine_software, Interrupt::machine_timer, Interrupt::machine_external})
    machine.core->set_interrupt(line, true);
  constexpr unsigned kOrder[] = {11, 3, 7, 9, 1, 5};
  for (const std::uint64_t delegated : {0x000, 0x222}) {
    set(mideleg, delegated);
    std::uint64_t enabled = 0xaaa;
    for (const unsigned expected : kOrder) {
      set(mie, enabled);
      set(mstatus, kSie);
      run_for(2, Mode::kSupervisor, {kNop, kNop, kNop});
      const bool to_supervisor = delegated >> expected & 1;
      EXPECT_EQ(machine.core->mode(), to_supervisor ? Mode::kSupervisor : Mode::kMachine) << expected;
      EXPECT_EQ(machine.csr(to_supervisor ? scause : mcause), interrupt_bit() | expected);
      EXPECT_EQ(machine.csr(to_supervisor ? sepc : mepc), kStart);
      enabled &= ~(1u << expected);
    }
  }
}

TEST_P(Supervisor, delegated_interrupts_wait_for_sie_and_never_interrupt_machine_mode) {
  set(mideleg, 0x222);
  set(mie, 0x222);
  set(mip, 0x002);
  set(mstatus, kMie | kSie);
  run_for(100, Mode::kMachine, {kWfi, jal(0, 0)});
  EXPECT_EQ(machine.core->pc(), kStart + 4) << "machine mode; wfi ends at once";
  set(mstatus, 0);
  run_for(100, Mode::kSupervisor, {addi(a0, 0, 2), jal(0, 0)});
  EXPECT_EQ(machine.core->pc(), kStart + 4) << "SIE is clear";
  run_for(1, Mode::kUser, {kNop, kNop});
  EXPECT_EQ(machine.csr(scause), interrupt_bit() | 1) << "user mode is always interrupted";
}

TEST_P(Supervisor, a_vectored_handler_is_entered_at_four_times_the_cause) {
  set(mideleg, 0x200);
  set(mie, 0x200);
  set(stvec, kSupervisorTrap | 1);
  machine.put32(kSupervisorTrap + 36, {kWfi});
  machine.core->set_interrupt(Interrupt::supervisor_external, true);
  run_for(1, Mode::kUser, {kNop});
  EXPECT_EQ(machine.core->pc(), kSupervisorTrap + 40);
}

TEST_P(Supervisor, a_trap_that_is_delegated_to_nobody_ends_the_run) {
  TestMachine bare(config_of(GetParam()));
  bare.core->set_csr(pmpaddr0, ~std::uint64_t{0});
  bare.core->set_csr(pmpcfg0, 0x1f);
  bare.core->set_csr(mtvec, kMachineTrap);
  bare.core->set_csr(medeleg, 1 << 2);
  bare.core->set_mode(Mode::kSupervisor);
  EXPECT_EQ(bare.run_to_end(), Stop::kUnhandledTrap) << "stvec was never written";
  set(medeleg, 1 << 2);
  machine.put32(kSupervisorTrap, {kNop, 0});
  machine.put32(kStart, {0});
  machine.core->set_mode(Mode::kSupervisor);
  machine.core->set_pc(kStart);
  EXPECT_EQ(machine.run_to_end(), Stop::kUnhandledTrap) << "the handler traps for ever";
}

}  // namespace
}  // namespace vp::cpu
