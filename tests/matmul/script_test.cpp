#include "models/matmul/script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "models/common/error.h"
#include "models/matmul/host_commands.h"

namespace vp::matmul {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kValues = " 1 -2 3 4 5 6 7 8 9 10 11 12 13 14 15 2147483647";

CoreConfig sizes(unsigned mesh, unsigned tile) {
  CoreConfig config;
  config.mesh = mesh;
  config.tile = tile;
  return config;
}

std::string refusal_of(const std::string& text, const CoreConfig& config = {}) {
  try {
    parse_script(text, "s.txt", config);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MatmulScript, sections_are_read_into_blocks_and_programs) {
  const Script script = parse_script("any text\n===META\n2 2\n===DATA\nA 0x100" + kValues +
                                         "\n===TEXT\nLOAD 0x100 TERM\n===DATA B 200" + kValues + "===TEXT\nTERM\n",
                                     "s.txt", {});
  ASSERT_EQ(script.data.size(), 2u);
  EXPECT_EQ(script.data[0].name, "A");
  EXPECT_EQ(script.data[1].address, 0x200u);
  EXPECT_EQ(script.data[0].words[1], -2);
  EXPECT_EQ(script.data[0].words[15], 2147483647);
  ASSERT_EQ(script.programs.size(), 2u);
  EXPECT_EQ(script.programs[0].size(), 2u);
}

TEST(MatmulScript, the_recorded_scripts_give_the_bytes_that_the_original_driver_sent) {
  unsigned compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VP_SOURCE_DIR "/tests/golden/matmul")) {
    if (entry.path().extension() != ".json") continue;
    const auto file = nlohmann::json::parse(std::ifstream(entry.path()));
    std::vector<std::string> sent;
    for (const auto& step : file["steps"])
      if (step.contains("send_hex") && step["send_hex"].get<std::string>().size() > 2) sent.push_back(step["send_hex"]);
    const auto& scripts = file["scripts"];
    if (scripts.empty() || scripts.size() != sent.size()) continue;
    for (std::size_t i = 0; i < sent.size(); ++i) {
      if (scripts[i]["mode"] != "driver") continue;
      const Script script =
          parse_script(scripts[i]["text"], entry.path(), sizes(file["params"]["mesh"], file["params"]["tile"]));
      std::string hex;
      for (std::uint8_t byte : start_commands(script)) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", byte);
        hex += digits;
      }
      EXPECT_EQ(hex, sent[i]) << entry.path();
      ++compared;
    }
  }
  EXPECT_GE(compared, 20u);
}

TEST(MatmulScript, meta_must_be_there) {
  EXPECT_EQ(refusal_of("\n\n ===TEXT\nTERM\n"),
            "s.txt:3:2: The section META is missing, expected ===META with 2 2 (mesh, then tile, of this device).");
  EXPECT_THAT(refusal_of(""), StartsWith("s.txt:1:1: The section META is missing"));
}

TEST(MatmulScript, meta_needs_two_numbers) {
  EXPECT_EQ(
      refusal_of("===META\n2\n===TEXT\nTERM"),
      "s.txt:3:1: The section ends where tile size is due, expected a decimal number from -2147483648 to 2147483647.");
  EXPECT_THAT(refusal_of("===META\n"), HasSubstr("s.txt:2:1: The script ends where mesh size is due"));
  EXPECT_THAT(refusal_of("===META 2 2 2"), HasSubstr("s.txt:1:13: META has more than two numbers"));
  EXPECT_THAT(refusal_of("===META two 2"), HasSubstr("s.txt:1:9: 'two' is no valid mesh size"));
}

TEST(MatmulScript, meta_of_another_size_is_refused) {
  EXPECT_EQ(refusal_of("===META\n3 2"),
            "s.txt:2:1: META says mesh 3, tile 2, expected 2 2 (mesh, then tile, of this device).");
}

TEST(MatmulScript, meta_in_the_order_of_the_notes_is_explained) {
  EXPECT_EQ(refusal_of("===META 4 1", sizes(4, 1)), "accepted");
  EXPECT_THAT(refusal_of("===META 1 4", sizes(4, 1)), HasSubstr("give the two numbers in the order tile, mesh"));
}

TEST(MatmulScript, unknown_and_nameless_sections_are_refused) {
  EXPECT_EQ(refusal_of("===META 2 2\n===CODE"), "s.txt:2:4: Unknown section 'CODE', expected META, DATA or TEXT.");
  EXPECT_THAT(refusal_of("===META 2 2\n=== TEXT"), StartsWith("s.txt:2:1: A section without name"));
  EXPECT_THAT(refusal_of("===METAL 2 2"), HasSubstr("Unknown section 'METAL'"));
  EXPECT_THAT(refusal_of("===META 2 2\n===="), HasSubstr("Unknown section '='"));
}

