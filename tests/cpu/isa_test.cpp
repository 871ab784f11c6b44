#include "models/cpu/isa.h"

#include <gtest/gtest.h>

#include "tests/cpu/encode.h"

namespace vp::cpu {
namespace {

TEST(Isa, ImmediatesOfAllFormatsAreSignExtended) {
  EXPECT_EQ(decode(encode::addi(1, 2, -1), 64).imm, -1);
  EXPECT_EQ(decode(encode::sw(1, 2, -2048), 64).imm, -2048);
  EXPECT_EQ(decode(encode::b(-4096, 1, 2, 0), 64).imm, -4096);
  EXPECT_EQ(decode(encode::jal(1, -1048576), 64).imm, -1048576);
  EXPECT_EQ(decode(encode::jal(1, 0xffffe), 64).imm, 0xffffe);
  EXPECT_EQ(decode(encode::lui(1, 0x80000), 64).imm, INT32_MIN);
}

TEST(Isa, ShiftsBy32OrMoreExistOnRv64Only) {
  EXPECT_EQ(decode(encode::slli(1, 1, 32), 64).opcode, Opcode::slli);
  EXPECT_EQ(decode(encode::slli(1, 1, 32), 32).opcode, Opcode::illegal);
  EXPECT_EQ(decode(encode::i(32, 1, 1, 1, 0x1b), 64).opcode, Opcode::illegal) << "slliw by 32";
  EXPECT_EQ(expand_compressed(0x1002 | 1 << 7, 32), 0u) << "c.slli by 32";
  EXPECT_NE(expand_compressed(0x1002 | 1 << 7, 64), 0u);
}

TEST(Isa, DoubleWordsExistOnRv64Only) {
  EXPECT_EQ(decode(encode::ld(1, 2, 0), 64).opcode, Opcode::ld);
  EXPECT_EQ(decode(encode::ld(1, 2, 0), 32).opcode, Opcode::illegal);
  EXPECT_EQ(decode(encode::lr(1, 2, 8), 32).opcode, Opcode::illegal);
}

TEST(Isa, SameCompressedEncodingIsJalOnRv32AndAddiwOnRv64) {
  EXPECT_EQ(decode(0x2001 | 1 << 7, 32).opcode, Opcode::jal);
  EXPECT_EQ(decode(0x2001 | 1 << 7, 32).rd, 1);
  EXPECT_EQ(decode(0x2001 | 1 << 7, 64).opcode, Opcode::addiw);
  EXPECT_EQ(decode(0x2001, 64).opcode, Opcode::illegal) << "c.addiw x0";
}

TEST(Isa, ReservedCompressedEncodingsAreIllegal) {
  for (unsigned xlen : {32u, 64u}) {
    EXPECT_EQ(decode(0x0000, xlen).opcode, Opcode::illegal) << "the defined illegal instruction";
    EXPECT_EQ(decode(0x0004, xlen).opcode, Opcode::illegal) << "c.addi4spn with immediate 0";
    EXPECT_EQ(decode(0x6101, xlen).opcode, Opcode::illegal) << "c.addi16sp with immediate 0";
    EXPECT_EQ(decode(0x6081, xlen).opcode, Opcode::illegal) << "c.lui with immediate 0";
    EXPECT_EQ(decode(0x8002, xlen).opcode, Opcode::illegal) << "c.jr x0";
    EXPECT_EQ(decode(0x4002, xlen).opcode, Opcode::illegal) << "c.lwsp x0";
    EXPECT_EQ(decode(0x2000, xlen).opcode, Opcode::illegal) << "c.fld";
  }
}

TEST(Isa, HintsDoNothingVisible) {
  const Instruction nop = decode(0x0001, 64);  // c.nop
  EXPECT_EQ(nop.opcode, Opcode::addi);
  EXPECT_EQ(nop.rd, 0);
  EXPECT_EQ(decode(0x0005, 64).opcode, Opcode::addi) << "c.nop with immediate 1";
  EXPECT_EQ(decode(0x8006, 64).opcode, Opcode::add) << "c.mv x0, x1";
  EXPECT_EQ(decode(0x6005, 64).opcode, Opcode::lui) << "c.lui x0";
}

TEST(Isa, IllegalInstructionsKeepTheirOwnBits) {
  EXPECT_EQ(decode(0xdead0000, 64).encoding, 0u) << "a compressed one is 16 bits, whatever follows";
  EXPECT_EQ(decode(0xffffffff, 64).encoding, 0xffffffffu);
  EXPECT_EQ(decode(0xffffffff, 64).opcode, Opcode::illegal);
}

}  // namespace
}  // namespace vp::cpu
