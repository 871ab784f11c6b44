// `tinytpu-vp run --matmul SCRIPT...` as a user starts it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/platform/temporary_folder.h"
#include "tests/system/program.h"

namespace vp {
namespace {

using ::testing::HasSubstr;

const std::string kHead =
    "===META\n2 2\n===DATA\nB 0x100 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n"
    "A 0x200 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n";
const std::string kDoubles = kHead + "===TEXT\nLOAD 0x100\nCOMP 0x200 0x200 0x300\nWRITE 0x300 0x01\nTERM\n";

/// One sentence on stderr that begins with the script's place, exit code 2, nothing on stdout.
void expect_refused(const std::string& script, const std::string& part) {
  const TemporaryFolder folder;
  const std::string path = folder.write("s.txt", script);
  const ProgramResult result = run_tinytpu_vp({"run", "--matmul", path});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.error, HasSubstr(path + ":" + part));
  EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
}

TEST(MatmulScripts, matrices_and_cycles_of_each_script_are_printed) {
  const TemporaryFolder folder;
  const std::string first = folder.write("a.txt", kDoubles);
  const std::string second = folder.write("b.txt", "===META 2 2===TEXT WRITE 0x300 0x2a TERM");
  const ProgramResult result = run_tinytpu_vp({"run", "--matmul", first, second});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("script " + first + ": 1 message,"));
  EXPECT_THAT(result.out, HasSubstr("  18 20 22 24\n"));
  EXPECT_THAT(result.out, HasSubstr("COMP             11"));
  EXPECT_THAT(result.out, HasSubstr("message 1: header 0x2a"));
  EXPECT_LT(result.seconds.count(), 1);
}

TEST(MatmulScripts, every_instruction_can_be_logged) {
  const TemporaryFolder folder;
  const std::string log = folder.path("log");
  const ProgramResult result =
      run_tinytpu_vp({"run", "--log-instructions", "matmul=" + log, "--matmul", folder.write("a.txt", kDoubles)});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  const std::string text = TemporaryFolder::read(log);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
  EXPECT_THAT(text, HasSubstr("  thread 0, pc 0: LOAD 0x00000100 "));
  EXPECT_THAT(text, HasSubstr("  thread 0, pc 12: TERM "));
}

TEST(MatmulScripts, two_hundred_instructions_a_thread_at_the_default_rate_take_under_a_tenth_of_a_second) {
  const TemporaryFolder folder;
  std::string script = kHead;
  for (int thread = 0; thread < 2; ++thread) {
    script += "===TEXT\n";
    for (int i = 0; i < 66; ++i) script += "LOAD 0x100\nCOMP 0x200 0x200 0x300\nCOMP 0x200 0x300 0x400\n";
    script += "WRITE 0x400 0x01\nTERM\n";
  }
  const std::string path = folder.write("s.txt", script);
  double best = 1'000;
  for (int i = 0; i < 5; ++i) {
    const ProgramResult result = run_tinytpu_vp({"run", "--matmul", path});
    EXPECT_EQ(result.exit_code, 0) << result.error;
    best = std::min(best, result.seconds.count());
  }
  EXPECT_LT(best, 0.1 * kTimeBudget);
}

TEST(MatmulScripts, malformed_scripts_are_refused_with_line_and_column) {
  expect_refused("===TEXT\nTERM\n", "1:1: The section META is missing");
  expect_refused("===META\n2\n", "3:1: The script ends where tile size is due");
  expect_refused("===META\n4 1\n", "2:1: META says mesh 4, tile 1, expected 2 2");
  expect_refused("===META 2 2\n===CODE\n", "2:4: Unknown section 'CODE'");
  expect_refused(kHead + "A 0x300 1\n", "6:1: A second matrix 'A'");
  expect_refused(kHead + "C 3OO 1\n", "6:3: '3OO' is no valid address of matrix 'C'");
  expect_refused(kHead + "C 300 1.5\n", "6:7: '1.5' is no valid value 1 of 16");
  expect_refused(kHead + "C 300 1 2\n", "7:1: The script ends where value 3 of 16");
  expect_refused(kHead + "===TEXT\nADD 1\n", "7:1: Unknown instruction 'ADD'");
  expect_refused(kHead + "===TEXT\nCOMP 1 2\n", "8:1: The script ends where C address of COMP is due");
  expect_refused(kHead + "===TEXT\n===TEXT\n===TEXT\n", "8:4: A third section TEXT");
}

