#include "models/drra/asm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "models/common/error.h"
#include "platform/check/drra_case.h"
#include "tests/support/dice.h"

namespace vp::drra {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::uint32_t> words(const std::string& text) {
  return assemble(".cell 0,0\n" + text, "test").cells.at({0, 0}).words;
}

std::string error_of(const std::string& text) {
  try {
    assemble(text, "prog");
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

std::string error_in_cell(const std::string& line) { return error_of(".cell 0,0\n" + line); }

TEST(DrraAsm, an_instruction_is_a_mnemonic_and_fields_by_name) {
  EXPECT_THAT(words("SWB src_block=rf src_port=0 hb_index=2 v_index=2"), ElementsAre(0x2C22000));
  EXPECT_THAT(words("dpu mode=add"), ElementsAre(0x2060800));
  EXPECT_THAT(words("REFI port_no=r0, init_addr=0, l1_iter=15, init_delay=0x10"), ElementsAre(0x0C003D0));
  EXPECT_THAT(words("WAIT cycle=17"), ElementsAre(0x3800880));
  EXPECT_THAT(words("HALT"), ElementsAre(0));
}

TEST(DrraAsm, a_field_of_a_later_chunk_makes_the_instruction_longer) {
  EXPECT_EQ(words("REFI l1_step=1").size(), 1u);
  EXPECT_EQ(words("REFI l1_step=2").size(), 2u);
  EXPECT_EQ(words("REFI dimarch=y").size(), 3u);
  EXPECT_EQ(words("REFI extra=2").size(), 3u);
  EXPECT_EQ(words("LOOP iter=4 endpc=1").size(), 1u);
  EXPECT_EQ(words("LOOP iter=4 endpc=1 step=-1").size(), 2u);
  EXPECT_THAT(words("REFI extra=2 dimarch=1"), ElementsAre(0x0900000, 0x1010001, 0x1800002));
}

TEST(DrraAsm, a_label_stands_for_an_address_of_its_cell) {
  const std::string text =
      ".cell 0,0\nWAIT\nhere: REFI dimarch=y\nLOOP iter=2 endpc=last\nlast: WAIT\nJUMP pc=here\n"
      ".cell 0,1\nhere: JUMP pc=here\n";
  const Program program = assemble(text, "test");
  const std::vector<std::uint32_t>& first = program.cells.at({0, 0}).words;
  EXPECT_EQ(decode(&first[4], DecoderProfile::a)[loop::endpc], 5u);
  EXPECT_EQ(decode(&first[6], DecoderProfile::a)[jump::pc], 1u);
  EXPECT_EQ(program.cells.at({0, 1}).words[0], 6u << 23);
}

TEST(DrraAsm, directives_give_the_contents_of_memories) {
  const Program program = assemble(
      ".sram 2,3 127: 1 -2 0xffff\n.io 5: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n.cell 1,0\n.rf 62: 7 -8\n",
      "test");
  EXPECT_EQ(program.tiles.at({2, 3}).at(127)[1], -2);
  EXPECT_EQ(program.tiles.at({2, 3}).at(127)[2], -1);
  EXPECT_EQ(program.input.at(5)[15], 16);
  EXPECT_EQ(program.input.at(6)[0], 17);
  EXPECT_EQ(program.cells.at({1, 0}).registers.at(63), -8);
  EXPECT_TRUE(program.cells.at({1, 0}).words.empty());
}

TEST(DrraAsm, words_comments_and_empty_lines_are_taken_as_they_stand) {
  EXPECT_THAT(words("# all\n\n  0ABCDEF ; one\r\n.word 0x7ffffff# two\n"), ElementsAre(0x0ABCDEF, 0x7FFFFFF));
}

TEST(DrraAsm, the_profile_gives_io_its_opcode) {
  EXPECT_THAT(error_in_cell("IO"), HasSubstr("no opcode in decoder profile a"));
  EXPECT_EQ(assemble(".profile b\n.cell 0,0\nIO\n", "test").cells.at({0, 0}).words[0] >> 23, 13u);
  EXPECT_EQ(assemble(".profile c\n.cell 0,0\nIO\n", "test").cells.at({0, 0}).words[0] >> 23, 14u);
  EXPECT_THAT(error_of(".profile b\n.cell 0,0\nSRAM"), HasSubstr("no opcode"));
  EXPECT_THAT(error_in_cell("HALT\n.profile b"), StartsWith("prog:3:10: "));
  EXPECT_THAT(error_of(".profile d"), HasSubstr("a, b or c"));
}

TEST(DrraAsm, errors_say_line_and_column) {
  EXPECT_THAT(error_of("HALT"), StartsWith("prog:1:1: no cell is chosen"));
  EXPECT_THAT(error_in_cell("  HALD"), StartsWith("prog:2:3: 'HALD' is no instruction: did you mean HALT?"));
  EXPECT_THAT(error_in_cell("JUMP pd=3"), StartsWith("prog:2:6: 'pd' is no field of JUMP"));
  EXPECT_THAT(error_in_cell("HALT x=1"), HasSubstr("it has none"));
  EXPECT_THAT(error_in_cell("JUMP pc 3"), StartsWith("prog:2:9: '=' expected"));
  EXPECT_THAT(error_in_cell("JUMP pc=64"), HasSubstr("0 to 63 allowed"));
  EXPECT_THAT(error_in_cell("JUMP pc=1 pc=2"), HasSubstr("stands twice"));
  EXPECT_THAT(error_in_cell("JUMP pc=nowhere"), StartsWith("prog:2:9: there is no label 'nowhere'"));
  EXPECT_THAT(error_in_cell("DPU mode=macc"), HasSubstr("'macc' is no value of mode"));
  EXPECT_THAT(error_in_cell("ROUTE horizontal_hops=8"), HasSubstr("0 to 7 allowed"));
  EXPECT_THAT(error_in_cell("LOOP start=32"), HasSubstr("-32 to 31 allowed"));
  EXPECT_THAT(error_in_cell("REFI extra=0 l1_step=3"), HasSubstr("needs extra=1 or more"));
  EXPECT_THAT(error_in_cell("REFI extra=3 dimarch=y"), HasSubstr("needs extra=2 or more"));
  EXPECT_THAT(error_in_cell("HALT HALT"), HasSubstr("'HALT' is no field"));
  EXPECT_THAT(error_in_cell("fffffff"), HasSubstr("27 bits"));
  EXPECT_THAT(error_in_cell(".word 0x8000000"), HasSubstr("out of range"));
  EXPECT_THAT(error_in_cell("a: HALT\na: HALT"), StartsWith("prog:3:1: the label 'a' stands twice"));
  EXPECT_THAT(error_in_cell(".rf 63: 1 2"), HasSubstr("64 registers"));
  EXPECT_THAT(error_in_cell(".rf 0: 65536"), HasSubstr("out of range"));
  EXPECT_THAT(error_of(".cell 2,0"), HasSubstr("0 to 1 allowed"));
  EXPECT_THAT(error_of(".sram 0,0 0: 1"), HasSubstr("1 to 8 allowed"));
  EXPECT_THAT(error_of(".sram 1,0 128: 1"), HasSubstr("0 to 127"));
  EXPECT_THAT(error_of(".sram 1,0 0:"), HasSubstr("16-bit value expected"));
  EXPECT_THAT(error_of(".rff"), HasSubstr("did you mean .rf?"));
}

TEST(DrraAsm, a_program_fits_into_64_words) {
  std::string text;
  for (int i = 0; i < 64; ++i) text += "HALT\n";
  EXPECT_EQ(words(text).size(), 64u);
  EXPECT_THAT(error_in_cell(text + "HALT"), StartsWith("prog:66:1: "));
  EXPECT_THAT(error_in_cell(text + "end:\nJUMP pc=end"), HasSubstr("64 words"));
}

void expect_round_trip(const Program& program, const std::string& what) {
  for (const std::string& text : {disassemble(program), words_text(program)}) {
    const Program again = assemble(text, what);
    ASSERT_EQ(again.cells.size(), program.cells.size()) << what;
    for (const auto& [place, cell] : program.cells) {
      EXPECT_EQ(again.cells.at(place).words, cell.words) << what << "\n" << text;
      EXPECT_EQ(again.cells.at(place).registers, cell.registers) << what;
    }
    EXPECT_EQ(again.tiles, program.tiles) << what;
    EXPECT_EQ(again.input, program.input) << what;
    EXPECT_EQ(again.profile, program.profile) << what;
  }
}

TEST(DrraAsm, every_recorded_program_survives_disassembly) {
  unsigned programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VP_SOURCE_DIR "/tests/golden/drra")) {
    const nlohmann::json file = nlohmann::json::parse(std::ifstream(entry.path()));
    if (!drra_check::is_program(file)) continue;
    ++programs;
    expect_round_trip(drra_check::program_of(file), entry.path().string());
  }
  EXPECT_EQ(programs, 63u);
}

TEST(DrraAsm, random_words_survive_disassembly) {
  Dice dice(3);
  for (int round = 0; round < 500; ++round) {
    Program program;
    if (!dice.one_in(3)) program.profile = static_cast<DecoderProfile>(dice.from_to(0, 2));
    for (unsigned cells = dice.from_to(1, 3); cells > 0; --cells) {
      CellProgram& cell = program.cells[{dice.from_to(0, 1), dice.from_to(0, 63)}];
      for (unsigned i = dice.from_to(0, 64); i > cell.words.size();)
        cell.words.push_back(static_cast<std::uint32_t>(dice.source()()) & kChunkMask);
      for (unsigned i = dice.from_to(0, 40); i > 0; --i)
        cell.registers[dice.from_to(0, 63)] = static_cast<std::int16_t>(dice.source()());
    }
    expect_round_trip(program, "round " + std::to_string(round));
  }
}

TEST(DrraAsm, mangled_text_is_a_user_error_or_a_program) {
  const std::string text =
      ".cell 0,0\n.rf 3: 1 -2 0x3\ntop: REFI port_no=r0 l1_iter=7 l2_iter=3 dimarch=y\nLOOP loopid=1 iter=3 endpc=top "
      "step=-2\nRACCU mode=add operand1=-5 operand2_sd=d operand2=3 result=9\n.sram 1,7 5: 1 2 3\n.io 9: 4\n.word "
      "0x77\n";
  const std::string signs = ".,:=-0x \n#abcR9\0\xff";
  Dice dice(5);
  for (int round = 0; round < 5000; ++round) {
    std::string mangled = text;
    for (unsigned i = dice.from_to(1, 6); i > 0; --i) {
      const std::size_t at = dice.from_to(0, static_cast<unsigned>(mangled.size()) - 1);
      if (dice.one_in(3)) {
        mangled.erase(at, dice.from_to(1, 5));
      } else {
        mangled[at] = signs[dice.from_to(0, static_cast<unsigned>(signs.size()) - 1)];
      }
      if (mangled.empty()) mangled = "x";
    }
    try {
      expect_round_trip(assemble(mangled, "mangled"), mangled);
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), StartsWith("mangled:"));
    }
  }
}

}  // namespace
}  // namespace vp::drra
