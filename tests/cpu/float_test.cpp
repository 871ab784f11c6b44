// What F and D do to the rest of the hart; results are checked in float_arithmetic_test.cpp and against QEMU.
#include <gtest/gtest.h>

#include "models/cpu/isa.h"
#include "tests/cpu/encode.h"
#include "tests/cpu/test_machine.h"

namespace vp::cpu {
namespace {

using namespace encode;

constexpr unsigned kFflags = 1, kFrm = 2, kFcsr = 3;
constexpr std::uint64_t kFs = 3u << 13, kOne = 0x3ff0000000000000;
constexpr std::uint32_t kFaddD = 0x02107053;  // fadd.d f0, f0, f1

CpuConfig with_float(unsigned xlen) {
  CpuConfig config;
  config.isa = xlen == 32 ? Isa::kRv32gc : Isa::kRv64gc;
  return config;
}

std::uint64_t trapped_value(TestMachine& machine) {
  EXPECT_EQ(machine.core->run(kNever / 8), Stop::kUnhandledTrap);
  EXPECT_EQ(machine.core->last_trap().cause, static_cast<unsigned>(Cause::illegal_instruction));
  return machine.core->last_trap().value;
}

TEST(Float, instructions_and_csrs_are_illegal_on_a_hart_without) {
  for (const std::uint32_t e : {kFaddD, csrr(a0, kFcsr), csrw(kFflags, a0), i(0, 8, 3, 1, 0x07)}) {
    TestMachine machine(config_of(64));
    machine.put32(kBase, {lui(t0, 6), csrrs(0, mstatus, t0), e});
    EXPECT_EQ(trapped_value(machine), e);
    EXPECT_EQ(machine.csr(mstatus) & kFs, 0u) << "there is no FS either";
    EXPECT_EQ(machine.csr(misa) & (1 << 3 | 1 << 5), 0u);
  }
}

TEST(Float, misa_tells_of_f_and_d) {
  for (const unsigned xlen : {32u, 64u})
    EXPECT_EQ(TestMachine(with_float(xlen)).csr(misa) & (1 << 3 | 1 << 5), 1u << 3 | 1u << 5);
}

TEST(Float, a_write_makes_fs_dirty_and_its_summary_follows) {
  for (const unsigned xlen : {32u, 64u}) {
    const std::uint64_t summary = std::uint64_t{1} << (xlen - 1);
    for (const std::uint32_t e : {kFaddD, csrrwi(0, kFrm, 1), i(0, s0, 3, 1, 0x07)}) {
      TestMachine machine(with_float(xlen));
      machine.put32(kBase, {auipc(s0, 0), lui(t0, 2), csrrs(0, mstatus, t0), csrr(a0, mstatus), e, csrr(a1, mstatus),
                            lui(t0, 6), csrrc(0, mstatus, t0), csrr(a2, mstatus), kEcall});
      machine.core->run(kNever / 8);
      EXPECT_EQ(machine.core->x(a0) & (kFs | summary), 1u << 13);
      EXPECT_EQ(machine.core->x(a1) & (kFs | summary), kFs | summary);
      EXPECT_EQ(machine.core->x(a2) & (kFs | summary), 0u);
    }
  }
}

TEST(Float, a_reserved_rounding_mode_is_illegal_where_there_is_one) {
  for (const unsigned frm : {5u, 6u, 7u}) {
    TestMachine machine(with_float(64));
    // fsgnj has none.
    machine.put32(kBase, {lui(t0, 2), csrrs(0, mstatus, t0), csrrwi(0, kFrm, frm), 0x22108053, kFaddD});
    EXPECT_EQ(trapped_value(machine), kFaddD);
  }
  for (const unsigned field : {5u, 6u}) {
    TestMachine machine(with_float(64));
    const std::uint32_t e = (kFaddD & ~0x7000u) | field << 12;
    machine.put32(kBase, {lui(t0, 2), csrrs(0, mstatus, t0), e});
    EXPECT_EQ(trapped_value(machine), e);
  }
}

TEST(Float, fcsr_is_both_of_its_parts) {
  TestMachine machine(with_float(64));
  machine.put32(kBase, {lui(t0, 2), csrrs(0, mstatus, t0), addi(a0, 0, -1), csrw(kFcsr, a0), csrr(a1, kFflags),
                        csrr(a2, kFrm), csrrwi(0, kFrm, 2), csrrwi(0, kFflags, 9), csrr(a3, kFcsr), kEcall});
  machine.core->run(kNever / 8);
  EXPECT_EQ(machine.core->x(a1), 31u);
  EXPECT_EQ(machine.core->x(a2), 7u);
  EXPECT_EQ(machine.core->x(a3), 2u << 5 | 9);
}

TEST(Float, costs_are_those_of_its_classes) {
  CpuConfig config = with_float(64);
  const auto set = [&config](InstructionClass cls, unsigned cycles) {
    config.cycles.of_class[static_cast<unsigned>(cls)] = cycles;
  };
  set(InstructionClass::kFloat, 5);
  set(InstructionClass::kFloatDivide, 17);
  set(InstructionClass::kLoad, 3);
  set(InstructionClass::kStore, 2);
  TestMachine machine(config);
  machine.put32(kBase, {auipc(s0, 4), lui(t0, 2), csrrs(0, mstatus, t0), i(0, s0, 3, 1, 0x07), s(8, 1, s0, 3, 0x27),
                        kFaddD, 0x1a10f153 /* fdiv.d f2, f1, f1 */, 0x5a00f153 /* fsqrt.d f2, f1 */, kEcall});
  machine.core->run(kNever / 8);
  EXPECT_EQ(machine.core->retired(), 8u);
  EXPECT_EQ(machine.core->time() / kCycle, 3u + 3 + 2 + 5 + 17 + 17 + 1);
}

TEST(Float, loads_and_stores_fault_as_others_do) {
  TestMachine machine(with_float(32));
  machine.put32(kBase, {lui(t0, 2), csrrs(0, mstatus, t0), s(4, 0, 0, 3, 0x27)});
  machine.core->run(kNever / 8);
  EXPECT_EQ(machine.core->last_trap().cause, static_cast<unsigned>(Cause::store_access_fault));
  EXPECT_EQ(machine.core->last_trap().value, 4u);
}

TEST(Float, a_double_moves_through_memory_on_both_widths) {
  for (const unsigned xlen : {32u, 64u}) {
    TestMachine machine(with_float(xlen));
    machine.put(kBase + 0x4001, &kOne, 8);  // misaligned
    machine.put32(kBase,
                  {auipc(s0, 4), lui(t0, 2), csrrs(0, mstatus, t0), i(1, s0, 3, 9, 0x07), s(0x10, 9, s0, 3, 0x27),
                   s(0x20, 9, s0, 2, 0x27), i(0x10, s0, 2, 10, 0x07), s(0x28, 10, s0, 3, 0x27), kEcall});
    machine.core->run(kNever / 8);
    EXPECT_EQ(machine.word(kBase + 0x4010), kOne);
    EXPECT_EQ(machine.word(kBase + 0x4020), 0u) << "the lower half";
    EXPECT_EQ(machine.word(kBase + 0x4028), 0xffffffff00000000u) << "a single is boxed";
  }
}

TEST(Float, a_trace_shows_the_register_written_and_each_raising_of_flags) {
  TestMachine machine(with_float(64));
  constexpr std::uint32_t kThird = 0x1a2081d3;  // fdiv.d f3, f1, f2, to nearest
  machine.put32(kBase, {lui(t0, 6), csrrs(0, mstatus, t0), addi(a0, 0, 1), addi(a1, 0, 3), r(0x69, 0, a0, 7, 1, 0x53),
                        r(0x69, 0, a1, 7, 2, 0x53), kThird, kThird, r(0x51, 2, 1, 1, a2, 0x53) /* flt.d */, kEcall});
  std::vector<TraceRecord> lines;
  Hooks hooks;
  hooks.trace = [&lines](const TraceRecord& record) { lines.push_back(record); };
  machine.core->set_hooks(std::move(hooks));
  machine.core->run(kNever / 8);
  ASSERT_EQ(lines.size(), 10u);
  EXPECT_EQ(lines[4].fd, 1);
  EXPECT_EQ(lines[4].float_value, kOne);
  EXPECT_EQ(lines[4].csr, TraceRecord::kNoCsr) << "exact";
  for (const unsigned i : {6u, 7u}) {
    EXPECT_EQ(lines[i].fd, 3);
    EXPECT_EQ(lines[i].rd, 0);
    EXPECT_EQ(lines[i].float_value, 0x3fd5555555555555u);
    EXPECT_EQ(lines[i].csr, kFflags);
    EXPECT_EQ(lines[i].csr_value, 1u);
  }
  EXPECT_EQ(lines[8].fd, TraceRecord::kNoFloat);
  EXPECT_EQ(lines[8].rd, a2);
  EXPECT_EQ(lines[8].value, 1u);
  EXPECT_EQ(machine.csr(kFflags), 1u);
}

}  // namespace
}  // namespace vp::cpu
