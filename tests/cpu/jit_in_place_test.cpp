// What generated code has no code for, but does not leave for either: pages that it does not know yet, and CSRs.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/cpu/encode.h"
#include "tests/cpu/jit_program.h"
#include "tests/cpu/page_tables.h"

namespace vp::cpu {
namespace {

using namespace encode;

class JitInPlace : public JitProgram {
 protected:
  static constexpr unsigned kRounds = 50;
  static constexpr std::uint64_t kUserPage = 0x40'0000;
  /// Those of a loop without what leaves it: until the first page has been granted.
  static constexpr unsigned kAtFirst = 3;

  /// Supervisor mode with page tables, in which one more page is user mode's; s2 leads there, s3 to an address that is
  /// not mapped, and a1 counts the rounds.
  static void pages(TestMachine& machine) {
    PageTables tables(xlen(), machine.memory, kBase, kBase + 0x8000);
    for (std::uint64_t page = kBase; page < kBase + kMemory; page += 4096) tables.map(page, page, PageTables::kAll);
    tables.map(kUserPage, kBase + 0x4000, PageTables::kAll | PageTables::kU);
    const std::uint64_t satp_value = tables.satp();
    machine.put(kBase + 0x2000, &satp_value, 8);
    machine.core->set_csr(pmpaddr0, ~std::uint64_t{0});
    machine.core->set_csr(pmpcfg0, 0x1f);
    machine.core->set_csr(mcounteren, 7);
    machine.core->set_csr(mtvec, kBase + 0x400);
    machine.put32(kBase + 0x400, {csrr(s10, mepc), addi(s10, s10, 4), csrw(mepc, s10), addi(a5, a5, 1), kMret});
    machine.core->set_mode(Mode::kSupervisor);
  }
  static std::vector<std::uint32_t> loop(std::initializer_list<std::uint32_t> body) {
    std::vector<std::uint32_t> program = {lui(t1, 1),     add(t1, t1, s1),     load_x(xlen(), t2, t1, 0),
                                          csrw(satp, t2), sfence_vma(),        lui(s2, kUserPage >> 12),
                                          lui(s3, 0x500), addi(a1, 0, kRounds)};
    program.insert(program.end(), body);
    const int size = 4 * static_cast<int>(body.size());
    program.insert(program.end(), {addi(a1, a1, -1), bne(a1, 0, -size - 4), kStay});
    return program;
  }
  static std::uint64_t length(std::size_t body) { return kPrologue + 8 + kRounds * (body + 2); }

