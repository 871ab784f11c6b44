#include <gtest/gtest.h>

#include "tests/cpu/encode.h"
#include "tests/cpu/page_tables.h"
#include "tests/cpu/test_machine.h"

namespace vp::cpu {
namespace {

using namespace encode;
using Flag = PageTables::Flag;

constexpr std::uint64_t kMachineHandler = kBase + 0x1000;
constexpr std::uint64_t kCode = kBase + 0x2000;      // a page, mapped to kCodeAt
constexpr std::uint64_t kPagesAt = kBase + 0x10000;  // pages
constexpr std::uint64_t kTablesAt = kBase + 0x100000;
constexpr std::uint64_t kCodeAt = 0x1000'0000;  // as the program sees them
constexpr std::uint64_t kDataAt = 0x2000'0000;
constexpr std::uint64_t kSumBit = 1u << 18, kMxrBit = 1u << 19, kMprvBit = 1u << 17;

/// A hart in supervisor mode under page tables; every trap goes to machine mode, whose handler sleeps.
class Translation : public testing::TestWithParam<unsigned> {
 protected:
  explicit Translation(CpuConfig config = config_of(GetParam()))
      : machine(config), tables(GetParam(), machine.memory, kBase, kTablesAt) {
    machine.put32(kMachineHandler, {kWfi});
    core().set_csr(pmpaddr0, ~std::uint64_t{0});
    core().set_csr(pmpcfg0, 0x1f);
    core().set_csr(mtvec, kMachineHandler);
    tables.map(kCodeAt, kCode, PageTables::kAll);
  }
  Core& core() { return *machine.core; }
  /// Runs from the program's address on until it sleeps, or has trapped (true).
  bool traps_at(std::uint64_t pc, Mode mode = Mode::kSupervisor) {
    core().set_csr(satp, tables.satp());
    core().set_csr(mcause, 0);
    core().set_mode(mode);
    core().set_pc(pc);
    machine.run_to_end();
    return core().pc() == kMachineHandler + 4;
  }
  bool traps(std::initializer_list<std::uint32_t> code) {
    machine.put32(kCode, code);
    return traps_at(kCodeAt);
  }
  void expect_fault(std::uint64_t cause, std::uint64_t value) {
    EXPECT_EQ(machine.csr(mcause), cause);
    EXPECT_EQ(machine.csr(mtval), value);
  }

