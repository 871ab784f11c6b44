// Sstc: the registers of supervisor mode's own timer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cpu/encode.h"
#include "tests/cpu/test_machine.h"
#include "tests/support/saved_state.h"

namespace vp::cpu {
namespace {

using namespace encode;
using testing::ElementsAre;
using testing::Pair;

constexpr std::uint64_t kTimerCode = kBase + 0x100, kTimerTrap = kBase + 0x1000;
constexpr unsigned kMenvcfgh = 0x31a, kStimecmph = 0x15d;
constexpr std::uint64_t kStipBit = 1 << 5, kSeipBit = 1 << 9;

CpuConfig with_sstc(unsigned xlen, bool sstc) {
  CpuConfig config = config_of(xlen);
  config.sstc = sstc;
  return config;
}

class SupervisorTimer : public testing::TestWithParam<unsigned> {
 protected:
  SupervisorTimer() : machine(with_sstc(GetParam(), true)) {
    set(mtvec, kTimerTrap);
    machine.put32(kTimerTrap, {kWfi});
    set(pmpaddr0, ~std::uint64_t{0});
    set(pmpcfg0, 0x1f);
  }
  void set(unsigned number, std::uint64_t value) { ASSERT_TRUE(machine.core->set_csr(number, value)) << number; }
  void give_timer(bool given) {
    if (GetParam() == 64)
      set(menvcfg, given ? std::uint64_t{1} << 63 : 0);
    else
      set(kMenvcfgh, given ? 1u << 31 : 0);
  }
  /// The instruction is legal in that mode.
  bool may(Mode mode, std::uint32_t instruction) {
    set(mcause, 0);
    machine.put32(kTimerCode, {instruction, kNop});
    machine.core->set_mode(mode);
    machine.core->set_pc(kTimerCode);
    machine.core->run(machine.core->time() + kCycle);
    return machine.csr(mcause) != 2;
  }
  void line(bool level) { machine.core->set_interrupt(Interrupt::supervisor_timer, level); }

  TestMachine machine;
};
INSTANTIATE_TEST_SUITE_P(Widths, SupervisorTimer, testing::Values(32u, 64u));

TEST_P(SupervisorTimer, is_supervisor_modes_where_menvcfg_and_mcounteren_both_give_it) {
  for (const bool stce : {false, true})
    for (const bool tm : {false, true}) {
      give_timer(stce);
      set(mcounteren, tm ? 2 : 5);
      set(scounteren, 7);
      EXPECT_TRUE(may(Mode::kMachine, csrw(stimecmp, 0)));
      EXPECT_EQ(may(Mode::kSupervisor, csrw(stimecmp, 0)), stce && tm) << stce << tm;
      EXPECT_EQ(may(Mode::kSupervisor, csrr(a0, stimecmp)), stce && tm) << stce << tm;
      EXPECT_FALSE(may(Mode::kUser, csrr(a0, stimecmp)));
    }
  EXPECT_EQ(may(Mode::kMachine, csrr(a0, kStimecmph)), GetParam() == 32);
}

TEST_P(SupervisorTimer, is_not_there_without_the_extension) {
  TestMachine plain(with_sstc(GetParam(), false));
  std::uint64_t value = 0;
  EXPECT_FALSE(plain.core->csr(stimecmp, value));
  EXPECT_FALSE(plain.core->set_csr(stimecmp, 1));
  const unsigned upper = GetParam() == 64 ? unsigned{menvcfg} : kMenvcfgh;
  ASSERT_TRUE(plain.core->set_csr(upper, ~std::uint64_t{0}));
  EXPECT_EQ(plain.csr(upper) >> (GetParam() - 1), 0u) << "STCE";
  ASSERT_TRUE(plain.core->set_csr(mip, kStipBit));
  EXPECT_EQ(plain.csr(mip), kStipBit) << "machine mode's to set";
}

TEST_P(SupervisorTimer, tells_who_counts_its_value_and_from_when) {
  EXPECT_EQ(machine.csr(stimecmp), GetParam() == 64 ? ~std::uint64_t{0} : 0xffffffffu) << "never, after a reset";
  const Picoseconds start = machine.core->time();
  machine.put32(kTimerCode, {addi(a0, 0, 5), csrw(stimecmp, a0), kNop});
  machine.core->set_pc(kTimerCode);
  EXPECT_EQ(machine.core->run(start + 10 * kCycle), Stop::kAccess) << "its caller's limit may have come closer";
  const std::uint64_t upper = GetParam() == 64 ? 0 : std::uint64_t{0xffffffff} << 32;
  EXPECT_THAT(machine.supervisor_timer, ElementsAre(Pair(upper | 5, start + kCycle)));
  if (GetParam() == 64) return;
  set(kStimecmph, 7);
  EXPECT_EQ(machine.supervisor_timer.back().first, 0x7'0000'0005u);
  EXPECT_EQ(machine.csr(kStimecmph), 7u);
}

TEST_P(SupervisorTimer, the_line_is_seen_only_where_the_timer_is_given_and_then_nobody_writes_its_bit) {
  line(true);
  EXPECT_EQ(machine.csr(mip) & kStipBit, 0u);
  set(mip, kStipBit | kSeipBit);
  line(false);
  EXPECT_EQ(machine.csr(mip), kStipBit | kSeipBit) << "written by machine mode, as without the extension";
  give_timer(true);
  EXPECT_EQ(machine.csr(mip), kSeipBit);
  line(true);
  EXPECT_EQ(machine.csr(mip), kStipBit | kSeipBit);
  set(mip, 0);
  EXPECT_EQ(machine.csr(mip), kStipBit) << "read-only";
  line(false);
  set(mip, kStipBit);
  EXPECT_EQ(machine.csr(mip), 0u);
}

TEST_P(SupervisorTimer, its_interrupt_is_delegated_as_any_of_supervisor_mode) {
  give_timer(true);
  set(stvec, kTimerTrap + 0x100);
  machine.put32(kTimerTrap + 0x100, {kWfi});
  set(mideleg, kStipBit);
  set(sie, kStipBit);
  set(mstatus, 2);
  line(true);
  may(Mode::kSupervisor, kNop);
  EXPECT_EQ(machine.csr(scause) & 0xff, 5u);
  EXPECT_EQ(machine.core->mode(), Mode::kSupervisor);
  EXPECT_EQ(machine.csr(sip), kStipBit);
}

TEST_P(SupervisorTimer, is_part_of_the_saved_state) {
  give_timer(true);
  set(stimecmp, 1234);
  line(true);
  TestMachine other(with_sstc(GetParam(), true));
  load_state(other, save_state(machine));
  EXPECT_EQ(other.csr(stimecmp), 1234u);
  EXPECT_EQ(other.csr(mip), kStipBit);
}

}  // namespace
}  // namespace vp::cpu
