#include "models/tinytpu/original_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "models/common/error.h"
#include "models/tinytpu/asm.h"
#include "models/tinytpu/network.h"

namespace vp::tinytpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char kComplete[] =
    "weights:[\n[-3,0,127,1]\n[255,-128,5,6]\n]\ninputs:[\r\n[1, 2, 3, 4]\r\n]\r\n\ninstructions:[\n[9,4,0]\n"
    "[33,4,0x200,010]\n[153,4,512,16]\n[255,0,0]\n]\nresults:[\n[16,4,0]\n]\n";

std::string refusal_of(const std::string& text) {
  try {
    parse_original_text(text, "a.txt");
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(TinyTpuOriginalText, blocks_of_the_original_s_files_are_read) {
  ASSERT_TRUE(is_original_text(kComplete));
  const OriginalText read = parse_original_text(kComplete, "complete.txt");
  EXPECT_THAT(read.weights.value(), ElementsAre(ElementsAre(0xFD, 0, 127, 1), ElementsAre(255, 128, 5, 6)));
  EXPECT_THAT(read.inputs.value(), ElementsAre(ElementsAre(1, 2, 3, 4)));
  EXPECT_EQ(read.instructions.value(),
            assemble("read_weights.s 0, 4\nmatrix_multiply.s 0x200, 8, 4\nactivate.s.sigmoid 16, 512, 4\nsynchronize",
                     "expected"));
  EXPECT_EQ(read_instructions(kComplete, "complete.txt"), *read.instructions);
}

TEST(TinyTpuOriginalText, the_published_stream_as_its_script_writes_it_is_the_original_layout) {
  const unsigned n = 14;
  std::string text = "instructions:[\n";
  const auto list = [&](std::initializer_list<unsigned> fields) {
    std::string line;
    for (const unsigned field : fields) line += (line.empty() ? "[" : ",") + std::to_string(field);
    text += line + "]\n";
  };
  unsigned weights = 0, inputs = 0;
  for (const auto& [features, outputs] : {std::pair{784u, 504u}, {504u, 14u}}) {
    for (unsigned column = 0; column < outputs / n; ++column) {
      list({9, n, column * features + weights});
      list({33, n, column * n, inputs});
      list({9, features - n, column * features + n + weights});
      list({35, features - n, column * n, inputs + n});
      list({153, n, column * n, inputs + features + column * n});
    }
    weights += features * (outputs / n);
    inputs += features;
  }
  text += "[255,0,0]\n]\n";
  EXPECT_EQ(read_instructions(text, "instructions.txt"),
            network_program(n, {{784, 504, 10}, NetworkLayout::original}).instructions);
}

TEST(TinyTpuOriginalText, assembly_and_words_are_no_such_text) {
  for (const char* text : {"", "\n\n", "synchronize\n", "000000000000000000ff\n", "# weights:[\nnop"})
    EXPECT_FALSE(is_original_text(text)) << text;
  EXPECT_TRUE(is_original_text("\n\n  inputs:[  \n]"));
  EXPECT_EQ(read_instructions("nop\n", "a.tpu").size(), 1u);
}

TEST(TinyTpuOriginalText, bad_text_is_refused_with_its_line) {
  EXPECT_THAT(refusal_of("weights:[\n[1,2]\n"), HasSubstr("a.txt:2: the block weights:[ has no closing ]"));
  EXPECT_THAT(refusal_of("weights:[\n]\nweights:[\n]\n"), HasSubstr("a.txt:3: a second block"));
  EXPECT_THAT(refusal_of("inputs:[\n[1,256]\n]"), HasSubstr("a.txt:2: '256' is no byte: -128 to 255"));
  EXPECT_THAT(refusal_of("inputs:[\n[1,,2]\n]"), HasSubstr("'' is no byte"));
  EXPECT_THAT(refusal_of("inputs:[\n1,2\n]"), HasSubstr("square brackets"));
  EXPECT_THAT(refusal_of("instructions:[\n[9,14]\n]"), HasSubstr("[opcode,length,weight address]"));
  EXPECT_THAT(refusal_of("instructions:[\n[256,14,0]\n]"), HasSubstr("'256' is no opcode: 0 to 255"));
  EXPECT_THAT(refusal_of("instructions:[\n[33,14,65536,0]\n]"), HasSubstr("accumulator address"));
  EXPECT_THAT(refusal_of("instructions:[\n[9,14,0x10000000000]\n]"), HasSubstr("weight address"));
  EXPECT_THAT(refusal_of("instructions:[\n[33,-1,0,0]\n]"), HasSubstr("'-1' is no length"));
  EXPECT_THAT(refusal_of("results:[\n[1]\n]"), HasSubstr("[first row,rows,append]"));
  EXPECT_THAT(refusal_of("weights:[\n]\nnonsense\n"), HasSubstr("a.txt:3: a line weights:["));
}

TEST(TinyTpuOriginalText, vectors_become_rows_of_the_array_s_width) {
  const auto rows = buffer_rows({{1, 2}, {3, 4}}, "w.txt", 2, 2);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].row, 1u);
  EXPECT_THAT(rows[1].bytes, ElementsAre(3, 4));
  EXPECT_THROW(buffer_rows({{1, 2}, {3, 4}}, "w.txt", 2, 1), UserError);
  EXPECT_THROW(buffer_rows({{1, 2}, {3}}, "w.txt", 2, 9), UserError);
}

/// Damaged text is read or refused in a sentence that names its line, and nothing else.
TEST(TinyTpuOriginalText, survives_damaged_text) {
  std::mt19937 dice(3);
  unsigned read = 0, refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = kComplete;
    for (unsigned edits = dice() % 4; edits > 0; --edits) {
      const std::size_t at = dice() % text.size();
      static const std::string kPieces[] = {
          "[", "]", ",", "\n", "-", "0x", "99999999999999999999", std::string(1, '\0'), "weights:[", "\xff"};
      if (dice() % 2)
        text.erase(at, 1 + dice() % 5);
      else
        text.insert(at, kPieces[dice() % std::size(kPieces)]);
    }
    try {
      parse_original_text(text, "a.txt");
      ++read;
    } catch (const UserError& error) {
      EXPECT_EQ(std::string(error.what()).compare(0, 6, "a.txt:"), 0) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(read, 3000u);
  EXPECT_GT(refused, 3000u);
}

}  // namespace
}  // namespace vp::tinytpu
