#include "models/matmul/isa.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "models/common/error.h"

namespace vp::matmul {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& text) {
  try {
    assemble(text, "program");
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

std::uint32_t word_of(const std::string& text) { return assemble(text, "program").at(0); }

TEST(MatmulIsa, fields_stand_where_the_table_says) {
  EXPECT_EQ(word_of("TERM"), 0u);
  EXPECT_EQ(word_of("WRITE 0x0000ab00 0x5c"), 0x5cu << 10 | 0xabu << 2 | 1);
  EXPECT_EQ(word_of("LOAD ff00"), 0xffu << 2 | 2);
  EXPECT_EQ(word_of("COMP 0x100 0x200 0x300"), 3u << 18 | 2u << 10 | 1u << 2 | 3);
}

TEST(MatmulIsa, only_bits_15_to_8_of_an_address_and_7_to_0_of_a_header_count) {
  EXPECT_EQ(word_of("WRITE 0x12340bff 0x7abcde01"), word_of("WRITE 0x0b00 0x01"));
}

TEST(MatmulIsa, unused_bits_are_ignored_when_decoding) {
  EXPECT_EQ(decode(0xfffffffc).opcode, Opcode::term);
  EXPECT_EQ(decode(0xfffc0000 | word_of("WRITE 0x100 0x2")), decode(word_of("WRITE 0x100 0x2")));
  EXPECT_EQ(decode(0xfffffc00 | word_of("LOAD 0x100")), decode(word_of("LOAD 0x100")));
  EXPECT_EQ(decode(0xfc000000 | word_of("COMP 0x100 0x200 0x300")), decode(word_of("COMP 0x100 0x200 0x300")));
}

TEST(MatmulIsa, assembling_a_disassembly_gives_the_same_words) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> words(1000);
  for (std::uint32_t& word : words) {
    word = static_cast<std::uint32_t>(random());
    if (random() % 2 == 0) word = encode(decode(word));  // without unused bits
  }
  const std::string text = disassemble(words);
  EXPECT_THAT(text, HasSubstr("COMP 0x0000"));
  EXPECT_THAT(text, HasSubstr(".word 0x"));
  EXPECT_EQ(assemble(text, "round trip"), words);
}

TEST(MatmulIsa, words_are_read_as_hexadecimal_numbers) {
  EXPECT_EQ(parse_words("00000406\n0xFFFFFFFF 0", "words"), (std::vector<std::uint32_t>{0x406, 0xffffffff, 0}));
  EXPECT_THROW(parse_words("100000000", "words"), UserError);
  EXPECT_THROW(parse_words("40g", "words"), UserError);
}

TEST(MatmulIsa, an_unknown_mnemonic_is_named_with_its_place) {
  EXPECT_EQ(error_of("LOAD 0x100\n  MUL 1 2"),
            "program:2:3: Unknown instruction 'MUL', expected LOAD, COMP, WRITE or TERM.");
  EXPECT_THAT(error_of("load 0x100"), HasSubstr("Unknown instruction 'load'"));
}

TEST(MatmulIsa, a_missing_operand_is_named_with_its_place) {
  EXPECT_EQ(error_of("COMP 0x100 0x200"),
            "program:1:17: The script ends where C address of COMP is due, expected a hexadecimal number from 0 to "
            "0x7fffffff.");
}

TEST(MatmulIsa, a_bad_number_is_named_with_its_place) {
  for (const char* bad : {"0x", "-1", "0x100g", "80000000", "TERM", "0x1.0", "\xff"}) {
    EXPECT_THAT(error_of(std::string("LOAD ") + bad), HasSubstr("program:1:6: ")) << bad;
  }
}

}  // namespace
}  // namespace vp::matmul
