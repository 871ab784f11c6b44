// Supervisor mode against QEMU: random page tables, rights, and accesses under them.
#include <gtest/gtest.h>

#include <random>

#include "tests/cpu/encode.h"
#include "tests/cpu/page_tables.h"
#include "tests/cpu/reference_run.h"
#include "tests/cpu/test_machine.h"

namespace vp::cpu {
namespace {

using namespace encode;

constexpr unsigned kPool = 16;                      // pages of data, and four of returns behind them
constexpr std::uint64_t kReturns = kPool * 0x1000;  // in the world
constexpr std::uint64_t kTablesInWorld = 0x20000;
constexpr std::uint64_t kPaged = 0x4000'0000;  // virtual: small pages; superpages behind them
constexpr unsigned kSmallPages = 64;

class PagedWorld {
 public:
  PagedWorld(unsigned xlen, Mode mode, unsigned seed) : xlen_(xlen), mode_(mode), random_(seed) {}

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

  ReferenceProgram make(unsigned pieces) {
    ReferenceProgram program;
    program.xlen = xlen_;
    program.user_mode = mode_ == Mode::kUser;
    program.supervisor_mode = mode_ == Mode::kSupervisor;
    program.world.resize(0x80000);
    for (std::uint64_t at = 0; at < kReturns; at += 4) put(program, at, static_cast<std::uint32_t>(random_()));
    for (std::uint64_t at = kReturns; at < kReturns + 0x4000; at += 4) put(program, at, 0x80828082);  // c.jr ra
    PageTables tables(xlen_, program.world, ReferenceProgram::kWorld, ReferenceProgram::kWorld + kTablesInWorld);
    // The pieces themselves are where they are in memory.
    const std::uint64_t own = PageTables::kAll | (program.user_mode ? PageTables::kU : 0);
    const unsigned top = tables.levels() - 1;
    for (std::uint64_t at = kBase; at < kBase + 0xc0'0000; at += tables.size(top))
      tables.map(at, at / tables.size(top) * tables.size(top), own, top);
    map_small(tables);
    map_large(tables);
    EXPECT_LE(tables.end(), ReferenceProgram::kWorld + program.world.size());
    program.setup.emplace_back(satp, tables.satp());
    registers(program);
    for (unsigned n = 0; n < pieces; ++n) program.pieces.push_back(piece());
    return program;
  }

 private:
  static void put(ReferenceProgram& program, std::uint64_t at, std::uint32_t value) {
    std::memcpy(program.world.data() + at, &value, 4);
  }
  /// Any rights, but code is not written: what is executed returns.
  std::uint64_t flags() {
    std::uint64_t flags = PageTables::kV | (random_() & 0xfe);
    if (below(12) == 0) flags &= ~std::uint64_t{PageTables::kV};
    if ((flags & PageTables::kW) && (flags & PageTables::kX)) flags &= ~std::uint64_t{PageTables::kX};
    return flags;
  }
  void map_small(PageTables& tables) {
    for (unsigned page = 0; page < kSmallPages; ++page) {
      const std::uint64_t rights = flags();
      const std::uint64_t place = rights & PageTables::kX ? kReturns + 0x1000 * below(4) : 0x1000 * below(kPool);
      std::uint64_t physical = ReferenceProgram::kWorld + place;
      if (below(20) == 0) physical = 0x5000'0000;  // nowhere
      tables.map(kPaged + 0x1000 * page, physical, rights);
      if (xlen_ == 64 && below(20) == 0) {
        const std::uint64_t entry = tables.place(kPaged + 0x1000 * page, 0);
        tables.set(entry, tables.get(entry) | std::uint64_t{1} << (54 + below(10)));
      }
    }
  }
  /// Superpages over the world's data, some of them misaligned or without sense.
  void map_large(PageTables& tables) {
    const std::uint64_t size = tables.size(1);
    for (unsigned n = 1; n <= 6; ++n) {
      const std::uint64_t physical = ReferenceProgram::kWorld / size * size + (below(4) == 0 ? 0x1000 << below(9) : 0);
      tables.map(kPaged + n * size, physical, flags() & ~std::uint64_t{PageTables::kX}, 1);
    }
  }
  std::uint64_t address() {
    const std::uint64_t offset = below(0xff0);
    if (below(4) != 0) return kPaged + 0x1000 * below(kSmallPages) + offset;
    const std::uint64_t size = xlen_ == 64 ? 0x20'0000 : 0x40'0000;
    return kPaged + size * (1 + below(6)) + ReferenceProgram::kWorld % size + 0x1000 * below(kPool) + offset;
  }
  void registers(ReferenceProgram& program) {
    program.registers.resize(101);
    for (auto& all : program.registers) {
      for (std::uint64_t& one : all) one = random_();
      for (const unsigned pointer : {s0, s1, s2, s3, s4, s5, s6, s7}) all[pointer] = address();
      if (xlen_ == 64 && below(4) == 0) all[s7] ^= std::uint64_t{1} << (38 + below(26));
      all[t5] = std::uint64_t{1} << (18 + below(2));  // SUM or MXR
    }
  }
  ReferenceProgram::Code piece() {
    ReferenceProgram::Code code;
    const auto add = [&](std::uint32_t word) { append(code, word); };
    for (unsigned n = 0; n < 12; ++n) {
      const unsigned pointer = s2 + below(6), value = a0 + below(8);
      switch (below(8)) {
        case 0:
          if (mode_ != Mode::kSupervisor) break;
          add(below(2) ? csrrs(0, sstatus, t5) : csrrc(0, sstatus, t5));
          break;
        case 1:
          add(below(4) ? sfence_vma(pointer) : sfence_vma());
          break;
        case 2:
          add(i(-2, pointer, 7, pointer, 0x13));  // an address that code may have
          add(jalr(ra, pointer, 0));
          break;
        case 3:
        case 4:
          add(s(0, value, pointer, below(xlen_ == 64 ? 4 : 3), 0x23));
          break;
        default: {
          constexpr unsigned kLoads[] = {0, 1, 2, 4, 5, 3, 6};
          add(i(0, pointer, kLoads[below(xlen_ == 64 ? 7 : 5)], value, 0x03));
        }
      }
    }
    return code;
  }

  const unsigned xlen_;
  const Mode mode_;
  std::mt19937_64 random_;
};

class SupervisorReference : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Widths, SupervisorReference, testing::Values(32u, 64u));

TEST_P(SupervisorReference, random_page_tables_in_supervisor_mode) {
  for (unsigned seed = 0; seed < 6; ++seed)
    expect_equal_runs(PagedWorld(GetParam(), Mode::kSupervisor, seed).make(1500));
}

TEST_P(SupervisorReference, random_page_tables_in_user_mode) {
  for (unsigned seed = 10; seed < 14; ++seed) expect_equal_runs(PagedWorld(GetParam(), Mode::kUser, seed).make(1500));
}

TEST_P(SupervisorReference, pmp_over_page_tables_and_pages) {
  for (unsigned seed = 20; seed < 24; ++seed) {
    PagedWorld world(GetParam(), Mode::kSupervisor, seed);
    ReferenceProgram program = world.make(1500);
    // Entry 0: a page of data or of tables without some rights; entry 1: all the rest.
    const std::uint64_t page =
        ReferenceProgram::kWorld + (seed % 2 == 0 ? 0x1000 * world.below(kPool) : kTablesInWorld + 0x1000);
    program.setup.emplace_back(pmpaddr1, ~std::uint64_t{0});
    program.setup.emplace_back(pmpcfg0, 0x1f1f);
    program.setup.emplace_back(pmpaddr0, page >> 2 | 0x1ff);
    program.setup.emplace_back(pmpcfg0, 0x1f18 | (seed % 3 == 0 ? 1 : 0));
    expect_equal_runs(program);
  }
}

TEST_P(SupervisorReference, csrs_of_supervisor_mode) {
  std::mt19937_64 random(30);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  ReferenceProgram program;
  program.xlen = GetParam();
  program.supervisor_mode = true;
  program.setup = {{mideleg, 0x222}, {mcounteren, 7}};
  program.registers.resize(101);
  for (auto& all : program.registers)
    for (std::uint64_t& one : all) one = random() >> below(64);
  // Bits that QEMU keeps though they mean nothing without other extensions are not written.
  constexpr struct {
    unsigned number;
    int bits;  // of what is written; 0: all
  } kWritten[] = {{sscratch, 0}, {scause, 0},     {stval, 0},   {sepc, 0x7fe},   {stvec, 0x7fd},
                  {sie, 0x222},  {scounteren, 7}, {senvcfg, 1}, {sstatus, 0x120}};
  constexpr unsigned kRead[] = {sstatus, sip, satp, sie, stvec, mstatus, medeleg, mhartid, 0x15c, 0x181};
  for (unsigned n = 0; n < 4000; ++n) {
    ReferenceProgram::Code code;
    for (unsigned k = 0; k < 12; ++k) {
      const auto& csr = kWritten[below(std::size(kWritten))];
      unsigned source = below(32);
      if (csr.bits != 0) {
        append(code, i(csr.bits, source, 7, t5, 0x13));
        source = t5;
      }
      append(code, csr.number << 20 | source << 15 | (1 + below(3)) << 12 | below(30) << 7 | 0x73);
      if (below(2)) append(code, csrr(1 + below(29), kRead[below(std::size(kRead))]));
    }
    program.pieces.push_back(code);
  }
  expect_equal_runs(program);
}

TEST_P(SupervisorReference, every_csr_number_from_supervisor_mode) {
  ReferenceProgram program;
  program.xlen = GetParam();
  program.supervisor_mode = true;
  program.registers.resize(7);
  for (unsigned number = 0; number < 0x1000; ++number) {
    // The counters differ from run to run; of these QEMU has more, or other fields.
    if ((number >= 0xc00 && number < 0xca0) || number == 0x5a8) continue;
    ReferenceProgram::Code code;
    append(code, csrr(a0, number));
    append(code, csrrs(a1, number, a2));
    program.pieces.push_back(code);
  }
  expect_equal_runs(program);
}

}  // namespace
}  // namespace vp::cpu
