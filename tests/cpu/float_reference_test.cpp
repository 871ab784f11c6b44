// F and D of our hart against QEMU: every instruction, rounding mode and width on corner and random operands, bit for
// bit in results and flags.
#include <gtest/gtest.h>

#include "models/cpu/jit/native_code.h"
#include "models/cpu/opcodes.h"
#include "tests/cpu/encode.h"
#include "tests/cpu/float_operands.h"
#include "tests/cpu/reference_run.h"

namespace vp::cpu {
namespace {

using namespace encode;
using FloatCode = ReferenceProgram::Code;

constexpr unsigned kFflags = 1, kFrm = 2, kFcsr = 3;
constexpr unsigned kDynamic = 7;

std::uint32_t fld(unsigned fd, unsigned rs1, std::int32_t imm) { return i(imm, rs1, 3, fd, 0x07); }
std::uint32_t fsd(unsigned fs, unsigned rs1, std::int32_t imm) { return s(imm, fs, rs1, 3, 0x27); }
std::uint32_t fmv_x_d(unsigned rd, unsigned fs) { return r(0x71, 0, fs, 0, rd, 0x53); }

/// What an instruction under test reads and writes.
enum class Shape { floats, to_integer, from_integer };

/// An instruction with its operands in f1, f2 and f3, or a0, and its result in f10, or a0; the rounding mode is zero.
struct Subject {
  std::uint32_t encoding;
  Shape shape;
  bool rounds;
};

/// Written from the manual's tables (chapter 24), not from the model's. wide: of D.
std::vector<Subject> subjects(bool wide, unsigned xlen) {
  const unsigned format = wide ? 1 : 0;
  std::vector<Subject> all;
  for (const unsigned fused : {0x43u, 0x47u, 0x4bu, 0x4fu})
    all.push_back({3u << 27 | r(format, 2, 1, 0, 10, fused), Shape::floats, true});
  for (const unsigned arithmetic : {0x00u, 0x04u, 0x08u, 0x0cu})
    all.push_back({r(arithmetic | format, 2, 1, 0, 10, 0x53), Shape::floats, true});
  all.push_back({r(0x2c | format, 0, 1, 0, 10, 0x53), Shape::floats, true});             // fsqrt
  all.push_back({r(0x20 | format, wide ? 0 : 1, 1, 0, 10, 0x53), Shape::floats, true});  // fcvt between formats
  for (const unsigned sign : {0u, 1u, 2u})
    all.push_back({r(0x10 | format, 2, 1, sign, 10, 0x53), Shape::floats, false});
  for (const unsigned extreme : {0u, 1u})
    all.push_back({r(0x14 | format, 2, 1, extreme, 10, 0x53), Shape::floats, false});
  for (const unsigned compare : {0u, 1u, 2u})
    all.push_back({r(0x50 | format, 2, 1, compare, a0, 0x53), Shape::to_integer, false});
  all.push_back({r(0x70 | format, 0, 1, 1, a0, 0x53), Shape::to_integer, false});  // fclass
  for (unsigned kind = 0; kind < (xlen == 64 ? 4u : 2u); ++kind) {
    all.push_back({r(0x60 | format, kind, 1, 0, a0, 0x53), Shape::to_integer, true});
    all.push_back({r(0x68 | format, kind, a0, 0, 10, 0x53), Shape::from_integer, true});
  }
  if (!wide || xlen == 64) {  // fmv
    all.push_back({r(0x70 | format, 0, 1, 0, a0, 0x53), Shape::to_integer, false});
    all.push_back({r(0x78 | format, 0, a0, 0, 10, 0x53), Shape::from_integer, false});
  }
  return all;
}

/// a3 = a3 × 31 + reg.
void mix(FloatCode& code, unsigned reg) {
  append(code, slli(a4, a3, 5));
  append(code, r(0x20, a3, a4, 0, a4, 0x33));
  append(code, add(a3, a4, reg));
}

/// f10 into the hash. sp points to memory.
void mix_float(FloatCode& code, unsigned xlen) {
  if (xlen == 64) {
    append(code, fmv_x_d(a0, 10));
    mix(code, a0);
    return;
  }
  append(code, fsd(10, sp, 0));
  for (const int half : {0, 4}) {
    append(code, lw(a0, sp, half));
    mix(code, a0);
  }
}

/// Goes through the tuples from s0 to s1. With dynamic rounding, inexact has been raised before each: the inner loop
/// then uses the host's floating point.
FloatCode loop(const Subject& subject, unsigned field, unsigned frm, unsigned xlen) {
  FloatCode code;
  append(code, csrrwi(0, kFrm, frm));
  const std::size_t begin = code.size();
  append(code, csrrwi(0, kFflags, field == kDynamic ? 1 : 0));
  append(code, jal(0, 4));  // what follows is a block that generated code does
  for (unsigned reg = 1; reg <= 3; ++reg) append(code, fld(reg, s0, 8 * static_cast<int>(reg - 1)));
  append(code, load_x(xlen, a0, s0, 0));
  append(code, subject.encoding | field << 12);
  if (subject.shape == Shape::to_integer)
    mix(code, a0);
  else
    mix_float(code, xlen);
  append(code, csrr(a2, kFcsr));
  mix(code, a2);
  append(code, addi(s0, s0, 24));
  append(code, bne(s0, s1, 2 * (static_cast<int>(begin) - static_cast<int>(code.size()))));
  return code;
}

constexpr unsigned kTuples = 1024;  // of a piece
constexpr unsigned kChunks = 16;

/// Corner by corner, then random.
template <typename Bits>
std::vector<std::uint64_t> tuples(unsigned seed) {
  FloatOperandSource<Bits> source(seed);
  const auto& corners = FloatOperandSource<Bits>::corners();
  std::vector<std::uint64_t> all;
  // A single is boxed but for a few.
  const auto put = [&](Bits value) {
    const bool single = sizeof(Bits) == 4 && source.below(64) != 0;
    all.push_back(single ? 0xffffffff00000000 | value : value);
  };
  std::size_t first = 0, second = 0;
  while (all.size() < std::size_t{3} * kTuples * kChunks) {
    auto tuple = source.tuple();
    if (first < corners.size()) {
      tuple.a = corners[first];
      tuple.b = corners[second];
      if (++second == corners.size()) {
        ++first;
        second = 0;
      }
    }
    put(tuple.a);
    put(tuple.b);
    put(tuple.c);
  }
  return all;
}

std::vector<std::uint64_t> integer_tuples() {
  FloatOperandSource<std::uint64_t> source(3);
  std::vector<std::uint64_t> all;
  for (const std::uint64_t corner : {0ull, 1ull, 0x7fffffffull, 0x80000000ull, 0xffffffffull, 0x7fffffffffffffffull,
                                     0x8000000000000000ull, 0x00ffffff80000000ull, 0x0100000080000000ull,
                                     0x001fffffffffffffull, 0x0020000000000001ull, 0x0020000000000003ull})
    for (int step = -2; step <= 2; ++step) {
      const std::uint64_t value = corner + static_cast<std::uint64_t>(static_cast<std::int64_t>(step));
      all.insert(all.end(), {value, value, value, 0 - value, 0 - value, 0 - value});
    }
  while (all.size() < std::size_t{3} * kTuples * kChunks) all.push_back(source.integer());
  return all;
}

class FloatReference : public testing::TestWithParam<unsigned> {
 protected:
  /// Piece by piece through chunks of the operands.
  void set_operands(std::vector<std::uint64_t> operands) {
    program_.operands = std::move(operands);
    constexpr std::uint64_t kBytes = std::uint64_t{24} * kTuples;
    for (unsigned chunk = 0; chunk < kChunks; ++chunk) {
      ReferenceProgram::Registers registers{};
      registers[sp] = ReferenceProgram::kScratchMiddle;
      registers[s0] = ReferenceProgram::kOperands + chunk * kBytes;
      registers[s1] = registers[s0] + kBytes;
      program_.registers.push_back(registers);
    }
  }
  void add(const Subject& subject, unsigned field, unsigned frm) {
    const FloatCode code = loop(subject, field, frm, GetParam());
    for (unsigned chunk = 0; chunk < kChunks; ++chunk) program_.pieces.push_back(code);
  }
  /// As interpreted, and as done by generated code, which the integer arithmetic stands beside. Nearly all of it is.
  void expect_equal_ways() {
    CpuConfig interpreted, generated, checked;
    interpreted.jit = Jit::off;
    if (!NativeCode::available()) return expect_equal_runs(program_, {interpreted});
    generated.jit = Jit::on;
    checked.jit = Jit::check;
    std::uint64_t instructions = 0;
    checked.jit_flaw = [&](NativeFrame& frame) {
      if (frame.left == NativeFrame::Left::inside) instructions += frame.detail;
    };
    expect_equal_runs(program_, {interpreted, generated, checked});
    if (testing::Test::IsSkipped()) return;
    constexpr unsigned kLoads = 4;  // in front of the instruction under test
    EXPECT_GT(instructions, (kLoads + 1) * (kTuples - 2 * checked.jit_after) * program_.pieces.size());
  }
  /// Those of one format and kind of operand, in every rounding mode.
  void expect_equal(bool wide, bool from_integers) {
    for (const Subject& subject : subjects(wide, GetParam())) {
      if ((subject.shape == Shape::from_integer) != from_integers) continue;
      if (!subject.rounds) {
        add(subject, 0, 0);
        continue;
      }
      for (unsigned mode = 0; mode < 5; ++mode) {
        add(subject, mode, 4 - mode);
        add(subject, kDynamic, mode);
      }
    }
    expect_equal_ways();
  }

