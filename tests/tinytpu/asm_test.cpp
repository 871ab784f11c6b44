#include "models/tinytpu/asm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "models/common/error.h"

namespace vp::tinytpu {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string hex(const std::string& text) {
  const std::vector<Instruction> program = assemble(text, "test");
  return program.size() == 1 ? to_hex(program[0]) : std::to_string(program.size()) + " instructions";
}

std::string error_in(const std::string& text) {
  try {
    assemble(text, "prog.s");
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(TinyTpuAsm, EveryMnemonicHasItsWord) {
  EXPECT_EQ(hex("read_weights.s 0x310, 14"), "00000003100000000e09");
  EXPECT_EQ(hex("read_weights.u 0x123456789a, 0xffffffff"), "123456789affffffff08");
  EXPECT_EQ(hex("matrix_multiply.s 0x1ec, 6, 780"), "00000601ec0000030c21");
  EXPECT_EQ(hex("matrix_multiply.u.acc 0, 0x31e, 0b111"), "00031e00000000000722");
  EXPECT_EQ(hex("activate.s.sigmoid 0x4fe, 0x1ec, 6"), "0004fe01ec0000000699");
  EXPECT_EQ(hex("activate.u.relu 1, 2, 3"), "00000100020000000381");
  EXPECT_EQ(hex("activate.u.none 0,0,0"), "00000000000000000080");
  EXPECT_EQ(hex("activate.s.f14 0,0,0"), "0000000000000000009e");
  EXPECT_EQ(hex("synchronize"), "000000000000000000ff");
  EXPECT_EQ(hex("halt"), "00000000000000000002");
  EXPECT_EQ(hex("nop"), "00000000000000000000");
}

TEST(TinyTpuAsm, RawWordsAreTakenAsTheyStand) {
  EXPECT_EQ(hex(".word 0x0123456789abcdef0123"), "0123456789abcdef0123");
  EXPECT_EQ(hex(".word ff"), "000000000000000000ff");
  EXPECT_EQ(hex("0123456789abcdef0123"), "0123456789abcdef0123");
}

TEST(TinyTpuAsm, CommentsBlanksAndEmptyLinesAreIgnored) {
  EXPECT_EQ(assemble("# all\n\n  nop ; one\r\n\tsynchronize# two\n", "t").size(), 2U);
}

TEST(TinyTpuAsm, ErrorsSayLineAndColumn) {
  EXPECT_THAT(error_in("nop\n  read_weight.s 0, 1"), StartsWith("prog.s:2:3: "));
  EXPECT_THAT(error_in("read_weight.s 0, 1"), HasSubstr("did you mean read_weights?"));
  EXPECT_THAT(error_in("frobnicate"), HasSubstr("matrix_multiply"));
  EXPECT_THAT(error_in("read_weights 0, 1"), StartsWith("prog.s:1:13: "));
  EXPECT_THAT(error_in("read_weights.s 0 1"), StartsWith("prog.s:1:18: "));
  EXPECT_THAT(error_in("read_weights.s 0"), HasSubstr("',' expected"));
  EXPECT_THAT(error_in("read_weights.s 0,"), HasSubstr("length expected"));
  EXPECT_THAT(error_in("read_weights.s 0x10000000000, 1"), HasSubstr("0 to 0xffffffffff"));
  EXPECT_THAT(error_in("matrix_multiply.s 0x10000, 0, 1"), HasSubstr("0 to 0xffff"));
  EXPECT_THAT(error_in("matrix_multiply.s.add 0, 0, 1"), StartsWith("prog.s:1:18: "));
  EXPECT_THAT(error_in("activate.s 0, 0, 1"), HasSubstr("function"));
  EXPECT_THAT(error_in("activate.s.f16 0, 0, 1"), HasSubstr("function"));
  EXPECT_THAT(error_in("activate.s.relu 0x1000000, 0, 1"), StartsWith("prog.s:1:17: "));
  EXPECT_THAT(error_in("activate.s.relu 0, 0, 99999999999999999999999"), HasSubstr("out of range"));
  EXPECT_THAT(error_in("activate.s.relu 0, 0, 0x1g"), HasSubstr("no number"));
  EXPECT_THAT(error_in("synchronize 1"), StartsWith("prog.s:1:13: end of line"));
  EXPECT_THAT(error_in(".word 0x123456789012345678901"), HasSubstr("hexadecimal"));
  EXPECT_THAT(error_in(".word"), HasSubstr("hexadecimal"));
}

TEST(TinyTpuAsm, OddOpcodesDisassembleToRawWordsWithTheirMeaning) {
  EXPECT_EQ(disassemble(from_hex("00000601ec0000030c61")),
            ".word 0x00000601ec0000030c61  # acts as matrix_multiply.s 0x1ec, 0x6, 780");
  EXPECT_EQ(disassemble(from_hex("000000000000000001ff")), ".word 0x000000000000000001ff  # acts as synchronize");
  EXPECT_EQ(disassemble(from_hex("00000000000000000104")), ".word 0x00000000000000000104  # acts as nop");
}

/// Every opcode with fields of all kinds: what comes out of the disassembler assembles to the same 80 bits.
TEST(TinyTpuAsm, RoundTripOfEveryOpcodeIsExact) {
  std::mt19937_64 random(2);
  std::vector<Instruction> program;
  for (unsigned op = 0; op < 256; ++op) {
    for (int i = 0; i < 40; ++i) {
      Instruction in;
      in.opcode = static_cast<std::uint8_t>(op);
      in.length = i & 1 ? static_cast<std::uint32_t>(random()) : 0;
      in.accumulator = i & 2 ? static_cast<std::uint16_t>(random()) : 0;
      in.buffer = i & 4 ? random() & 0xFFFFFF : 0;
      program.push_back(in);
    }
  }
  EXPECT_EQ(assemble(disassemble(program), "round trip"), program);
}

/// Random text: an error with a place, or a program that survives the round trip. Nothing else.
TEST(TinyTpuAsm, RandomTextNeverBreaksTheAssembler) {
  const char* pieces[] = {"read_weights",
                          "matrix_multiply",
                          "activate",
                          "synchronize",
                          "halt",
                          "nop",
                          ".word",
                          ".s",
                          ".u",
                          ".acc",
                          ".relu",
                          ".sigmoid",
                          ".f7",
                          " ",
                          " ",
                          ",",
                          "0",
                          "0x",
                          "12",
                          "0xffffff",
                          "0b2",
                          "99999999999",
                          "\n",
                          "\n",
                          "#",
                          ";",
                          "\t",
                          "\r",
                          "-1",
                          "\"",
                          "00000000000000000000",
                          "\x80\xff",
                          "abc"};
  std::mt19937 random(3);
  unsigned good = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (unsigned n = random() % 12; n > 0; --n) text += pieces[random() % std::size(pieces)];
    try {
      const std::vector<Instruction> program = assemble(text, "f");
      EXPECT_EQ(assemble(disassemble(program), "f"), program) << text;
      ++good;
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), ::testing::MatchesRegex("f:[0-9]+:[0-9]+: (.|\n)*")) << text;
    }
  }
  EXPECT_GT(good, 100U);
}

}  // namespace
}  // namespace vp::tinytpu
