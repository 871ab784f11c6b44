// Jumps of generated code whose target is in a register: calls and returns, which are foreseen, and the table of jumps.
// Nothing of that may be seen, so each program is compared with its interpretation, cut at many places.
#include <gtest/gtest.h>
#include <pthread.h>

#include <utility>
#include <vector>

#include "tests/cpu/encode.h"
#include "tests/cpu/jit_program.h"
#include "tests/cpu/page_tables.h"

namespace vp::cpu {
namespace {

using namespace encode;

class JitJumps : public JitProgram {};

constexpr std::uint32_t kReturn = jalr(0, ra, 0);

TEST_P(JitJumps, recursion_far_deeper_than_what_is_foreseen_comes_back_all_the_way) {
  // a1 = the sum of the numbers to a0, by a call for each.
  const auto x = run({auipc(sp, 8), addi(a0, 0, 1000), jal(ra, 8), kStay,  // main
                      beq(a0, 0, 40), addi(sp, sp, -16), store_x(xlen(), ra, sp, 0), store_x(xlen(), a0, sp, 8),  // sum
                      addi(a0, a0, -1), jal(ra, -20), load_x(xlen(), a0, sp, 8), load_x(xlen(), ra, sp, 0),
                      add(a1, a1, a0), addi(sp, sp, 16), kReturn},
                     20'000);
  EXPECT_EQ(x[a1], 500'500u);
}

/// On a stack as small as those that a kernel's threads may have.
TEST_P(JitJumps, calls_that_never_return_take_no_more_memory_of_the_host) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, std::size_t{256} << 10);
  const auto calls = [](void*) -> void* {
    run({addi(a0, a0, 1), jal(ra, 4), jal(ra, -8)}, 2'000'000);
    run({auipc(t1, 0), addi(a0, a0, 1), jalr(ra, t1, 0)}, 2'000'000);
    return nullptr;
  };
  pthread_t thread{};
  ASSERT_EQ(pthread_create(&thread, &small, calls, nullptr), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&small);
}

TEST_P(JitJumps, a_return_over_several_calls_at_once_leads_where_it_is_to) {
  const auto x = run({addi(s2, 0, 50), jal(ra, 16), addi(s2, s2, -1), bne(s2, 0, -8), kStay,       // main calls A
                      addi(s3, ra, 0), jal(ra, 16), addi(a0, a0, 1), addi(ra, s3, 0), kReturn,     // A calls B
                      addi(s4, ra, 0), jal(ra, 16), addi(a1, a1, 1), addi(ra, s4, 0), kReturn,     // B calls C
                      i(1, s2, 7, t1, 0x13) /* andi */, beq(t1, 0, 8), addi(ra, s4, 0), kReturn},  // C, half to A
                     2000);
  EXPECT_EQ(x[a0], 50u);
  EXPECT_EQ(x[a1], 25u);
}

TEST_P(JitJumps, a_return_to_another_place_than_behind_the_call_leads_there) {
  for (const bool by_offset : {false, true}) {
    const auto x = run({addi(s2, 0, 50), jal(ra, 20), addi(a0, a0, 100), addi(a1, a1, 1), addi(s2, s2, -1),
                        bne(s2, 0, -16), addi(ra, ra, by_offset ? 0 : 4), jalr(0, ra, by_offset ? 4 : 0)},
                       200);
    EXPECT_EQ(x[a0], 0u);
    EXPECT_GT(x[a1], 20u);
  }
}

TEST_P(JitJumps, the_lowest_bit_of_a_return_address_does_not_count) {
  const auto x = run({jal(ra, 12), addi(a0, a0, 1), jal(0, -8), addi(ra, ra, 1), kReturn}, 300);
  EXPECT_GT(x[a0], 50u);
}

TEST_P(JitJumps, a_return_by_the_other_link_register_goes_where_that_leads) {
  // The callee keeps ra as it is, and returns by t0, to another place every other time.
  const auto x = run({addi(s2, s2, 4), i(4, s2, 7, s2, 0x13) /* andi */, jal(ra, 12), addi(a0, a0, 1), jal(0, -16),
                      add(t0, ra, s2), jalr(0, t0, 0)},
                     600);
  EXPECT_GT(x[a0], 30u);
}

TEST_P(JitJumps, coroutines_that_exchange_link_registers_go_on_in_each_other) {
  const auto x = run({jal(ra, 20), addi(a0, a0, 1), jalr(ra, t0, 0), addi(a0, a0, 2), jal(0, -8),  // one
                      jalr(t0, ra, 0), addi(a1, a1, 1), jal(0, -8)},                               // the other
                     1000);
  EXPECT_GT(x[a0], 200u);
  EXPECT_GT(x[a1], 100u);
  // By one register: a jump to where it leads, and a call.
  const auto y = run({jal(t0, 16), addi(a0, a0, 1), jalr(t0, t0, 0), jal(0, -8),  //
                      jalr(t0, t0, 0), addi(a1, a1, 1), jal(0, -8)},
                     1000);
  EXPECT_GT(y[a0], 100u);
  EXPECT_GT(y[a1], 100u);
}

TEST_P(JitJumps, a_coroutine_is_left_when_nothing_is_known_of_its_call) {
  // Reading a CSR leaves generated code between the call and the exchange, and between that and the return.
  const auto x = run({jal(ra, 20), addi(a0, a0, 1), csrr(a2, mscratch), jalr(ra, t0, 0), jal(0, -16),  //
                      csrr(a2, mscratch), jalr(t0, ra, 0), addi(a1, a1, 1), kReturn},
                     1000);
  EXPECT_GT(x[a0], 90u);
  EXPECT_GT(x[a1], 90u);
}

TEST_P(JitJumps, returns_that_no_call_belongs_to_lead_where_they_are_to) {
  // Behind a CSR nothing is known: an exchange, and two returns.
  const auto x = run({auipc(ra, 0), addi(ra, ra, 20), csrr(a2, mscratch), jalr(t0, ra, 0), jal(0, 12),  //
                      addi(a0, a0, 1), jalr(0, t0, 0), auipc(ra, 0), addi(ra, ra, 12), kReturn, jal(0, -40)},
                     1000);
  EXPECT_GT(x[a0], 90u);
}

TEST_P(JitJumps, a_trap_between_call_and_return_changes_nothing) {
  const auto handler = [](TestMachine& machine) {
    machine.put32(kBase + 0x400, {addi(s5, ra, 0), jal(ra, 24), csrr(s4, mepc), addi(s4, s4, 4), csrw(mepc, s4),
                                  addi(ra, s5, 0), kMret, addi(a3, a3, 1), kReturn});
  };
  const auto x = run({auipc(t1, 0), addi(t1, t1, 0x3f8), csrw(mtvec, t1), addi(s2, 0, 100), jal(ra, 16),
                      addi(s2, s2, -1), bne(s2, 0, -8), kStay, kEcall, addi(a0, a0, 1), kReturn},
                     3000, handler);
  EXPECT_EQ(x[a0], 100u);
  EXPECT_EQ(x[a3], 100u);
}

TEST_P(JitJumps, a_return_into_code_that_has_been_written_meanwhile_finds_the_new_code) {
  // Behind the call is `addi a0, a0, 1`, or 16 after every other call.
  const auto x = run({auipc(s3, 0), lui(s5, 0x1100), addi(s2, 0, 100),  //
                      jal(ra, 20), addi(a0, a0, 1), addi(s2, s2, -1), bne(s2, 0, -12), kStay, lw(s4, s3, 16),
                      r(0, s5, s4, 4, s4, 0x33) /* xor */, sw(s4, s3, 16), kFenceI, kReturn},
                     3000);
  EXPECT_EQ(x[a0], 50u * 1 + 50u * 16);
}

TEST_P(JitJumps, a_jump_to_code_that_has_been_written_meanwhile_finds_the_new_code) {
  const auto x = run(
      {auipc(s3, 0), addi(t1, s3, 24), lui(s5, 0x1100), addi(s2, 0, 100), jalr(0, t1, 0), kStay, addi(a0, a0, 1),
       lw(s4, s3, 24), r(0, s5, s4, 4, s4, 0x33), sw(s4, s3, 24), kFenceI, addi(s2, s2, -1), bne(s2, 0, -32), kStay},
      3000);
  EXPECT_EQ(x[a0], 50u * 1 + 50u * 16);
}

TEST_P(JitJumps, two_targets_at_one_place_of_the_table_are_told_from_each_other) {
  constexpr unsigned kApart = 2 * BlockCache::kJumps;
  const auto targets = [](TestMachine& machine) {
    machine.put32(kBase + 0x400, {addi(a0, a0, 1), jalr(0, s2, 0)});
    machine.put32(kBase + 0x400 + kApart, {addi(a1, a1, 1), jalr(0, s3, 0)});
  };
  const auto x = run({auipc(t1, 0), addi(t1, t1, 0x3f8), lui(t2, kApart >> 12), add(t2, t2, t1), auipc(s2, 0),
                      addi(s2, s2, 16), addi(s3, s2, 4), jalr(0, t1, 0), jalr(0, t2, 0), jal(0, -8)},
                     3000, targets);
  EXPECT_GT(x[a0], 400u);
  EXPECT_GT(x[a1], 400u);
}

TEST_P(JitJumps, a_jump_to_the_last_of_all_addresses_is_no_empty_place_of_the_table) {
  const auto x = run({auipc(t1, 0), addi(t1, t1, 0x3f8), csrw(mtvec, t1), addi(t2, 0, -1), auipc(s4, 0),
                      addi(s4, s4, 8), addi(a0, a0, 1), jalr(0, t2, 0)},
                     300, [](TestMachine& machine) {
                       machine.put32(kBase + 0x400, {csrw(mepc, s4), kMret});
                     });
  EXPECT_GT(x[a0], 30u);
}

TEST_P(JitJumps, what_a_mode_jumps_to_is_not_what_another_mode_does) {
  // Machine mode may execute the second page; user mode, which comes there by the same jump, may not.
  const auto rest = [](TestMachine& machine) {
    machine.put32(kBase + 0x400, {jalr(ra, s3, 0), addi(a3, a3, 1), csrw(mepc, s6), kMret});
    machine.put32(kBase + 0x1400, {addi(a0, a0, 1), kReturn});
  };
  const auto x = run({auipc(t1, 0), addi(t1, t1, 0x3f8), csrw(mtvec, t1), addi(s3, s1, 0x400),  //
                      addi(t1, s1, 0), i(2, t1, 5, t1, 0x13) /* srli */, csrw(pmpaddr0, t1), addi(t1, 0, 0xf),
                      csrw(pmpcfg0, t1),                                                // below s1, all rights
                      auipc(s2, 0), addi(s2, s2, 16), addi(s6, s2, 0), csrw(mepc, s2),  //
                      jalr(ra, s3, 0), kMret},
                     500, rest);
  EXPECT_GT(x[a3], 40u);
  EXPECT_LE(x[a0], x[a3] + 2);
}

/// Supervisor mode, and a page that is mapped to one of two pages of memory, with this code but for the 1, which is 16
/// in the other one; the page before it jumps there; t1, t2, s5 and s6 are the program's for exchange().
class JitMappedJumps : public JitJumps {
 protected:
  static constexpr std::uint64_t kPage = 0x40'0000;
  static Prepare pages_of(std::vector<std::uint32_t> code, std::size_t place_of_one,
                          std::vector<std::uint32_t> routine) {
    return [=](TestMachine& machine) {
      constexpr std::uint64_t kFirst = kBase + 0x4000, kSecond = kBase + 0x5000;
      PageTables tables(xlen(), machine.memory, kBase, kBase + 0x8000);
      for (std::uint64_t page = kBase; page < kBase + kMemory; page += 4096) tables.map(page, page, PageTables::kAll);
      tables.map(kPage, kFirst, PageTables::kAll);
      tables.map(kPage - 4096, kBase + 0x6000, PageTables::kAll);
      machine.put32(kBase + 0x6000, {jal(0, 4096)});
      const std::uint64_t entry = tables.place(kPage, 0);
      const std::uint64_t change = tables.get(entry) ^ (kSecond >> 12 << 10 | PageTables::kAll);
      for (const auto& [offset, value] : {std::pair{0, tables.satp()}, {8, entry}, {16, change}})
        machine.put(kBase + 0x2000 + static_cast<unsigned>(offset), &value, 8);
      machine.put(kFirst, code.data(), 4 * code.size());
      machine.put(kSecond, code.data(), 4 * code.size());
      machine.put32(kSecond + 4 * place_of_one, {addi(a0, a0, 16)});
      machine.put(kBase + 0x400, routine.data(), 4 * routine.size());
      machine.core->set_csr(pmpaddr0, ~std::uint64_t{0});
      machine.core->set_csr(pmpcfg0, 0x1f);
      machine.core->set_mode(Mode::kSupervisor);
    };
  }
  /// s3 leads to the routine, s2 to the page.
  static std::vector<std::uint32_t> start(std::initializer_list<std::uint32_t> rest) {
    std::vector<std::uint32_t> program = {auipc(s3, 0),
                                          addi(s3, s3, 0x3f8),
                                          lui(t1, 1),
                                          add(t1, t1, s1),
                                          load_x(xlen(), t2, t1, 0),
                                          load_x(xlen(), s5, t1, 8),
                                          load_x(xlen(), s6, t1, 16),
                                          csrw(satp, t2),
                                          sfence_vma(),
                                          lui(s2, kPage >> 12)};
    program.insert(program.end(), rest);
    return program;
  }
  /// Maps the page to the other memory.
  static std::vector<std::uint32_t> exchange(std::initializer_list<std::uint32_t> rest) {
    std::vector<std::uint32_t> code = {load_x(xlen(), t1, s5, 0), r(0, s6, t1, 4, t1, 0x33), store_x(xlen(), t1, s5, 0),
                                       sfence_vma()};
    code.insert(code.end(), rest);
    return code;
  }
};

TEST_P(JitMappedJumps, a_return_into_a_page_that_is_mapped_elsewhere_meanwhile_finds_what_is_there_now) {
  const auto pages =
      pages_of({addi(s7, ra, 0), jalr(ra, s3, 0), addi(a0, a0, 1), addi(ra, s7, 0), kReturn}, 2, exchange({kReturn}));
  const auto x = run(start({jalr(ra, s2, 0), jal(0, -4)}), 1000, pages);
  EXPECT_GT(x[a0], 200u);
}

TEST_P(JitMappedJumps, a_jump_from_a_page_to_another_that_is_mapped_elsewhere_meanwhile_leads_to_what_is_there_now) {
  const auto pages = pages_of({addi(a0, a0, 1), jalr(0, s4, 0)}, 0, exchange({jalr(0, s8, 0)}));
  const auto x = run(start({auipc(s4, 0), addi(s4, s4, 28), addi(s8, s4, -8), lui(t3, (kPage >> 12) - 1),
                            addi(s9, 0, 16), jalr(0, t3, 0), kNop, addi(s9, s9, -1), bne(s9, 0, -12), jalr(0, s3, 0)}),
                     3000, pages);
  EXPECT_GT(x[a0], 3000u);
}

TEST_P(JitMappedJumps, a_branch_within_a_page_that_is_mapped_elsewhere_meanwhile_leads_to_what_is_there_now) {
  const auto pages = pages_of({beq(0, 0, 8), kNop, addi(a0, a0, 1), addi(s8, s8, -1), bne(s8, 0, -16), jalr(0, s3, 0)},
                              2, exchange({jalr(0, s4, 0)}));
  const auto x = run(start({auipc(s4, 0), addi(s4, s4, 8), addi(s8, 0, 20), jalr(0, s2, 0)}), 6000, pages);
  EXPECT_GT(x[a0], 6000u);
}

TEST_P(JitMappedJumps, a_jump_into_a_page_that_is_mapped_elsewhere_meanwhile_finds_what_is_there_now) {
  // Sixteen jumps to the page, and then the routine.
  const auto pages = pages_of({addi(a0, a0, 1), jalr(0, s4, 0)}, 0, exchange({jalr(0, s8, 0)}));
  const auto x = run(start({auipc(s4, 0), addi(s4, s4, 24), addi(s8, s4, -8), addi(s9, 0, 16), jalr(0, s2, 0), kNop,
                            addi(s9, s9, -1), bne(s9, 0, -12), jalr(0, s3, 0)}),
                     3000, pages);
  EXPECT_GT(x[a0], 4000u);
}

TEST_P(JitJumps, a_branch_to_code_that_has_been_written_meanwhile_finds_the_new_code_and_then_goes_there_by_itself) {
  // Twenty times a thousand rounds, behind each of which `addi a0, a0, 1` is exchanged for 16 or back.
  const std::vector<std::uint32_t> program = {auipc(s3, 0),
                                              lui(s5, 0x1100),
                                              addi(s2, 0, 20),
                                              addi(s6, 0, 1000),  //
                                              beq(0, 0, 8),
                                              kStay,
                                              addi(a0, a0, 1),
                                              addi(s6, s6, -1),
                                              bne(s6, 0, -16),  //
                                              lw(s4, s3, 24),
                                              r(0, s5, s4, 4, s4, 0x33),
                                              sw(s4, s3, 24),
                                              kFenceI,
                                              addi(s2, s2, -1),
                                              bne(s2, 0, -44),
                                              kStay};
  EXPECT_EQ(run(program, 90'000)[a0], 10'000u * 1 + 10'000u * 16);
  EXPECT_LT(left(program, 80'000), 500u);
}

TEST_P(JitMappedJumps, code_that_maps_its_own_page_elsewhere_goes_on_there) {
  // Every other time; the fence is of that page's address alone.
  const auto pages =
      pages_of({r(0, s6, s7, 4, s7, 0x33) /* xor */, load_x(xlen(), t1, s5, 0), r(0, s7, t1, 4, t1, 0x33),
                store_x(xlen(), t1, s5, 0), sfence_vma(s2), addi(a0, a0, 1), jalr(0, s4, 0)},
               5, {kNop});
  const auto x = run(start({auipc(s4, 0), addi(s4, s4, 8), jalr(0, s2, 0)}), 1000, pages);
  EXPECT_GT(x[a0], 1000u);
}

/// A block of one piece, of which instructions in the midst leave generated code, which is to go on behind them.
TEST_P(JitJumps, code_goes_on_behind_a_miss_a_csr_and_a_reservation) {
  const auto x =
      run({lui(s2, 0x10000), addi(a0, a0, 1), csrr(t1, mscratch), addi(t1, t1, 3), csrw(mscratch, t1), sw(t1, s1, 64),
           lbu(t2, s2, 5), add(a1, a1, t2), lr(t3, s1, 4), addi(t3, t3, 1), sc(a2, s1, t3, 4), add(a3, a3, a2),
           lw(t4, s1, 64), add(a4, a4, t4), csrr(a5, minstret), add(a6, a6, a5), lbu(t2, s2, 5), jal(0, -64)},
          5000);
  EXPECT_EQ(x[a3], 0u);
  EXPECT_GT(x[a1], 0x60u * 290);
}

INSTANTIATE_TEST_SUITE_P(widths, JitJumps, testing::Values(32u, 64u));
INSTANTIATE_TEST_SUITE_P(widths, JitMappedJumps, testing::Values(32u, 64u));

}  // namespace
}  // namespace vp::cpu
