#include "models/drra/isa.h"

#include <gtest/gtest.h>

#include "tests/support/dice.h"

namespace vp::drra {
namespace {

constexpr DecoderProfile kProfiles[] = {DecoderProfile::a, DecoderProfile::b, DecoderProfile::c};

TEST(DrraIsa, fields_of_an_instruction_do_not_overlap_and_lie_below_its_opcode) {
  for (const InstructionFormat& format : instruction_formats()) {
    std::vector<bool> used(format.chunks * kChunkBits);
    for (unsigned bit = 0; bit < 4; ++bit) used[format.chunks * kChunkBits - 1 - bit] = true;
    for (const Field& field : format.fields)
      for (unsigned bit = field.low; bit < field.low + field.width; ++bit) {
        ASSERT_LT(bit, used.size()) << format.mnemonic << " " << field.name;
        EXPECT_FALSE(used[bit]) << format.mnemonic << " " << field.name;
        used[bit] = true;
      }
    EXPECT_LE(format.fields.size(), kMostFields);
  }
}

TEST(DrraIsa, a_short_form_has_the_defaults_of_the_fields_it_lacks) {
  const std::uint32_t refi = 0x0C801C2;  // r0, extra 1: l1_iter 7, init_delay 2
  const std::uint32_t words[] = {refi & ~(3u << 19), 0, 0};
  const Instruction short_form = decode(words, DecoderProfile::a);
  EXPECT_EQ(short_form.chunks, 1);
  EXPECT_EQ(short_form[refi::port_no], 2u);
  EXPECT_EQ(short_form[refi::l1_iter], 7u);
  EXPECT_EQ(short_form[refi::l1_step], 1u);
  EXPECT_EQ(short_form[refi::l2_step], 1u);
  EXPECT_EQ(short_form[refi::dimarch], 0u);
}

TEST(DrraIsa, refi_with_extra_three_is_one_word) {
  EXPECT_EQ(chunks_of(1u << 23 | 0u << 19, DecoderProfile::a), 1u);
  EXPECT_EQ(chunks_of(1u << 23 | 1u << 19, DecoderProfile::a), 2u);
  EXPECT_EQ(chunks_of(1u << 23 | 2u << 19, DecoderProfile::a), 3u);
  EXPECT_EQ(chunks_of(1u << 23 | 3u << 19, DecoderProfile::a), 1u);
}

TEST(DrraIsa, the_profile_decides_what_opcodes_13_and_14_mean) {
  const std::uint32_t words[] = {13u << 23, 0, 0}, other[] = {14u << 23, 0, 0};
  EXPECT_EQ(decode(words, DecoderProfile::a).operation, Operation::sram);
  EXPECT_EQ(decode(words, DecoderProfile::b).operation, Operation::io);
  EXPECT_EQ(decode(words, DecoderProfile::c).operation, Operation::sram);
  EXPECT_EQ(decode(other, DecoderProfile::a).operation, Operation::perm);
  EXPECT_EQ(decode(other, DecoderProfile::b).operation, Operation::perm);
  EXPECT_EQ(decode(other, DecoderProfile::c).operation, Operation::io);
}

TEST(DrraIsa, a_field_over_the_border_of_two_words_keeps_its_value) {
  Instruction sram = default_instruction(Operation::sram);
  sram.fields[sram::l1_step] = 0xA5;
  sram.fields[sram::l2_delay] = 0x2B;
  const Instruction again = decode(encode(sram, DecoderProfile::a).data(), DecoderProfile::a);
  EXPECT_EQ(again[sram::l1_step], 0xA5u);
  EXPECT_EQ(again[sram::l2_delay], 0x2Bu);
  EXPECT_EQ(value_of(again, sram::l1_step), 0xA5 - 256);
}

TEST(DrraIsa, any_instruction_survives_encoding) {
  Dice dice(1);
  for (int i = 0; i < 20'000; ++i) {
    const DecoderProfile profile = kProfiles[dice.from_to(0, 2)];
    const std::uint32_t words[] = {static_cast<std::uint32_t>(dice.source()()) & kChunkMask,
                                   static_cast<std::uint32_t>(dice.source()()) & kChunkMask,
                                   static_cast<std::uint32_t>(dice.source()()) & kChunkMask};
    const Instruction instruction = decode(words, profile);
    if (instruction.operation == Operation::nothing) continue;
    const std::vector<std::uint32_t> encoded = encode(instruction, profile);
    ASSERT_EQ(encoded.size(), chunks_of(words[0], profile));
    ASSERT_TRUE(decode(encoded.data(), profile) == instruction) << to_text(instruction);
  }
}

TEST(DrraIsa, text_names_what_differs_from_the_defaults) {
  Instruction refi = default_instruction(Operation::refi);
  EXPECT_EQ(to_text(refi), "REFI");
  refi.fields[refi::port_no] = 3;
  refi.fields[refi::l1_step_sign] = 1;
  refi.fields[refi::extra] = 1;
  refi.chunks = 2;
  EXPECT_EQ(to_text(refi), "REFI port_no=r1 l1_step_sign=minus");
  refi.fields[refi::extra] = 2;
  refi.chunks = 3;
  EXPECT_EQ(to_text(refi), "REFI port_no=r1 extra=2 l1_step_sign=minus");
}

}  // namespace
}  // namespace vp::drra
