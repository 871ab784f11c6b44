// LR and SC of which nobody else need know, interpreted and in generated code.
#include <gtest/gtest.h>

#include <vector>

#include "tests/cpu/encode.h"
#include "tests/cpu/jit_program.h"
#include "tests/cpu/page_tables.h"

namespace vp::cpu {
namespace {

using namespace encode;

class JitReservation : public JitProgram {
 protected:
  /// The program is interpreted with the port told of everything, and compared with generated code while nobody else
  /// comes, or comes soon.
  static std::vector<std::uint64_t> run_alone(const std::vector<std::uint32_t>& program, std::uint64_t instructions,
                                              const Prepare& prepare = {}) {
    std::vector<std::uint64_t> registers;
    for (const Picoseconds alone : {kNever, 3000 * kCycle}) {
      const auto prepare_generated = [&](TestMachine& machine) {
        if (machine.core->generates_code()) machine.alone = alone;
        if (prepare) prepare(machine);
      };
      registers = run(program, instructions, prepare_generated);
    }
    return registers;
  }
  /// At its end: the block with all that a loop of LR and SC needs, in a page that can be written.
  static std::vector<std::uint32_t> counting(unsigned bytes) {
    return {addi(a1, 0, 100), lr(t0, s1, bytes), addi(t0, t0, 1), sc(t1, s1, t0, bytes),
            bne(t1, 0, -12),  addi(a1, a1, -1),  bne(a1, 0, -20), kStay};
  }
};

TEST_P(JitReservation, a_counter_is_counted_up) {
  for (const unsigned bytes : {4u, xlen() / 8}) {
    const auto x = run_alone(counting(bytes), 700);
    EXPECT_EQ(x[t0], 100u);
    EXPECT_EQ(x[t1], 0u);
  }
}

/// Most leave it only before they have looked up their page once.
TEST_P(JitReservation, generated_code_is_not_left_for_a_reservation) {
  CpuConfig config = config_of(xlen());
  config.jit = Jit::check;
  config.jit_after = 0;
  unsigned left_inside = 0, stays = 0;
  config.jit_flaw = [&](NativeFrame& frame) {
    ++stays;
    left_inside += frame.left == NativeFrame::Left::inside;
  };
  TestMachine machine(config);
  machine.alone = kNever;
  machine.put32(kBase, {auipc(s1, 1), sw(0, s1, 0), addi(a1, 0, 100),
                        // a block that compares, and one that exchanges
                        lr(t0, s1, 4), bne(t0, a0, 16), addi(a0, a0, 1), sc(t1, s1, a0, 4), bne(t1, 0, -16),
                        addi(a1, a1, -1), bne(a1, 0, -24), kWfi});
  machine.run_to_end();
  EXPECT_EQ(machine.core->x(a0), 100u);
  EXPECT_EQ(machine.memory[0x1000], 100u);
  EXPECT_GE(stays, 300u);
  EXPECT_LT(left_inside, 8u);
}

TEST_P(JitReservation, only_an_sc_to_the_same_bytes_succeeds) {
  const auto attempt = [&](std::uint32_t between, std::uint32_t conditional) {
    return run_alone({addi(a1, 0, 20), addi(s2, s1, 0), addi(s3, s1, 8), lr(t0, s2, 4), between, conditional,
                      add(a0, a0, t1), addi(a1, a1, -1), bne(a1, 0, -20), kStay},
                     140)[a0];
  };
  EXPECT_EQ(attempt(kNop, sc(t1, s2, a1, 4)), 0u);
  EXPECT_EQ(attempt(kNop, sc(t1, s3, a1, 4)), 20u);
  EXPECT_EQ(attempt(lr(t2, s3, 4), sc(t1, s2, a1, 4)), 20u);
  EXPECT_EQ(attempt(lr(t2, s3, 4), sc(t1, s3, a1, 4)), 0u);
  EXPECT_EQ(attempt(sc(t2, s2, a1, 4), sc(t1, s2, a1, 4)), 20u);
  EXPECT_EQ(attempt(sw(a1, s2, 0), sc(t1, s2, a1, 4)), 0u);  // by the hart itself
  EXPECT_EQ(attempt(csrr(t2, mstatus), sc(t1, s2, a1, 4)), 0u);
  EXPECT_EQ(attempt(csrr(t2, minstret), sc(t1, s2, a1, 4)), 0u);
  if (xlen() == 64) {
    EXPECT_EQ(attempt(kNop, sc(t1, s2, a1, 8)), 20u);
  }
}

TEST_P(JitReservation, a_reservation_of_bytes_that_are_mapped_elsewhere_meanwhile_is_none) {
  // In supervisor mode: the same address, but another page of memory behind the fence.
  constexpr std::uint64_t kPage = 0x40'0000;
  const auto pages = [&](TestMachine& machine) {
    PageTables tables(xlen(), machine.memory, kBase, kBase + 0x8000);
    for (std::uint64_t page = kBase; page < kBase + kMemory; page += 4096) tables.map(page, page, PageTables::kAll);
    tables.map(kPage, kBase + 0x4000, PageTables::kAll);
    const std::uint64_t entry = tables.place(kPage, 0);
    const std::uint64_t change = (kBase + 0x4000) >> 12 << 10 ^ (kBase + 0x5000) >> 12 << 10;
    for (const auto& [offset, value] : {std::pair{0, tables.satp()}, {8, entry}, {16, change}})
      machine.put(kBase + 0x2000 + static_cast<unsigned>(offset), &value, 8);
    machine.core->set_csr(pmpaddr0, ~std::uint64_t{0});
    machine.core->set_csr(pmpcfg0, 0x1f);
    machine.core->set_mode(Mode::kSupervisor);
  };
  for (const bool changes : {false, true}) {
    const std::uint32_t store = changes ? store_x(xlen(), t3, s5, 0) : kNop;
    const auto x = run_alone(
        {lui(t1, 1), add(t1, t1, s1), load_x(xlen(), t2, t1, 0), load_x(xlen(), s5, t1, 8), load_x(xlen(), s6, t1, 16),
         csrw(satp, t2), sfence_vma(), lui(s2, kPage >> 12), addi(a1, 0, 20),  // again:
         lr(t0, s2, 4), load_x(xlen(), t3, s5, 0), r(0, s6, t3, 4, t3, 0x33) /* xor */, store, sfence_vma(),
         sc(t1, s2, a1, 4), add(a0, a0, t1), addi(a1, a1, -1), bne(a1, 0, -32), kStay},
        195, pages);
    EXPECT_EQ(x[a0], changes ? 20u : 0u);
  }
}

/// Of a hart that stops between LR and SC.
class StoppedReservation : public JitReservation {
 protected:
  std::unique_ptr<TestMachine> stopped(Jit jit, const Prepare& prepare = {}) {
    auto machine = machine_with(
        jit,
        {addi(a1, 0, 50), lr(t0, s1, 4), addi(a1, a1, -1), bne(a1, 0, -8), addi(a0, a0, 1), sc(t1, s1, a0, 4), kStay},
        [&](TestMachine& made) {
          made.alone = kNever;
          if (prepare) prepare(made);
        });
    run_to(*machine, kPrologue + 1 + 3 * 50);
    return machine;
  }
};

TEST_P(StoppedReservation, the_port_knows_of_it) {
  for (const Jit jit : {Jit::off, Jit::on}) {
    const auto machine = stopped(jit);
    EXPECT_TRUE(machine->reserved);
    run_to(*machine, machine->core->retired() + 2);
    EXPECT_FALSE(machine->reserved);
    EXPECT_EQ(machine->core->x(t1), 0u);
    EXPECT_EQ(machine->memory[0x1000], 1u);
  }
}

TEST_P(StoppedReservation, others_may_end_it) {
  for (const Jit jit : {Jit::off, Jit::on}) {
    const auto machine = stopped(jit);
    machine->reserved = false;
    run_to(*machine, machine->core->retired() + 2);
    EXPECT_EQ(machine->core->x(t1), 1u);
    EXPECT_EQ(machine->memory[0x1000], 0u);
  }
}

/// A device is read between LR and SC; what it does may be to write where the reservation is.
TEST_P(JitReservation, the_port_knows_of_it_before_any_other_access) {
  for (const Jit jit : {Jit::off, Jit::on}) {
    unsigned told = 0;
    const auto machine = machine_with(jit,
                                      {lui(s2, 0x50000), addi(a1, 0, 20), lr(t0, s1, 4), lw(t2, s2, 0),
                                       sc(t1, s1, a1, 4), add(a0, a0, t1), addi(a1, a1, -1), bne(a1, 0, -20), kStay},
                                      [&](TestMachine& made) {
                                        made.alone = kNever;
                                        made.moved = false;
                                        made.device = [&](bool, std::uint64_t, void*, unsigned, Picoseconds&) {
                                          told += made.reserved;
                                          made.reserved = false;
                                          return true;
                                        };
                                      });
    run_to(*machine, kPrologue + 2 + 6 * 20);
    EXPECT_EQ(told, 20u);
    EXPECT_EQ(machine->core->x(a0), 20u);
  }
}

INSTANTIATE_TEST_SUITE_P(widths, JitReservation, testing::Values(32u, 64u));
INSTANTIATE_TEST_SUITE_P(widths, StoppedReservation, testing::Values(32u, 64u));

}  // namespace
}  // namespace vp::cpu
