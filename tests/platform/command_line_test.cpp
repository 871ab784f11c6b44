#include "platform/cli/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "platform/cli/exit_code.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Outcome {
  int code;
  std::string out;
  std::string error;
};

Outcome run(const std::vector<std::string>& arguments) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = run_command_line(arguments);
  return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

/// A user error is one sentence on stderr, nothing on stdout, exit code 2.
void expect_user_error(const std::vector<std::string>& arguments, const std::string& part) {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, kExitUserError);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.error, StartsWith("tinytpu-vp: "));
  EXPECT_THAT(outcome.error, HasSubstr(part));
  EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1);
}

TEST(CommandLine, version_names_the_program) {
  const Outcome outcome = run({"--version"});
  EXPECT_EQ(outcome.code, kExitSuccess);
  EXPECT_THAT(outcome.out, StartsWith("tinytpu-vp "));
}

TEST(CommandLine, help_lists_every_command) {
  const Outcome outcome = run({"--help"});
  EXPECT_EQ(outcome.code, kExitSuccess);
  for (const Command& command : commands()) EXPECT_THAT(outcome.out, HasSubstr(command.name));
}

TEST(CommandLine, every_command_has_help) {
  for (const Command& command : commands()) {
    const Outcome outcome = run({command.name, "--help"});
    EXPECT_EQ(outcome.code, kExitSuccess);
    EXPECT_THAT(outcome.out, StartsWith(std::string("Usage: tinytpu-vp ") + command.name));
  }
}

TEST(CommandLine, no_command_is_a_user_error) { expect_user_error({}, "no command given"); }

TEST(CommandLine, unknown_command_names_the_nearest) { expect_user_error({"chekc"}, "did you mean 'check'?"); }

TEST(CommandLine, unknown_option_names_the_nearest) {
  expect_user_error({"check", "--job", "1"}, "did you mean '--jobs'?");
}

TEST(CommandLine, missing_option_value_is_a_user_error) { expect_user_error({"check", "x", "--jobs"}, "--jobs"); }

TEST(CommandLine, check_without_operands_is_a_user_error) {
  expect_user_error({"check"}, "no golden file or folder given");
}

TEST(CommandLine, check_of_a_missing_file_is_a_user_error) {
  expect_user_error({"check", "/none/x.json"}, "No such file");
}

TEST(CommandLine, check_refuses_a_bad_number_of_jobs) {
  for (const char* jobs : {"0", "-1", "many", "100000"}) expect_user_error({"check", "--jobs", jobs, "/"}, "--jobs");
}

TEST(CommandLine, check_fails_on_an_unknown_format) {
  const TemporaryFolder folder;
  const Outcome outcome = run({"check", folder.write("x.json", "{}")});
  EXPECT_EQ(outcome.code, kExitCheckFailed);
  EXPECT_THAT(outcome.out, HasSubstr("0 passed, 1 failed, 0 skipped\n"));
}

}  // namespace
}  // namespace vp
