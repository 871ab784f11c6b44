#include "models/tinytpu/isa.h"

#include <gtest/gtest.h>

#include <random>

#include "models/common/error.h"

namespace vp::tinytpu {
namespace {

InstructionKind kind_of(unsigned opcode) {
  Instruction in;
  in.opcode = static_cast<std::uint8_t>(opcode);
  return in.kind();
}

TEST(TinyTpuIsa, FirstMatchingDecodeRuleWins) {
  for (unsigned op = 0; op < 256; ++op) {
    InstructionKind expected = InstructionKind::nothing;
    if (op & 0x08) expected = InstructionKind::read_weights;
    if (op & 0x20) expected = InstructionKind::matrix_multiply;
    if (op & 0x80) expected = InstructionKind::activate;
    if (op == 0xFF) expected = InstructionKind::synchronize;
    EXPECT_EQ(kind_of(op), expected) << op;
  }
}

TEST(TinyTpuIsa, HaltDoesNothing) { EXPECT_EQ(kind_of(kHaltOpcode), InstructionKind::nothing); }

TEST(TinyTpuIsa, BitSixIsNeverExamined) {
  EXPECT_EQ(kind_of(0x60), InstructionKind::matrix_multiply);
  EXPECT_EQ(kind_of(0x48), InstructionKind::read_weights);
  EXPECT_EQ(kind_of(0x40), InstructionKind::nothing);
}

TEST(TinyTpuIsa, OnlyOpcodes08To0FWaitForASuccessor) {
  for (unsigned op = 0; op < 256; ++op) {
    Instruction in;
    in.opcode = static_cast<std::uint8_t>(op);
    EXPECT_EQ(in.waits_for_successor(), op >= 8 && op < 16) << op;
  }
}

TEST(TinyTpuIsa, FieldsStandWhereTheHardwareHasThem) {
  Instruction in;
  in.opcode = 0x99;
  in.length = 0x01020304;
  in.accumulator = 0x0506;
  in.buffer = 0x0708A9;
  EXPECT_EQ(to_hex(in), "0708a905060102030499");
  EXPECT_EQ(encode(in), (InstructionWords{0x02030499, 0xA9050601, 0x0708}));
}

TEST(TinyTpuIsa, WeightAddressSpansBothAddressFields) {
  Instruction in;
  in.set_weight_address(0x123456789A);
  EXPECT_EQ(in.accumulator, 0x789A);
  EXPECT_EQ(in.buffer, 0x123456U);
  EXPECT_EQ(in.weight_address(), 0x123456789AU);
}

TEST(TinyTpuIsa, EncodeAndHexAreInvertedExactly) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const InstructionWords words{static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random()),
                                 static_cast<std::uint32_t>(random() & 0xFFFF)};
    const Instruction in = decode(words);
    EXPECT_EQ(encode(in), words);
    EXPECT_EQ(from_hex(to_hex(in)), in);
  }
}

TEST(TinyTpuIsa, UpperHalfOfTheUpperWordIsIgnored) { EXPECT_EQ(decode({1, 2, 0xFFFF0003}), decode({1, 2, 3})); }

TEST(TinyTpuIsa, AnythingButTwentyHexDigitsIsRefused) {
  for (const char* text : {"", "0", "0000000000000000000g", "000000000000000000000", " 0000000000000000000"})
    EXPECT_THROW(from_hex(text), UserError) << text;
}

}  // namespace
}  // namespace vp::tinytpu