  /// Runs it, compares it with its interpretation, and expects that generated code is left so often a round.
  static std::vector<std::uint64_t> expect_left(unsigned a_round, std::initializer_list<std::uint32_t> body,
                                                std::uint64_t more = 0) {
    const std::uint64_t instructions = length(body.size()) + kRounds * more;
    const auto x = run(loop(body), instructions, pages);
    EXPECT_EQ(x[a1], 0u);
    const unsigned left = left_inside(loop(body), instructions, pages);
    EXPECT_GE(left, a_round * kRounds);
    EXPECT_LE(left, a_round * kRounds + kAtFirst + 2);
    return x;
  }
};

TEST_P(JitInPlace, pages_that_have_been_forgotten_are_found_again) {
  // By a walk behind each fence, which itself is left for: a page and another at the same place of the tables, by
  // turns.
  expect_left(1, {kNop, sfence_vma(), lw(t1, s1, 0), addi(t1, t1, 1), sw(t1, s1, 0), lw(t2, s1, 64), add(a0, a0, t2),
                  load_x(xlen(), t3, s1, 8), store_x(xlen(), t3, s1, 16)});
}

TEST_P(JitInPlace, an_atomic_access_finds_its_page) {
  const auto x = expect_left(1, {kNop, sfence_vma(), amo(0, t1, s1, a1, 4), add(a0, a0, t1)});
  EXPECT_GT(x[a0], 0u);
}

TEST_P(JitInPlace, a_page_that_is_not_mapped_traps_as_ever) {
  const auto x = expect_left(2, {lw(t1, s3, 0), sfence_vma(), addi(a0, a0, 1)}, 4);  // and the handler's four
  EXPECT_EQ(x[a5], kRounds);
}

TEST_P(JitInPlace, accesses_across_words_and_pages_take_their_parts) {
  const auto latency = [](TestMachine& machine) {
    pages(machine);
    machine.latency = 30'000;
    machine.wide_extra = 10'000;
  };
  const auto program = loop({addi(t1, a1, 0),
                             slli(t2, a1, 8),
                             add(t1, t1, t2),
                             slli(t2, t1, 16),
                             add(t1, t1, t2),  //
                             store_x(xlen(), t1, s1, 3),
                             store_x(xlen(), t1, s1, 13),
                             sw(t1, s1, 33),
                             sw(t1, s1, 38),
                             load_x(xlen(), t3, s1, 5),
                             lw(t4, s1, 1),
                             lw(t5, s1, 34),
                             lh(t6, s1, 39),
                             add(a0, a0, t3),
                             add(a0, a0, t4),
                             add(a0, a0, t5),
                             add(a0, a0, t6),  // and into the page behind:
                             lui(s4, 1),
                             add(s4, s4, s1),
                             store_x(xlen(), t1, s4, -3),
                             load_x(xlen(), t3, s4, -1),
                             add(a0, a0, t3)});
  const std::uint64_t instructions = length(22);
  const auto x = run(program, instructions, latency);
  EXPECT_EQ(x[a1], 0u);
  EXPECT_NE(x[a0], 0u);
  EXPECT_LT(left_inside(program, instructions, latency), 8u);
}

TEST_P(JitInPlace, a_store_into_a_page_that_is_not_mapped_stores_nothing) {
  const auto last_page = [](TestMachine& machine) {
    pages(machine);
    machine.core->set_csr(mtvec, kBase + 0x400);
  };
  // s3 is an address that is not mapped, behind the user's page, which has no byte stored to.
  const auto program = loop({lui(t1, 0x40), csrrs(0, sstatus, t1), lui(s4, 0x401), store_x(xlen(), a1, s4, -3),
                             lw(t2, s4, -4), add(a0, a0, t2), addi(a0, a0, 1)});
  const auto x = run(program, length(7) + kRounds * 4, last_page);
  EXPECT_EQ(x[a5], kRounds);
  EXPECT_EQ(x[a0], kRounds);
}

TEST_P(JitInPlace, counters_are_read_with_their_values) {
  const auto x = expect_left(0, {csrr(t1, 0xc01 /* time */), add(a0, a0, t1), csrr(t2, 0xc02 /* instret */),
                                 add(a2, a2, t2), csrr(t3, 0xc00 /* cycle */), lw(t4, s1, 0), add(a3, a3, t3)});
  EXPECT_GT(x[a0], 0u);
  EXPECT_GT(x[a3], x[a2]);
}

TEST_P(JitInPlace, counters_that_are_not_given_trap) {
  const auto forbidden = [](TestMachine& machine) {
    pages(machine);
    machine.core->set_csr(mcounteren, 5);
  };
  const auto program = loop({csrr(t1, 0xc01), addi(a0, a0, 1)});
  EXPECT_EQ(run(program, length(2) + kRounds * 4, forbidden)[a5], kRounds);
}

TEST_P(JitInPlace, user_memory_is_reached_while_it_may_be) {
  // SUM, a load from the page of user mode, without SUM: each space has tables of its own.
  const auto x = expect_left(0, {lui(t1, 0x40), csrrs(0, sstatus, t1), lw(t2, s2, 0), addi(t2, t2, 1), sw(t2, s2, 0),
                                 csrrc(0, sstatus, t1), add(a0, a0, t2)});
  EXPECT_EQ(x[a0], kRounds * (kRounds + 1) / 2);
}

TEST_P(JitInPlace, user_memory_is_not_reached_behind_it) {
  const auto x = expect_left(
      2, {lui(t1, 0x40), csrrs(0, sstatus, t1), lw(t2, s2, 0), csrrc(0, sstatus, t1), lw(t3, s2, 0), addi(a0, a0, 1)},
      4);
  EXPECT_EQ(x[a5], kRounds);
}

TEST_P(JitInPlace, an_interrupt_that_a_csr_lets_in_comes_at_once) {
  const auto pending = [](TestMachine& machine) {
    pages(machine);
    machine.core->set_csr(mideleg, 0x222);
    machine.core->set_csr(stvec, kBase + 0x500);
    machine.core->set_csr(mip, 2);  // supervisor's software interrupt
    machine.core->set_csr(mstatus, machine.csr(mstatus) | 2);
    // The handler masks it, and counts where it has come from.
    machine.put32(kBase + 0x500, {csrr(t6, sepc), add(a5, a5, t6), csrw(sie, 0), kSret});
  };
  const auto program = loop({addi(t1, 0, 2), addi(a0, a0, 1), csrw(sie, t1), addi(a0, a0, 1), add(a2, a2, a0)});
  const auto x = run(program, length(5) + kRounds * 4, pending);
  EXPECT_EQ(x[a1], 0u);
  EXPECT_GT(x[a5], 0u);
  EXPECT_LT(left_inside(program, length(5) + kRounds * 4, pending), 4 * kRounds);
}

TEST_P(JitInPlace, floating_point_that_a_csr_has_switched_off_is_illegal_behind_it) {
  CpuConfig config = config_of(xlen());
  config.isa = xlen() == 32 ? Isa::kRv32gc : Isa::kRv64gc;
  for (const Jit jit : {Jit::off, Jit::on}) {
    config.jit = jit;
    config.jit_after = 0;
    TestMachine machine(config);
    machine.core->set_csr(mtvec, kBase + 0x400);
    machine.put32(kBase + 0x400, {csrr(s10, mepc), addi(s10, s10, 4), csrw(mepc, s10), addi(a5, a5, 1), kMret});
    machine.put32(kBase, {auipc(s1, 1), sw(0, s1, 0), addi(a1, 0, kRounds), lui(t1, 6),  //
                          csrrs(0, mstatus, t1), r(0x69, 0, a1, 0, 1, 0x53) /* fcvt.d.w f1, a1 */,
                          csrrc(0, mstatus, t1), r(0x69, 0, a1, 0, 2, 0x53), addi(a1, a1, -1), bne(a1, 0, -20), kWfi});
    machine.run_to_end();
    EXPECT_EQ(machine.core->x(a5), kRounds);
    EXPECT_EQ(machine.core->f(2), 0u);
    EXPECT_NE(machine.core->f(1), 0u);
  }
}

TEST_P(JitInPlace, fences_of_pages_without_code_are_done) {
  const auto x = expect_left(0, {kNop, lw(t1, s1, 0), sfence_vma(s1), addi(t1, t1, 1), sw(t1, s1, 0), kFenceI,
                                 add(a0, a0, t1), lui(t2, 0x40), csrrs(0, sstatus, t2), sfence_vma(s2), lw(t2, s2, 0)});
  EXPECT_EQ(x[a0], kRounds * (kRounds + 1) / 2);
}

/// The page table's entry of a page is exchanged before each fence.
TEST_P(JitInPlace, a_fence_of_one_page_forgets_that_page) {
  const auto two_pages = [](TestMachine& machine) {
    pages(machine);
    machine.put32(kBase + 0x6000, {1});
    machine.put32(kBase + 0x7000, {16});
    PageTables tables(xlen(), machine.memory, kBase, kBase + 0x8000 + 0x8000);
    for (std::uint64_t page = kBase; page < kBase + kMemory; page += 4096) tables.map(page, page, PageTables::kAll);
    tables.map(kUserPage, kBase + 0x6000, PageTables::kAll);
    const std::uint64_t entry = tables.place(kUserPage, 0), satp_value = tables.satp();
    const std::uint64_t change = (kBase + 0x6000) >> 12 << 10 ^ (kBase + 0x7000) >> 12 << 10;
    machine.put(kBase + 0x2000, &satp_value, 8);
    machine.put(kBase + 0x2008, &entry, 8);
    machine.put(kBase + 0x2010, &change, 8);
  };
  const auto program = loop({lui(t1, 1), add(t1, t1, s1), load_x(xlen(), s5, t1, 8), load_x(xlen(), s6, t1, 16),
                             load_x(xlen(), t3, s5, 0), r(0, s6, t3, 4, t3, 0x33) /* xor */, store_x(xlen(), t3, s5, 0),
                             sfence_vma(s2), lw(t4, s2, 0), add(a0, a0, t4)});
  EXPECT_EQ(run(program, length(10), two_pages)[a0], kRounds / 2 * (1 + 16));
  EXPECT_LT(left_inside(program, length(10), two_pages), 8u);
}

TEST_P(JitInPlace, a_fence_behind_a_change_of_code_leads_to_the_new_code) {
  // The instruction behind the fence adds 1, or 16 every other time.
  const auto program = loop({auipc(s4, 0), lui(s5, 0x1100), lw(t1, s4, 28), r(0, s5, t1, 4, t1, 0x33) /* xor */,
                             sw(t1, s4, 28), kFenceI, kNop, addi(a0, a0, 1)});
  EXPECT_EQ(run(program, length(8), pages)[a0], kRounds / 2 * (1 + 16));
}

INSTANTIATE_TEST_SUITE_P(widths, JitInPlace, testing::Values(32u, 64u));

}  // namespace
}  // namespace vp::cpu