  ReferenceProgram program_ = [] {
    ReferenceProgram program;
    program.xlen = GetParam();
    program.floating = true;
    return program;
  }();
};
INSTANTIATE_TEST_SUITE_P(Widths, FloatReference, testing::Values(32u, 64u));

TEST_P(FloatReference, doubles_in_every_rounding_mode) {
  set_operands(tuples<std::uint64_t>(1));
  expect_equal(true, false);
}

TEST_P(FloatReference, singles_in_every_rounding_mode) {
  set_operands(tuples<std::uint32_t>(2));
  expect_equal(false, false);
}

TEST_P(FloatReference, doubles_of_integers_in_every_rounding_mode) {
  set_operands(integer_tuples());
  expect_equal(true, true);
}

TEST_P(FloatReference, singles_of_integers_in_every_rounding_mode) {
  set_operands(integer_tuples());
  expect_equal(false, true);
}

TEST_P(FloatReference, doubles_where_singles_are_expected) {
  set_operands(tuples<std::uint64_t>(4));
  expect_equal(false, false);
}

TEST_P(FloatReference, random_encodings_of_the_major_opcodes) {
  FloatOperandSource<std::uint64_t> source(5);
  for (unsigned n = 0; n < 101; ++n) {
    ReferenceProgram::Registers registers{};
    for (auto& one : registers) one = ReferenceProgram::kScratchMiddle + 8 * source.below(64);
    program_.registers.push_back(registers);
  }
  constexpr std::uint32_t kOpcodes[] = {0x07, 0x27, 0x43, 0x47, 0x4b, 0x4f, 0x53, 0x53, 0x53};
  while (program_.pieces.size() < 30'000) {
    const auto random = static_cast<std::uint32_t>(source.integer() * 0x9e3779b97f4a7c15ull >> 32);
    std::uint32_t e = (random & ~0x7fu) | kOpcodes[source.below(std::size(kOpcodes))];
    if (source.below(2)) e &= ~0x04000000u;  // half of them of a format that exists
    if (source.below(2)) e &= ~0x01e00000u;  // and with a second source that names a conversion
    const bool memory = (e & 0x7f) == 0x07 || (e & 0x7f) == 0x27;
    if (memory && (e >> 15 & 31) == 0) continue;  // nothing is at address 0
    const unsigned rd = e >> 7 & 31;
    FloatCode code;
    append(code, csrrwi(0, kFrm, source.below(8)));
    append(code, e);
    append(code, csrr(1, kFcsr));
    append(code, lui(2, 0x80100));
    if (GetParam() == 64) {
      append(code, slli(2, 2, 32));
      append(code, i(32, 2, 5, 2, 0x13));
    }
    append(code, fsd(rd, 2, 0));
    append(code, lw(3, 2, 0));
    append(code, lw(2, 2, 4));
    program_.pieces.push_back(code);
  }
  expect_equal_runs(program_);
}

TEST_P(FloatReference, every_compressed_load_and_store) {
  FloatOperandSource<std::uint64_t> source(6);
  for (unsigned n = 0; n < 101; ++n) {
    ReferenceProgram::Registers registers{};
    for (auto& one : registers) one = ReferenceProgram::kScratchMiddle + 8 * source.below(64);
    program_.registers.push_back(registers);
  }
  for (unsigned half = 0; half < 0x10000; ++half) {
    const unsigned funct3 = half >> 13;
    const bool single = GetParam() == 32 && (funct3 == 3 || funct3 == 7);
    if (half & 1 || !(funct3 == 1 || funct3 == 5 || single)) continue;
    FloatCode code = {static_cast<std::uint16_t>(half)};
    // Leaves a mark of what was loaded into one register of two.
    append(code, fsd(half >> 2 & 1 ? half >> 7 & 31 : 8 + (half >> 2 & 7), 9, 0));
    program_.pieces.push_back(code);
  }
  expect_equal_runs(program_);
}

TEST_P(FloatReference, everything_is_illegal_while_mstatus_has_it_off) {
  program_.registers.push_back({});
  program_.registers[0][s0] = program_.registers[0][sp] = ReferenceProgram::kScratchMiddle;
  for (const unsigned fs : {0u, 1u, 2u, 3u}) {
    for (const std::uint32_t e :
         {fld(1, s0, 0), fsd(1, s0, 0), r(1, 1, 1, 0, 1, 0x53), r(0x50, 1, 1, 2, 10, 0x53), r(0x70, 0, 1, 0, 10, 0x53),
          csrr(a0, kFcsr), csrrwi(a0, kFflags, 1), csrr(a0, kFrm), 0x2000u | 1u << 16, 0xa002u | 1u << 16}) {
      FloatCode code;
      append(code, lui(t0, 6));
      append(code, csrrc(0, mstatus, t0));  // off
      append(code, lui(t0, fs << 1));
      append(code, csrrs(0, mstatus, t0));
      append(code, e);
      append(code, csrr(t1, mstatus));  // dirty after it, or not; SD is the sign
      append(code, r(0, 0, t1, 2, t2, 0x33));
      append(code, lui(t0, 6));
      append(code, r(0, t0, t1, 7, t1, 0x33));
      append(code, lui(t0, 2));  // as the other pieces want it
      append(code, csrrs(0, mstatus, t0));
      program_.pieces.push_back(code);
    }
  }
  expect_equal_runs(program_);
}

}  // namespace
}  // namespace vp::cpu
