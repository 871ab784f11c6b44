// The program's outside: exit codes, streams, start-up time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/system/program.h"

namespace vp {
namespace {

using ::testing::HasSubstr;

/// One sentence on stderr, exit code 2, nothing on stdout.
void expect_user_error(const ProgramResult& result, const std::string& part) {
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.error, HasSubstr(part));
  EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
}

TEST(Program, starts_in_under_a_tenth_of_a_second) {
  double best = 1'000;
  for (int i = 0; i < 5; ++i) {
    const ProgramResult result = run_tinytpu_vp({"--version"});
    EXPECT_EQ(result.exit_code, 0) << result.error;
    best = std::min(best, result.seconds.count());
  }
  EXPECT_LT(best, 0.1 * kTimeBudget);
}

TEST(Program, wrong_use_is_one_sentence_and_exit_code_2) {
  expect_user_error(run_tinytpu_vp({}), "no command given");
  expect_user_error(run_tinytpu_vp({"chekc"}), "did you mean 'check'?");
  expect_user_error(run_tinytpu_vp({"check", "--jbos", "1", "."}), "did you mean '--jobs'?");
  expect_user_error(run_tinytpu_vp({"check", "/none"}), "No such file");
}

TEST(Program, messages_hand_no_control_characters_to_the_terminal) {
  ProgramInput input;
  input.text = "bo\x1b[31mgus\n";
  expect_user_error(run_tinytpu_vp({"asm"}, input), "'bo\\x1b[31mgus' is no instruction");
}

TEST(Program, a_setting_without_effect_is_named_in_a_warning) {
  const std::vector<std::string> run = {"run", "-q", "--set", "traffic0.rate=5", "--set", "dram1.page_policy=open"};
  std::vector<std::string> words = run;
  words.push_back(firmware("hello64"));
  EXPECT_THAT(run_tinytpu_vp(words).error, testing::AllOf(HasSubstr("warning: settings without effect on this run: "),
                                                          HasSubstr("dram1.page_policy (dram1.preset is fixed)"),
                                                          HasSubstr("traffic0.rate (traffic0.present is false)")));
  words.insert(words.begin() + 1, {"--log-level", "error"});
  EXPECT_EQ(run_tinytpu_vp(words).error, "");
}

TEST(Program, output_to_a_full_disk_is_a_user_error) {
  ProgramInput input;
  input.out_path = "/dev/full";
  expect_user_error(run_tinytpu_vp({"--help"}, input), "standard output: No space left on device");
}

}  // namespace
}  // namespace vp