TEST(MatmulScript, a_duplicate_name_is_refused_with_both_places) {
  EXPECT_EQ(refusal_of("===META 2 2\n===DATA\nA 0x100" + kValues + "\n===DATA\n A 0x200" + kValues),
            "s.txt:5:2: A second matrix 'A', expected a name not used before (it is at line 3, column 1).");
}

TEST(MatmulScript, bad_and_missing_numbers_of_data_are_refused) {
  const std::string start = "===META 2 2\n===DATA\n";
  EXPECT_THAT(refusal_of(start + "A"), StartsWith("s.txt:3:2: The script ends where address of matrix 'A' is due"));
  EXPECT_THAT(refusal_of(start + "A 0xg"), StartsWith("s.txt:3:3: '0xg' is no valid address of matrix 'A'"));
  EXPECT_THAT(refusal_of(start + "A 80000000"), StartsWith("s.txt:3:3: '80000000' is no valid address"));
  EXPECT_THAT(refusal_of(start + "A 0x100 1 2x"),
              StartsWith("s.txt:3:11: '2x' is no valid value 2 of 16 of matrix 'A'"));
  EXPECT_THAT(refusal_of(start + "A 0x100 2147483648"), HasSubstr("is no valid value 1 of 16"));
  EXPECT_THAT(refusal_of(start + "A 0x100 -2147483649"), HasSubstr("is no valid value 1 of 16"));
  EXPECT_THAT(refusal_of(start + "A 0x100 1 2 3\n===TEXT"),
              StartsWith("s.txt:4:1: The section ends where value 4 of 16 of matrix 'A' is due"));
  EXPECT_THAT(refusal_of(start + "A 0x100"), HasSubstr("where value 1 of 16"));
}

TEST(MatmulScript, programs_are_refused_with_the_place_of_the_fault) {
  const std::string start = "===META 2 2\n===TEXT\n";
  EXPECT_THAT(refusal_of(start + "LOAD 0x100\nMULT 0x100"), StartsWith("s.txt:4:1: Unknown instruction 'MULT'"));
  EXPECT_THAT(refusal_of(start + "WRITE 0x100\n===TEXT"),
              StartsWith("s.txt:4:1: The section ends where header of WRITE is due"));
  EXPECT_THAT(refusal_of(start + "TERM\n===TEXT\nTERM\n===TEXT\nTERM"), StartsWith("s.txt:6:4: A third section TEXT"));
}

TEST(MatmulScript, a_program_longer_than_instruction_memory_is_refused) {
  std::string text = "===META 2 2\n===TEXT\n";
  for (int i = 0; i < 256; ++i) text += "TERM\n";
  EXPECT_EQ(refusal_of(text), "accepted");
  EXPECT_THAT(refusal_of(text + "TERM\n"), StartsWith("s.txt:259:1: Too many instructions, expected at most 256"));
}

TEST(MatmulScript, unprintable_bytes_do_not_reach_the_message) {
  EXPECT_THAT(refusal_of(std::string("===META 2 2\n===TEXT\n\x1b[2J\0", 25)), HasSubstr("Unknown instruction '.[2J"));
}

// Bounded fuzzing: a script with random edits is accepted or refused with a place, and never anything else.
TEST(MatmulScript, a_mutated_script_is_accepted_or_refused_with_a_place) {
  const std::string original = "===META\n2 2\n===DATA\nA 0x100" + kValues +
                               "\n===TEXT\nLOAD 0x100\nCOMP 0x100 0x100 0x200\n" +
                               "WRITE 0x200 0x01\nTERM\n===TEXT\nTERM\n";
  static const std::string kPieces[] = {"===", "META", "DATA",       "TEXT", "0x",   "-",
                                        " ",   "\n",   "9999999999", "TERM", "\xff", "="};
  std::mt19937 random(20);
  unsigned accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = original;
    for (unsigned edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t place = random() % (text.size() + 1);
      switch (random() % 3) {
        case 0:
          text.erase(place, random() % 12);
          break;
        case 1:
          text.insert(place, kPieces[random() % std::size(kPieces)]);
          break;
        default:
          text.insert(place, 1, static_cast<char>(random()));
          break;
      }
    }
    const std::string error = refusal_of(text);
    accepted += error == "accepted";
    if (error == "accepted") continue;
    EXPECT_THAT(error, testing::MatchesRegex("s\\.txt:[0-9]+:[0-9]+: .*\\."));
  }
  EXPECT_GT(accepted, 100u);
}

}  // namespace
}  // namespace vp::matmul
