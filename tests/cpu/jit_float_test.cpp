// F and D in generated code: instructions of a block that depend on each other, and what they do to the rest of the
// hart. Each instruction by itself, in all rounding modes: float_reference_test.cpp.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "models/cpu/isa.h"
#include "models/cpu/jit/native_code.h"
#include "models/cpu/state.h"
#include "tests/cpu/encode.h"
#include "tests/cpu/float_operands.h"
#include "tests/cpu/test_machine.h"
#include "tests/support/dice.h"

namespace vp::cpu {
namespace {

using namespace encode;

constexpr unsigned kAccruedFlags = 1, kRoundingMode = 2, kFloatCsr = 3;
constexpr unsigned kPieceLength = 28;
constexpr int kRounds = 4;
constexpr std::uint64_t kOperandsAt = 0x4000;  // in the memory
constexpr unsigned kOperandCount = 64;
constexpr std::size_t kMemoryOfFloats = std::size_t{64} << 10;

/// All of F and D, loads and stores at a1 among them.
std::vector<std::uint32_t> float_piece(unsigned xlen, Dice& dice) {
  constexpr std::uint32_t kEncodings[] = {
#define X(name, match, mask, format, cls, width) match,
      VP_CPU_FLOAT_OPCODES(X)
#undef X
  };
  const bool mostly_doubles = dice.one_in(2);
  // Few registers, so that results become operands.
  const auto any_float = [&dice] { return dice.one_in(8) ? dice.from_to(0, 31) : dice.from_to(8, 13); };
  const auto any_integer = [&dice] { return dice.one_in(8) ? 0 : dice.from_to(12, 17); };
  std::vector<std::uint32_t> piece;
  while (piece.size() < kPieceLength) {
    std::uint32_t e = kEncodings[dice.from_to(0, std::size(kEncodings) - 1)];
    const Opcode opcode = decode(e, xlen, true).opcode;
    if (opcode == Opcode::illegal || (is_double(opcode) != mostly_doubles && !dice.one_in(4))) continue;
    const FloatOperands operands = float_operands(opcode);
    const std::uint32_t major = e & 0x7f;
    if (major == 0x07) {
      e |= any_float() << 7 | a1 << 15 | 8 * dice.from_to(0, kOperandCount - 1) << 20;
    } else if (major == 0x27) {
      const std::uint32_t offset = 8 * dice.from_to(0, kOperandCount - 1);
      e |= any_float() << 20 | a1 << 15 | (offset & 31) << 7 | offset >> 5 << 25;
    } else {
      e |= (operands.rd ? any_float() : any_integer()) << 7 | (operands.rs1 ? any_float() : any_integer()) << 15;
      if (operands.rs2) e |= any_float() << 20;
      if (operands.rs3) e |= any_float() << 27;
      constexpr std::array<unsigned, 8> kModes = {7, 7, 7, 0, 1, 2, 3, 4};
      if (operands.rounding) e |= kModes[dice.from_to(0, 7)] << 12;
    }
    piece.push_back(e);
  }
  return piece;
}

/// Everything that can be seen of a hart behind some rounds of a piece.
std::string seen(unsigned xlen, Jit jit, const std::vector<std::uint32_t>& piece, unsigned seed) {
  CpuConfig config;
  config.isa = xlen == 32 ? Isa::kRv32gc : Isa::kRv64gc;
  config.jit = jit;
  config.jit_after = 0;
  TestMachine machine(config, kMemoryOfFloats);
  Dice dice(seed);
  FloatOperandSource<std::uint64_t> doubles(seed);
  FloatOperandSource<std::uint32_t> singles(seed);
  for (unsigned n = 0; n < kOperandCount; ++n) {
    const std::uint64_t operand = n % 2 ? doubles.operand() : 0xffffffff00000000 | singles.operand();
    machine.put(TestMachine::kBase + kOperandsAt + 8 * n, &operand, 8);
  }
  // Rounds of any rounding mode, half of them with nothing raised.
  const unsigned frm = dice.one_in(2) ? 0 : dice.from_to(0, 4), flags = dice.one_in(2) ? 0 : 1;
  machine.put32(TestMachine::kBase,
                {lui(t0, 6), csrrs(0, mstatus, t0), csrrwi(0, kRoundingMode, frm), auipc(a1, kOperandsAt >> 12),
                 sw(0, a1, 0x400), addi(t1, 0, kRounds), csrrwi(0, kAccruedFlags, flags), jal(0, 4)});
  std::uint64_t at = TestMachine::kBase + 32;
  for (const std::uint32_t e : piece) {
    machine.put32(at, {e});
    at += 4;
  }
  const int back = -static_cast<int>(4 * (piece.size() + 3));
  machine.put32(at, {addi(t1, t1, -1), bne(t1, 0, back), csrr(a0, kFloatCsr), csrr(a2, mstatus), kWfi});
  machine.core->set_instruction_limit(6 + kRounds * (piece.size() + 4) + 2);
  machine.run_to_end();
  std::string text;
  for (unsigned i = 0; i < 32; ++i) text += std::to_string(machine.core->x(i)) + '\n';
  for (unsigned i = 0; i < 32; ++i) text += std::to_string(machine.core->f(i)) + '\n';
  for (unsigned n = 0; n < 8 * kOperandCount; ++n) text += std::to_string(machine.memory[kOperandsAt + n]) + ' ';
  return text + std::to_string(machine.core->retired()) + ' ' + std::to_string(machine.core->time());
}

class GeneratedFloat : public testing::Test {
 protected:
  void SetUp() override {
    if (!NativeCode::available()) GTEST_SKIP() << "there is no code generator for this host's processor";
  }
  static CpuConfig with_floats(Jit jit) {
    CpuConfig config;
    config.isa = Isa::kRv64gc;
    config.jit = jit;
    config.jit_after = 0;
    return config;
  }
};

TEST_F(GeneratedFloat, instructions_that_depend_on_each_other_compute_what_interpreted_ones_do) {
  for (const unsigned xlen : {32u, 64u})
    for (unsigned seed = 0; seed < 1500; ++seed) {
      Dice dice(seed);
      const auto piece = float_piece(xlen, dice);
      const std::string interpreted = seen(xlen, Jit::off, piece, seed);
      ASSERT_EQ(seen(xlen, Jit::on, piece, seed), interpreted) << xlen << ' ' << seed;
      ASSERT_EQ(seen(xlen, Jit::check, piece, seed), interpreted) << xlen << ' ' << seed;
    }
}

TEST_F(GeneratedFloat, a_hot_block_is_illegal_as_soon_as_fs_is_off_and_makes_a_clean_fs_dirty) {
  constexpr std::uint32_t kAdd = 0x02107053;  // fadd.d f0, f0, f1
  for (const unsigned fs : {0u, 1u, 2u, 3u}) {
    TestMachine machine(with_floats(Jit::on), kMemoryOfFloats);
    // Ten rounds; then FS is what it is to be, and one more.
    machine.put32(TestMachine::kBase,
                  {auipc(a1, 4), sw(0, a1, 0), lui(t0, 6), csrrs(0, mstatus, t0), addi(t1, 0, 10), jal(0, 4), kAdd,
                   csrr(a0, mstatus), addi(t1, t1, -1), bne(t1, 0, -12), csrrc(0, mstatus, t0), lui(t2, fs << 1),
                   csrrs(0, mstatus, t2), addi(t1, 0, 1), bne(a3, 0, 12), addi(a3, 0, 1), jal(0, -40), kWfi});
    machine.core->set_instruction_limit(100);
    machine.run_to_end();
    if (fs == 0) {
      EXPECT_EQ(machine.core->last_trap().cause, static_cast<unsigned>(Cause::illegal_instruction));
      EXPECT_EQ(machine.core->last_trap().pc, TestMachine::kBase + 24);
    } else {
      EXPECT_EQ(machine.core->x(a0) >> 13 & 3, 3u) << fs;
    }
  }
}

TEST_F(GeneratedFloat, the_check_finds_a_wrong_float_and_a_wrong_flag) {
  constexpr std::uint32_t kDivide = 0x1a10f053;  // fdiv.d f0, f1, f1
  using Wrong = void (*)(State<std::uint64_t>&);
  const std::pair<const char*, Wrong> kWrongs[] = {{"f0", [](State<std::uint64_t>& state) { state.f[0] ^= 1; }},
                                                   {"f31", [](State<std::uint64_t>& state) { state.f[31] = 1; }},
                                                   {"fflags", [](State<std::uint64_t>& state) { state.fflags ^= 2; }}};
  for (const auto& [what, wrong] : kWrongs) {
    CpuConfig config = with_floats(Jit::check);
    config.jit_flaw = [wrong = wrong](NativeFrame& frame) { wrong(*static_cast<State<std::uint64_t>*>(frame.x)); };
    TestMachine machine(config, kMemoryOfFloats);
    machine.put32(TestMachine::kBase,
                  {auipc(a1, 4), sw(0, a1, 0), lui(t0, 6), csrrs(0, mstatus, t0), jal(0, 4), kDivide, bne(a1, 0, -4)});
    machine.core->set_instruction_limit(100);
    std::string found;
    try {
      machine.run_to_end();
    } catch (const std::logic_error& error) {
      found = error.what();
    }
    EXPECT_NE(found.find(std::string(", ") + what + " is 0x"), std::string::npos) << what << ": " << found;
  }
}

}  // namespace
}  // namespace vp::cpu