TEST(MatmulScripts, an_unreadable_script_is_refused_before_any_runs) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_tinytpu_vp({"run", "--matmul", folder.write("a.txt", kDoubles), folder.path("none.txt")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.error, HasSubstr("none.txt': No such file"));
}

TEST(MatmulScripts, an_endless_program_ends_with_exit_code_3_and_a_limit_with_4) {
  const TemporaryFolder folder;
  std::string endless = kHead + "===TEXT\n";
  for (int i = 0; i < 256; ++i) endless += "LOAD 0x100\n";
  EXPECT_EQ(run_tinytpu_vp({"run", "--matmul", folder.write("endless.txt", endless)}).exit_code, 3);
  const std::string path = folder.write("s.txt", kDoubles);
  EXPECT_EQ(run_tinytpu_vp({"run", "--max-cycles", "1000000", "--matmul", path}).exit_code, 4);
}

TEST(MatmulScripts, errata_can_be_switched_off_one_by_one) {
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "s.txt", kHead + "===TEXT WRITE 0x200 1 WRITE 0x200 2 WRITE 0x200 3 WRITE 0x200 4 WRITE 0x200 5 TERM");
  EXPECT_THAT(run_tinytpu_vp({"run", "--matmul", path}).out, HasSubstr("errata: fifo_byte_loss at clocks"));
  const ProgramResult repaired =
      run_tinytpu_vp({"run", "--set", "matmul.errata.fifo_byte_loss=false", "--matmul", path});
  EXPECT_EQ(repaired.out.find("errata"), std::string::npos);
  EXPECT_THAT(repaired.out, HasSubstr("message 5: header 0x05"));
}

TEST(MatmulScripts, statistics_are_written_as_json) {
  const TemporaryFolder folder;
  const std::string stats = folder.path("stats.json");
  run_tinytpu_vp({"run", "--stats", stats, "--matmul", folder.write("s.txt", kDoubles)});
  const auto json = nlohmann::json::parse(TemporaryFolder::read(stats));
  EXPECT_EQ(json["groups"]["matmul"]["groups"]["thread0"]["groups"]["COMP"]["values"]["clocks"]["value"], 11);
}

TEST(MatmulScripts, programs_are_assembled_and_disassembled) {
  ProgramInput input;
  input.text = "LOAD 0x100\nCOMP 0x200 0x300 0x400\nWRITE 0x400 0x7f\nTERM\n";
  const ProgramResult words = run_tinytpu_vp({"asm", "--device", "matmul"}, input);
  EXPECT_EQ(words.out, "00000006\n00100c0b\n0001fc11\n00000000\n");
  input.text = words.out;
  EXPECT_THAT(run_tinytpu_vp({"disasm", "--device", "matmul"}, input).out,
              HasSubstr("COMP 0x00000200 0x00000300 0x00000400\nWRITE 0x00000400 0x7f\nTERM\n"));
  EXPECT_EQ(run_tinytpu_vp({"asm", "--device", "tpu"}, input).exit_code, 2);
}

TEST(MatmulScripts, options_of_the_cpu_are_refused) {
  const TemporaryFolder folder;
  const std::string path = folder.write("s.txt", kDoubles);
  EXPECT_EQ(run_tinytpu_vp({"run", "--trace", "-", "--matmul", path}).exit_code, 2);
  EXPECT_EQ(run_tinytpu_vp({"run", "--network", "4x4", "--matmul", path}).exit_code, 2);
}

}  // namespace
}  // namespace vp
