// Generated code beside the interpreter: every instruction between registers with corner operands, memory, and what
// generated code must not outlive. Longer guests: lockstep_fuzz_test.cpp.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/cpu/isa.h"
#include "models/cpu/jit/native_code.h"
#include "tests/cpu/encode.h"
#include "tests/cpu/test_machine.h"
#include "tests/support/dice.h"

namespace vp::cpu {
namespace {

using namespace encode;

constexpr std::array<std::uint64_t, 14> kCorners = {0,
                                                    1,
                                                    2,
                                                    31,
                                                    63,
                                                    0x7fffffff,
                                                    0x80000000,
                                                    0xffffffff,
                                                    0x100000000,
                                                    0x7fffffffffffffff,
                                                    0x8000000000000000,
                                                    0xfffffffffffffffe,
                                                    0xffffffffffffffff,
                                                    0x123456789abcdef0};

constexpr std::size_t kMemory = std::size_t{64} << 10;

CpuConfig with_jit(unsigned xlen, Jit jit) {
  CpuConfig config;
  config.isa = xlen == 32 ? Isa::kRv32imac : Isa::kRv64imac;
  config.jit = jit;
  config.jit_after = 0;
  return config;
}

/// Every instruction of the inner loop that is neither a load, a store nor a jump.
std::vector<std::uint32_t> plain_encodings() {
  return {
#define X(name, match, mask, format, cls, width) match,
      VP_CPU_PLAIN_OPCODES(X)
#undef X
  };
}

/// A straight piece of code of all of them, on operands of all kinds: in registers of the host or not, x0, the same.
std::vector<std::uint32_t> random_piece(unsigned xlen, Dice& dice) {
  std::vector<std::uint32_t> piece;
  while (piece.size() < 30) {
    const auto encodings = plain_encodings();
    std::uint32_t e = encodings[dice.from_to(0, static_cast<unsigned>(encodings.size()) - 1)];
    const unsigned major = e & 0x7f;
    if (major == 0x03 || major == 0x23) continue;
    const auto any = [&dice] { return dice.from_to(0, 31); };
    const unsigned rd = any(), rs1 = dice.one_in(4) ? rd : any(), rs2 = dice.one_in(4) ? rd : any();
    e |= rd << 7;
    const bool upper = major == 0x37 || major == 0x17;
    const bool immediate = major == 0x13 || major == 0x1b;
    const bool shift = immediate && (e >> 12 & 3) == 1;
    if (upper)
      e |= dice.from_to(0, 0xfffff) << 12;
    else if (shift)
      e |= rs1 << 15 | dice.from_to(0, xlen == 32 || major == 0x1b ? 31 : 63) << 20;
    else if (immediate)
      e |= rs1 << 15 | dice.from_to(0, 0xfff) << 20;
    else
      e |= rs1 << 15 | rs2 << 20;
    if (decode(e, xlen).opcode != Opcode::illegal) piece.push_back(e);
  }
  return piece;
}

std::string registers(const TestMachine& machine) {
  std::string text;
  for (unsigned i = 0; i < 32; ++i) text += std::to_string(machine.core->x(i)) + '\n';
  return text;
}

/// What is left of three rounds of the piece.
std::string outcome(unsigned xlen, Jit jit, const std::vector<std::uint32_t>& piece, unsigned seed) {
  TestMachine machine(with_jit(xlen, jit), kMemory);
  // A page of memory that may be written is granted, which generated code wants to know of.
  machine.put32(TestMachine::kBase, {auipc(5, 1), sw(0, 5, 0)});
  std::uint64_t at = TestMachine::kBase + 8;
  for (const std::uint32_t e : piece) {
    machine.put(at, &e, 4);
    at += 4;
  }
  machine.put32(at, {jal(0, -static_cast<std::int32_t>(4 * piece.size()))});
  machine.core->set_instruction_limit(2);
  machine.run_to_end();
  Dice dice(seed);
  for (unsigned i = 1; i < 32; ++i) machine.core->set_x(i, kCorners[dice.from_to(0, kCorners.size() - 1)]);
  machine.core->set_instruction_limit(2 + 3 * (piece.size() + 1));
  machine.run_to_end();
  return registers(machine) + std::to_string(machine.core->time());
}

class Generated : public testing::Test {
 protected:
  void SetUp() override {
    if (!NativeCode::available()) GTEST_SKIP() << "there is no code generator for this host's processor";
  }
};

TEST_F(Generated, instructions_between_registers_compute_what_interpreted_ones_do) {
  for (const unsigned xlen : {32u, 64u})
    for (unsigned seed = 0; seed < 400; ++seed) {
      Dice dice(seed);
      const auto piece = random_piece(xlen, dice);
      ASSERT_EQ(outcome(xlen, Jit::on, piece, seed), outcome(xlen, Jit::off, piece, seed)) << xlen << ' ' << seed;
    }
}

TEST_F(Generated, divisions_give_the_results_that_the_manual_defines) {
  for (const unsigned xlen : {32u, 64u})
    for (std::uint32_t funct3 = 4; funct3 < 8; ++funct3)
      for (const std::uint32_t major : {0x33u, 0x3bu}) {
        if (major == 0x3b && xlen == 32) continue;
        for (const std::uint64_t a : kCorners)
          for (const std::uint64_t b : kCorners) {
            std::array<std::uint64_t, 2> results{};
            for (const Jit jit : {Jit::off, Jit::on}) {
              TestMachine machine(with_jit(xlen, jit), kMemory);
              machine.put32(TestMachine::kBase,
                            {auipc(5, 1), sw(0, 5, 0), jal(0, 4), r(1, 11, 10, funct3, 20, major), jal(0, -4)});
              machine.core->set_instruction_limit(8);
              machine.core->set_x(10, a);
              machine.core->set_x(11, b);
              machine.run_to_end();
              results[jit == Jit::on] = machine.core->x(20);
            }
            ASSERT_EQ(results[1], results[0]) << xlen << ' ' << funct3 << ' ' << a << ' ' << b;
          }
      }
}

TEST_F(Generated, code_is_never_in_memory_that_is_writable_and_executable) {
  TestMachine machine(with_jit(64, Jit::on), kMemory);
  machine.put32(TestMachine::kBase, {auipc(5, 1), sw(0, 5, 0), addi(6, 6, 1), jal(0, -4)});
  machine.core->set_instruction_limit(1000);
  machine.run_to_end();
  EXPECT_EQ(machine.core->x(6), 499u);
  std::ifstream maps("/proc/self/maps");
  bool executable = false;
  for (std::string line; std::getline(maps, line);) {
    EXPECT_EQ(line.find(" rwx"), std::string::npos) << line;
    executable |= line.find(" r-xp 00000000 00:00 0") != std::string::npos;
  }
  EXPECT_TRUE(executable);
}

TEST_F(Generated, an_instruction_limit_inside_a_loop_is_met_exactly) {
  for (std::uint64_t limit = 3; limit < 60; ++limit) {
    TestMachine machine(with_jit(64, Jit::on), kMemory);
    machine.put32(TestMachine::kBase,
                  {auipc(5, 1), sw(0, 5, 0), addi(6, 6, 1), addi(7, 7, 2), sw(7, 5, 8), bne(6, 0, -12)});
    machine.core->set_instruction_limit(limit);
    EXPECT_EQ(machine.run_to_end(), Stop::kInstructionLimit);
    EXPECT_EQ(machine.core->retired(), limit);
    EXPECT_EQ(machine.core->x(6), (limit + 1) / 4);
  }
}

TEST_F(Generated, code_that_the_program_has_changed_is_forgotten_at_its_fence) {
  TestMachine machine(with_jit(64, Jit::on), kMemory);
  // Ten rounds of `addi t1, t1, 1`; then it is made `addi t1, t1, 16`, and ten rounds more.
  machine.put32(TestMachine::kBase,
                {auipc(5, 1), sw(0, 5, 0), addi(7, 0, 10), addi(6, 6, 1), addi(7, 7, -1), bne(7, 0, -8), auipc(10, 0),
                 lui(11, 0x1030), addi(11, 11, 0x313), sw(11, 10, -12), kFenceI, jal(0, -36)});
  machine.core->set_instruction_limit(3 + 30 + 5);
  machine.run_to_end();
  EXPECT_EQ(machine.core->x(6), 10u);
  machine.core->set_instruction_limit(3 + 30 + 5 + 1 + 1 + 30);
  machine.run_to_end();
  EXPECT_EQ(machine.core->x(6), 10u + 160u);
}

TEST_F(Generated, a_block_that_keeps_reaching_for_a_device_goes_on_as_before_where_it_is_given_up) {
  std::array<std::string, 2> ends;
  for (const Jit jit : {Jit::off, Jit::on}) {
    TestMachine machine(with_jit(64, jit), kMemory);
    // Two blocks that lead to each other: the second one loads from the serial port, 1000 times.
    machine.put32(TestMachine::kBase, {auipc(5, 1), sw(0, 5, 0), lui(6, 0x10000), addi(7, 0, 1000), addi(10, 10, 3),
                                       jal(0, 4), lbu(11, 6, 5), add(12, 12, 11), addi(7, 7, -1), bne(7, 0, -20)});
    machine.core->set_instruction_limit(4 + 6 * 1000);
    EXPECT_EQ(machine.run_to_end(), Stop::kInstructionLimit);
    EXPECT_EQ(machine.core->x(12), 0x60u * 1000);
    EXPECT_EQ(machine.core->x(10), 3000u);
    ends[jit == Jit::on] = registers(machine) + std::to_string(machine.core->time());
  }
  EXPECT_EQ(ends[1], ends[0]);
}

/// Reads every CSR that is a value and nothing else, and writes those that may be written, again and again.
std::string csrs_after(unsigned xlen, Jit jit, Mode mode) {
  std::vector<unsigned> numbers = {sscratch, sepc, scause, stval, stvec};
  if (mode == Mode::kMachine)
    numbers.insert(numbers.end(), {mstatus, misa, mie, mtvec, mscratch, mepc, mcause, mtval, mip, medeleg, mideleg,
                                   0xf11, 0xf12, 0xf13, 0xf14, 0xf15});
  std::unique_ptr<TestMachine> machine;
  {
    CpuConfig config = with_jit(xlen, jit);
    config.isa = xlen == 32 ? Isa::kRv32gc : Isa::kRv64gc;
    config.hart_id = 5;
    machine = std::make_unique<TestMachine>(config, kMemory);
  }
  machine->put32(TestMachine::kBase, {auipc(5, 1), sw(0, 5, 0)});
  std::uint64_t at = TestMachine::kBase + 8;
  const auto put = [&](std::uint32_t e) {
    machine->put(at, &e, 4);
    at += 4;
  };
  for (const unsigned number : numbers) {
    put(csrr(10, number));
    put(add(11, 11, 10));
    put(slli(11, 11, 1));
  }
  for (const unsigned number : {sscratch, sepc, scause, stval, mscratch, mepc, mcause, mtval}) {
    if (mode != Mode::kMachine && number >= mstatus) continue;
    put(csrrw(12, number, 11));
    put(csrrw(3, number, 3));
    put(csrrwi(4, number, 31));
    put(csrrw(0, number, 13));
    put(csrrs(14, number, 0));
    put(addi(13, 14, 77));
  }
  put(jal(0, static_cast<std::int32_t>(TestMachine::kBase + 8 - at)));
  machine->core->set_csr(pmpaddr0, ~std::uint64_t{0});
  machine->core->set_csr(pmpcfg0, 0x1f);
  machine->core->set_mode(mode);
  machine->core->set_instruction_limit(2000);
  EXPECT_EQ(machine->run_to_end(), Stop::kInstructionLimit);
  std::string text = registers(*machine) + std::to_string(machine->core->time());
  for (const unsigned number : numbers) text += ' ' + std::to_string(machine->csr(number));
  return text;
}

TEST_F(Generated, csrs_that_are_but_values_are_read_and_written_as_interpreted) {
  for (const unsigned xlen : {32u, 64u})
    for (const Mode mode : {Mode::kMachine, Mode::kSupervisor})
      EXPECT_EQ(csrs_after(xlen, Jit::on, mode), csrs_after(xlen, Jit::off, mode)) << xlen;
}

TEST_F(Generated, a_csr_of_a_higher_mode_is_illegal) {
  for (const unsigned number : {0u + mscratch, 0u + sscratch}) {
    TestMachine machine(with_jit(64, Jit::on), kMemory);
    machine.put32(TestMachine::kBase, {auipc(5, 1), sw(0, 5, 0), addi(6, 6, 1), csrr(10, number), jal(0, -8)});
    machine.core->set_csr(pmpaddr0, ~std::uint64_t{0});
    machine.core->set_csr(pmpcfg0, 0x1f);
    machine.core->set_mode(number == mscratch ? Mode::kSupervisor : Mode::kUser);
    EXPECT_EQ(machine.run_to_end(), Stop::kUnhandledTrap);
    EXPECT_EQ(machine.core->last_trap().cause, 2u);
    EXPECT_EQ(machine.core->x(6), 1u);
  }
}

}  // namespace
}  // namespace vp::cpu