  TestMachine machine;
  PageTables tables;
};
INSTANTIATE_TEST_SUITE_P(Widths, Translation, testing::Values(32u, 64u));

TEST_P(Translation, loads_and_stores_go_where_the_leaf_leads) {
  tables.map(kDataAt, kPagesAt + 0x3000, PageTables::kAll);
  tables.map(kDataAt + 0x1000, kPagesAt, PageTables::kAll);
  machine.put32(kPagesAt + 0x3010, {77});
  EXPECT_FALSE(traps(
      {lui(s0, kDataAt >> 12), lw(a0, s0, 16), lui(s1, (kDataAt >> 12) + 1), sw(a0, s1, 4), lw(a1, s1, 4), kWfi}));
  EXPECT_EQ(core().x(a0), 77u);
  EXPECT_EQ(core().x(a1), 77u);
  EXPECT_EQ(machine.word(kPagesAt + 4) & 0xffffffff, 77u);
  EXPECT_EQ(core().translate(kDataAt + 0x1004), kPagesAt + 4);
  EXPECT_EQ(core().translate(kDataAt + 0x2000), std::nullopt);
}

/// What the manual (4.3.1) says of a leaf with A and D set.
bool may(std::uint64_t flags, char access, Mode mode, std::uint64_t status) {
  if ((flags & Flag::kW) && !(flags & Flag::kR)) return false;
  if (!(flags & (Flag::kR | Flag::kX))) return false;  // no leaf at all
  const bool user = flags & Flag::kU;
  if (mode == Mode::kUser && !user) return false;
  if (mode == Mode::kSupervisor && user && (access == 'x' || !(status & kSumBit))) return false;
  if (access == 'x') return flags & Flag::kX;
  if (access == 'w') return flags & Flag::kW;
  return (flags & Flag::kR) || ((status & kMxrBit) && (flags & Flag::kX));
}

TEST_P(Translation, every_combination_of_rights_is_obeyed) {
  constexpr std::uint64_t kUserCode = 0x1800'0000;
  tables.map(kUserCode, kCode, PageTables::kAll | Flag::kU);
  for (std::uint64_t flags = 0; flags < 16; ++flags)
    for (const Mode mode : {Mode::kUser, Mode::kSupervisor})
      for (const std::uint64_t status : {std::uint64_t{0}, kSumBit, kMxrBit, kSumBit | kMxrBit})
        for (const char access : {'r', 'w', 'x'}) {
          const std::uint64_t leaf = Flag::kV | flags << 1 | Flag::kA | Flag::kD;
          tables.map(kDataAt, kPagesAt, leaf);
          machine.put32(kPagesAt, {kEbreak});
          core().set_csr(satp, 0);
          core().set_csr(mstatus, status);
          const std::uint32_t what = access == 'r' ? lw(a0, s0, 0) : access == 'w' ? sw(a0, s0, 0) : jalr(0, s0, 0);
          core().set_x(a0, kEbreak);
          machine.put32(kCode, {lui(s0, kDataAt >> 12), what, kEbreak});
          EXPECT_TRUE(traps_at(mode == Mode::kUser ? kUserCode : kCodeAt, mode));
          const std::uint64_t fault = access == 'r' ? 13 : access == 'w' ? 15 : 12;
          EXPECT_EQ(machine.csr(mcause), may(leaf, access, mode, status) ? 3 : fault)
              << access << " flags " << flags << " mode " << static_cast<int>(mode) << " mstatus " << status;
          if (machine.csr(mcause) != 3) {
            EXPECT_EQ(machine.csr(mtval), kDataAt);
          }
        }
}

TEST_P(Translation, superpages_map_all_their_bytes_and_must_be_aligned) {
  for (unsigned level = 1; level < tables.levels(); ++level) {
    const std::uint64_t size = tables.size(level);
    const std::uint64_t at = 0x40000000 * (GetParam() == 64 ? level + 1 : 1);
    const std::uint64_t physical = kBase / size * size;
    tables.map(at, physical, PageTables::kAll, level);
    core().set_x(s0, at + (kPagesAt + 0x5008 - physical));
    machine.put32(kPagesAt + 0x5008, {1234});
    EXPECT_FALSE(traps({lw(a0, s0, 0), kWfi})) << level;
    EXPECT_EQ(core().x(a0), 1234u);
    tables.map(at, physical + 4096, PageTables::kAll, level);
    EXPECT_TRUE(traps({sfence_vma(), lw(a0, s0, 0), kWfi})) << level;
    expect_fault(13, core().x(s0));
  }
}

TEST_P(Translation, entries_that_mean_nothing_end_in_page_faults) {
  const std::uint64_t leaf = kPagesAt >> 12 << 10;
  std::vector<std::uint64_t> senseless = {0, leaf | (PageTables::kAll & ~Flag::kV),
                                          leaf | Flag::kV,              // a table at the lowest level
                                          leaf | Flag::kV | Flag::kA};  // and one with A
  if (GetParam() == 64)
    for (const unsigned bit : {54, 60, 61, 62, 63})
      senseless.push_back(leaf | PageTables::kAll | std::uint64_t{1} << bit);
  for (const std::uint64_t entry : senseless) {
    tables.set(tables.place(kDataAt, 0), entry);
    EXPECT_TRUE(traps({sfence_vma(), lui(s0, kDataAt >> 12), lw(a0, s0, 8), kWfi})) << std::hex << entry;
    expect_fault(13, kDataAt + 8);
  }
  for (const std::uint64_t flags : {Flag::kU, Flag::kA, Flag::kD}) {
    tables.map(kDataAt, kPagesAt, PageTables::kAll);
    const std::uint64_t above = tables.place(kDataAt, 1);
    const std::uint64_t table = tables.get(above);
    tables.set(above, table | flags);
    EXPECT_TRUE(traps({sfence_vma(), lui(s0, kDataAt >> 12), lw(a0, s0, 8), kWfi})) << flags;
    tables.set(above, table);
  }
}

class Sv39 : public Translation {};
INSTANTIATE_TEST_SUITE_P(Width, Sv39, testing::Values(64u));

TEST_P(Sv39, addresses_that_are_not_canonical_fault) {
  tables.map(0x3f'ffff'f000, kPagesAt, PageTables::kAll);
  tables.map(0xffff'ffff'ffff'f000, kPagesAt, PageTables::kAll);
  for (const std::uint64_t wrong : {0x7f'ffff'f000ull, 0x8000'003f'ffff'f000ull, 0xffff'ff7f'ffff'f000ull}) {
    core().set_x(s0, wrong);
    EXPECT_TRUE(traps({lw(a0, s0, 0), kWfi})) << std::hex << wrong;
    expect_fault(13, wrong);
    EXPECT_TRUE(traps({jalr(0, s0, 0)}));
    expect_fault(12, wrong);
  }
  core().set_x(s0, 0xffff'ffff'ffff'f000);
  EXPECT_FALSE(traps({lw(a0, s0, 0), kWfi}));
}

TEST_P(Translation, accessed_and_dirty_are_set_by_the_walk) {
  tables.map(kDataAt, kPagesAt, Flag::kV | Flag::kR | Flag::kW);
  const std::uint64_t place = tables.place(kDataAt, 0);
  EXPECT_FALSE(traps({lui(s0, kDataAt >> 12), lw(a0, s0, 0), kWfi}));
  EXPECT_EQ(tables.get(place) & 0xff, Flag::kV | Flag::kR | Flag::kW | Flag::kA);
  EXPECT_FALSE(traps({lui(s0, kDataAt >> 12), sw(a0, s0, 0), kWfi}));
  EXPECT_EQ(tables.get(place) & 0xff, Flag::kV | Flag::kR | Flag::kW | Flag::kA | Flag::kD);
}

TEST_P(Translation, machine_mode_translates_with_mprv_only) {
  tables.map(kDataAt, kPagesAt, PageTables::kAll | Flag::kU);
  machine.put32(kPagesAt, {99});
  machine.put32(kBase, {lui(s0, kDataAt >> 12), lw(a0, s0, 0), kWfi});
  core().set_csr(mstatus, kMprvBit);  // MPP: user mode
  EXPECT_FALSE(traps_at(kBase, Mode::kMachine));
  EXPECT_EQ(core().x(a0), 99u);
  core().set_csr(mstatus, kMprvBit | 1 << 11);
  EXPECT_TRUE(traps_at(kBase, Mode::kMachine)) << "supervisor mode, without SUM";
  expect_fault(13, kDataAt);
}

TEST_P(Translation, pmp_holds_for_page_tables_and_for_what_they_lead_to) {
  tables.map(kDataAt, kPagesAt, PageTables::kAll);
  for (const std::uint64_t refused : {tables.place(kDataAt, 0), kPagesAt}) {
    core().set_csr(pmpcfg0, 0x1f98 & 0x1f18);  // entry 0: NAPOT without rights
    core().set_csr(pmpaddr0, refused >> 2);
    core().set_csr(pmpaddr1, ~std::uint64_t{0});
    EXPECT_TRUE(traps({sfence_vma(), lui(s0, kDataAt >> 12), lw(a0, s0, 0), kWfi}));
    expect_fault(5, kDataAt);
    EXPECT_EQ(core().last_trap().pmp, 0u);
    EXPECT_TRUE(traps({sfence_vma(), lui(s0, kDataAt >> 12), sw(a0, s0, 0), kWfi}));
    expect_fault(7, kDataAt);
    EXPECT_TRUE(traps({sfence_vma(), lui(s0, kDataAt >> 12), jalr(0, s0, 0), kWfi}));
    expect_fault(1, kDataAt);
  }
}

TEST_P(Translation, tables_that_are_nowhere_end_in_an_access_fault_of_the_kind) {
  tables.set(tables.place(kDataAt, 1), 0x100 << 10 | Flag::kV);
  EXPECT_TRUE(traps({lui(s0, kDataAt >> 12), lw(a0, s0, 0), kWfi}));
  expect_fault(5, kDataAt);
  EXPECT_TRUE(traps({lui(s0, kDataAt >> 12), amo(0, a0, s0, a1, 4), kWfi}));
  expect_fault(7, kDataAt);
}

TEST_P(Translation, an_atomic_instruction_faults_as_a_store_and_lr_as_a_load) {
  EXPECT_TRUE(traps({lui(s0, kDataAt >> 12), amo(0, a0, s0, a1, 4), kWfi}));
  expect_fault(15, kDataAt);
  EXPECT_TRUE(traps({lui(s0, kDataAt >> 12), lr(a0, s0, 4), kWfi}));
  expect_fault(13, kDataAt);
  tables.map(kDataAt, kPagesAt, Flag::kV | Flag::kR | Flag::kA);
  EXPECT_TRUE(traps({lui(s0, kDataAt >> 12), lr(a0, s0, 4), sc(a1, s0, a2, 4), kWfi}));
  expect_fault(15, kDataAt);
}

TEST_P(Translation, an_instruction_across_pages_is_fetched_from_both) {
  tables.map(kCodeAt + 0x1000, kPagesAt, PageTables::kAll);
  const std::uint32_t instruction = addi(a0, 0, 55);
  const std::uint16_t halves[] = {static_cast<std::uint16_t>(instruction),
                                  static_cast<std::uint16_t>(instruction >> 16)};
  machine.put(kCode + 0xffe, &halves[0], 2);
  machine.put(kPagesAt, &halves[1], 2);
  const std::uint32_t then = kWfi;
  machine.put(kPagesAt + 2, &then, 4);
  EXPECT_FALSE(traps_at(kCodeAt + 0xffe));
  EXPECT_EQ(core().x(a0), 55u);
  tables.map(kCodeAt + 0x1000, kPagesAt, PageTables::kAll & ~Flag::kX);
  machine.put32(kCode, {sfence_vma(), jal(0, 0xffa)});
  EXPECT_TRUE(traps_at(kCodeAt));
  expect_fault(12, kCodeAt + 0x1000);
  EXPECT_EQ(machine.csr(mepc), kCodeAt + 0xffe);
}

TEST_P(Translation, a_store_across_pages_stores_both_parts_or_none) {
  tables.map(kDataAt, kPagesAt, PageTables::kAll);
  tables.map(kDataAt + 0x1000, kPagesAt + 0x4000, PageTables::kAll);
  core().set_x(a0, 0x11223344);
  EXPECT_FALSE(traps({lui(s0, (kDataAt >> 12) + 1), sw(a0, s0, -2), lw(a1, s0, -2), kWfi}));
  EXPECT_EQ(core().x(a1), 0x11223344u);
  EXPECT_EQ(machine.word(kPagesAt + 0x4000) & 0xffff, 0x1122u);
  tables.map(kDataAt + 0x1000, kPagesAt + 0x4000, 0);
  core().set_x(a0, 0x55667788);
  EXPECT_TRUE(traps({sfence_vma(), lui(s0, (kDataAt >> 12) + 1), sw(a0, s0, -2), kWfi}));
  expect_fault(15, kDataAt + 0x1000);
  EXPECT_EQ(machine.word(kPagesAt + 0xff8) >> 48, 0x3344u) << "as it was";
}

TEST_P(Translation, an_address_beyond_the_bus_is_an_access_fault) {
  tables.map(kDataAt, 0x3'0000'0000, PageTables::kAll);
  EXPECT_TRUE(traps({lui(s0, kDataAt >> 12), lw(a0, s0, 0), kWfi}));
  expect_fault(5, kDataAt);
}

TEST_P(Translation, a_new_mapping_is_seen_after_sfence_vma) {
  tables.map(kDataAt, kPagesAt, PageTables::kAll);
  machine.put32(kPagesAt, {1});
  machine.put32(kPagesAt + 0x1000, {2});
  // s1: where the entry is seen; a2: the new one.
  tables.map(0x2800'0000, tables.place(kDataAt, 0) & ~0xfffull, PageTables::kAll);
  core().set_x(s1, 0x2800'0000 | (tables.place(kDataAt, 0) & 0xfff));
  core().set_x(a2, (kPagesAt + 0x1000) >> 12 << 10 | PageTables::kAll);
  for (const std::uint32_t fence : {sfence_vma(), sfence_vma(s0), sfence_vma(s0, a3)}) {
    tables.map(kDataAt, kPagesAt, PageTables::kAll);
    EXPECT_FALSE(traps({sfence_vma(), lui(s0, kDataAt >> 12), lw(a0, s0, 0), store_x(GetParam(), a2, s1, 0), fence,
                        lw(a1, s0, 0), kWfi}));
    EXPECT_EQ(core().x(a0), 1u);
    EXPECT_EQ(core().x(a1), 2u);
  }
}

TEST_P(Translation, sfence_vma_of_any_address_forgets_the_whole_superpage) {
  const std::uint64_t at = 0x4000'0000, size = tables.size(1);
  const std::uint64_t physical = kBase / size * size;
  tables.map(at, physical, PageTables::kAll, 1);
  const std::uint64_t inside = at + (kPagesAt - physical);
  machine.put32(kPagesAt, {1, 0});
  core().set_x(s0, inside);
  core().set_x(s1, inside + 0x3000);
  EXPECT_FALSE(traps({lw(a0, s0, 0), lw(a1, s1, 0), kWfi}));
  tables.map(at, physical, Flag::kV | Flag::kX | Flag::kA, 1);
  EXPECT_TRUE(traps({sfence_vma(s1), lw(a0, s0, 0), kWfi}));
  expect_fault(13, inside);
}

TEST_P(Translation, an_sc_without_a_reservation_fails_only_where_it_might_store) {
  const auto sc_traps = [&] {
    core().set_x(a0, 77);
    core().set_x(s0, kDataAt);
    return traps({sc(a0, s0, a1, 4), kWfi});
  };
  EXPECT_TRUE(sc_traps()) << "no page";
  expect_fault(15, kDataAt);
  EXPECT_EQ(core().x(a0), 77u);
  tables.map(kDataAt, kPagesAt, PageTables::kAll & ~std::uint64_t{Flag::kW});
  core().set_csr(satp, 0);
  EXPECT_TRUE(sc_traps()) << "a page that is only read";
  expect_fault(15, kDataAt);
  tables.map(kDataAt, 0x2000, PageTables::kAll);
  core().set_csr(satp, 0);
  EXPECT_TRUE(sc_traps()) << "nothing there";
  expect_fault(7, kDataAt);
  tables.map(kDataAt, kPagesAt, PageTables::kAll);
  core().set_csr(satp, 0);
  machine.put32(kPagesAt, {5});
  EXPECT_FALSE(sc_traps());
  EXPECT_EQ(core().x(a0), 1u);
  EXPECT_EQ(machine.word(kPagesAt) & 0xffffffff, 5u);
  core().set_csr(pmpaddr0, (kPagesAt >> 2) | 1);  // 16 bytes, only read
  core().set_csr(pmpcfg0, 0x1f19);
  core().set_csr(pmpaddr0 + 1, ~std::uint64_t{0});
  EXPECT_TRUE(sc_traps()) << "refused by PMP";
  expect_fault(7, kDataAt);
}

TEST_P(Translation, an_address_space_sees_its_own_pages_only) {
  // Two tables differ in one page; a switch of ASID and table needs no sfence.vma, nor does one back.
  constexpr std::uint64_t kOtherTables = kTablesAt + 0x40000;
  PageTables other(GetParam(), machine.memory, kBase, kOtherTables);
  other.map(kCodeAt, kCode, PageTables::kAll);
  tables.map(kDataAt, kPagesAt, PageTables::kAll);
  other.map(kDataAt, kPagesAt + 0x1000, PageTables::kAll);
  machine.put32(kPagesAt, {1});
  machine.put32(kPagesAt + 0x1000, {20});
  const unsigned asid_at = GetParam() == 64 ? 44 : 22;
  core().set_x(s0, kDataAt);
  core().set_x(s1, tables.satp() | std::uint64_t{5} << asid_at);
  core().set_x(s2, other.satp() | std::uint64_t{6} << asid_at);
  EXPECT_FALSE(traps({csrw(satp, s1), lw(a0, s0, 0), csrw(satp, s2), lw(a1, s0, 0), csrw(satp, s1), lw(a2, s0, 0),
                      csrr(a3, satp), kWfi}));
  EXPECT_EQ(core().x(a0), 1u);
  EXPECT_EQ(core().x(a1), 20u);
  EXPECT_EQ(core().x(a2), 1u);
  EXPECT_EQ(core().x(a3), core().x(s1));
}

TEST_P(Translation, code_of_another_mapping_is_not_executed_and_comes_back_with_its_own) {
  // A loop over two pages: a0 += 1, or 100 when the second page is mapped elsewhere; ra leads back.
  constexpr std::uint64_t kSecond = 0x1000'1000;
  tables.map(kSecond, kPagesAt, PageTables::kAll);
  machine.put32(kPagesAt, {addi(a0, a0, 1), addi(a1, a1, -1), jalr(0, ra, 0)});
  machine.put32(kPagesAt + 0x1000, {addi(a0, a0, 100), addi(a1, a1, -1), jalr(0, ra, 0)});
  machine.put32(kCode, {addi(a1, 0, 10), auipc(ra, 0), beq(a1, 0, 8), jal(0, 0x1000 - 12), kWfi});
  for (int round = 0; round < 4; ++round) {
    core().set_x(a0, 0);
    tables.map(kSecond, round % 2 == 0 ? kPagesAt : kPagesAt + 0x1000, PageTables::kAll);
    core().set_csr(satp, 0);
    EXPECT_FALSE(traps_at(kCodeAt));
    EXPECT_EQ(core().x(a0), round % 2 == 0 ? 10u : 1000u);
  }
}

TEST_P(Translation, code_that_a_program_changes_by_another_mapping_is_seen_after_fence_i) {
  // The code at 16 is overwritten at its alias, and executed before and after fence.i.
  tables.map(kDataAt, kCode, PageTables::kAll);
  core().set_x(a2, addi(a0, a0, 100));
  const auto program = {lui(s0, kDataAt >> 12), addi(a3, 0, 3), jal(0, 8), kWfi,
                        addi(a0, a0, 1),        sw(a2, s0, 16), kFenceI,   addi(a3, a3, -1),
                        bne(a3, 0, -16),        jal(0, -24)};
  for (const bool directly : {true, false}) {
    machine.allow_direct = directly;
    core().invalidate_direct(0, ~std::uint64_t{0});
    core().set_x(a0, 0);
    EXPECT_FALSE(traps(program));
    EXPECT_EQ(core().x(a0), 201u);
  }
}

TEST_P(Translation, code_that_another_master_writes_is_seen_after_fence_i) {
  machine.device = [&](bool write, std::uint64_t address, void*, unsigned, Picoseconds&) {
    if (!write || address != 0x2000) return false;
    const std::uint32_t changed = addi(a0, a0, 100);
    std::memcpy(machine.memory.data() + (kCode + 16 - kBase), &changed, 4);
    ++machine.foreign_writes;
    return true;
  };
  tables.map(kDataAt, 0x2000, PageTables::kAll);
  EXPECT_FALSE(traps({lui(s0, kDataAt >> 12), addi(a3, 0, 3), jal(0, 8), kWfi, addi(a0, a0, 1), sw(a2, s0, 0), kFenceI,
                      addi(a3, a3, -1), bne(a3, 0, -16), jal(0, -24)}));
  EXPECT_EQ(core().x(a0), 201u);
}

class DirtyByFault : public Translation {
 protected:
  DirtyByFault() : Translation(config()) {}
  static CpuConfig config() {
    CpuConfig config = config_of(GetParam());
    config.ad_update = AdUpdate::fault;
    return config;
  }
};
INSTANTIATE_TEST_SUITE_P(Widths, DirtyByFault, testing::Values(32u, 64u));

TEST_P(DirtyByFault, clear_accessed_and_dirty_bits_are_page_faults_and_stay_clear) {
  const std::uint64_t rights = Flag::kV | Flag::kR | Flag::kW | Flag::kX;
  tables.map(kDataAt, kPagesAt, rights);
  EXPECT_TRUE(traps({lui(s0, kDataAt >> 12), lw(a0, s0, 0), kWfi}));
  expect_fault(13, kDataAt);
  EXPECT_TRUE(traps({lui(s0, kDataAt >> 12), jalr(0, s0, 0), kWfi}));
  expect_fault(12, kDataAt);
  tables.map(kDataAt, kPagesAt, rights | Flag::kA);
  EXPECT_TRUE(traps({sfence_vma(), lui(s0, kDataAt >> 12), lw(a0, s0, 0), sw(a0, s0, 0), kWfi}));
  expect_fault(15, kDataAt);
  EXPECT_EQ(tables.get(tables.place(kDataAt, 0)) & 0xff, rights | Flag::kA);
}

constexpr unsigned kHitCycles = 2;

class TimedTranslation : public Translation {
 protected:
  TimedTranslation() : Translation(config()) {
    core().set_fidelity(Fidelity::timed);
    machine.keep_transfers = false;
  }
  static CpuConfig config() {
    CpuConfig config = config_of(GetParam());
    config.dcache.hit_cycles = kHitCycles;
    return config;
  }
  /// A load and a store in each of many pages; the time it takes.
  Picoseconds walk_over(unsigned pages) {
    for (unsigned page = 0; page < pages; ++page)
      tables.map(kDataAt + page * 4096, kPagesAt + page % 8 * 4096, PageTables::kAll);
    const Picoseconds before = core().time();
    machine.put32(kCode, {lui(s0, kDataAt >> 12), lui(t0, 1), lui(s1, (kDataAt >> 12) + pages), lw(a0, s0, 64),
                          sw(a0, s0, 128), add(s0, s0, t0), bne(s0, s1, -12), kWfi});
    EXPECT_FALSE(traps_at(kCodeAt));
    core().times();  // their sum is checked
    return core().time() - before;
  }
};
INSTANTIATE_TEST_SUITE_P(Widths, TimedTranslation, testing::Values(32u, 64u));

TEST_P(TimedTranslation, walks_take_the_time_of_their_accesses_and_kept_pages_none) {
  walk_over(16);
  const Picoseconds kept = walk_over(16) / 16;
  walk_over(2048);
  const Picoseconds walked = walk_over(2048) / 2048;  // as many do not fit
  EXPECT_LT(kept, walked);
  EXPECT_GE(walked, (4 + (2 + tables.levels()) * kHitCycles) * kCycle);
}

TEST_P(TimedTranslation, two_addresses_of_one_line_are_one_line_of_the_cache) {
  tables.map(kDataAt, kPagesAt, PageTables::kAll);
  tables.map(kDataAt + 0x1000, kPagesAt, PageTables::kAll);
  core().set_x(a0, 5);
  EXPECT_FALSE(traps({lui(s0, kDataAt >> 12), lui(s1, (kDataAt >> 12) + 1), sw(a0, s0, 0), lw(a1, s1, 0),
                      addi(a1, a1, 1), sw(a1, s1, 0), lw(a2, s0, 0), sfence_vma(s0), lw(a3, s1, 0), kWfi}));
  EXPECT_EQ(core().x(a2), 6u);
  EXPECT_EQ(core().x(a3), 6u);
}

/// The line is in the cache and dirty, and a load has just shown that its page can be read.
TEST_P(TimedTranslation, a_dirty_line_is_stored_to_only_where_its_page_allows_it) {
  tables.map(kDataAt, kPagesAt, PageTables::kAll);
  tables.map(kDataAt + 0x1000, kPagesAt, Flag::kV | Flag::kR | Flag::kA | Flag::kD);
  core().set_x(a0, 5);
  core().set_x(t0, 9);
  EXPECT_TRUE(
      traps({lui(s0, kDataAt >> 12), lui(s1, (kDataAt >> 12) + 1), sw(a0, s0, 0), lw(a1, s1, 0), sw(t0, s1, 0), kWfi}));
  expect_fault(15, kDataAt + 0x1000);
  EXPECT_EQ(machine.word(kPagesAt) & 0xffffffff, 5u);
}

TEST_P(TimedTranslation, a_page_of_a_dirty_line_is_marked_as_written_to) {
  tables.map(kDataAt, kPagesAt, PageTables::kAll);
  tables.map(kDataAt + 0x1000, kPagesAt, Flag::kV | Flag::kR | Flag::kW | Flag::kA);
  EXPECT_FALSE(
      traps({lui(s0, kDataAt >> 12), lui(s1, (kDataAt >> 12) + 1), sw(a0, s0, 0), lw(a1, s1, 0), sw(t0, s1, 0), kWfi}));
  EXPECT_TRUE(tables.get(tables.place(kDataAt + 0x1000, 0)) & Flag::kD);
}

TEST_P(TimedTranslation, a_line_found_after_one_sfence_vma_is_forgotten_by_the_next) {
  tables.map(kDataAt, kPagesAt, PageTables::kAll);
  machine.put32(kPagesAt, {1});
  machine.put32(kPagesAt + 0x1000, {2});
  // s1: where the entry is seen; a2: the new one.
  tables.map(0x2800'0000, tables.place(kDataAt, 0) & ~0xfffull, PageTables::kAll);
  core().set_x(s1, 0x2800'0000 | (tables.place(kDataAt, 0) & 0xfff));
  core().set_x(a2, (kPagesAt + 0x1000) >> 12 << 10 | PageTables::kAll);
  EXPECT_FALSE(traps({sfence_vma(), lui(s0, kDataAt >> 12), lw(a0, s0, 0), lw(a0, s0, 0),
                      store_x(GetParam(), a2, s1, 0), sfence_vma(), lw(a1, s0, 0), kWfi}));
  EXPECT_EQ(core().x(a0), 1u);
  EXPECT_EQ(core().x(a1), 2u);
  core().times();  // their sum is checked
}

}  // namespace
}  // namespace vp::cpu
