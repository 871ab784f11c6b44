#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "platform/cli/command.h"
#include "platform/common/exit_code.h"

namespace vp {

struct Outcome {
  int code;
  std::string out;
  std::string error;
};

/// Runs a command within the test's own process and captures what it prints.
inline Outcome run(const std::vector<std::string>& arguments) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = run_command_line(arguments);
  return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

/// A user error is one sentence on stderr, nothing on stdout, exit code 2.
inline void expect_user_error(const std::vector<std::string>& arguments, const std::string& part) {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, kExitUserError);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.error, testing::StartsWith("tinytpu-vp: "));
  EXPECT_THAT(outcome.error, testing::HasSubstr(part));
  EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
}

}  // namespace vp
