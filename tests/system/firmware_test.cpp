// Firmware programs on the default machine: what they print, how they end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/program.h"

namespace vp {
namespace {

using ::testing::HasSubstr;

class Firmware : public testing::TestWithParam<int> {
 protected:
  std::string program(const std::string& name) const { return firmware(name + std::to_string(GetParam())); }
  std::string width() const { return std::to_string(GetParam()); }
};

TEST_P(Firmware, hello_greets_and_is_woken_by_the_timer) {
  const ProgramResult result = run_tinytpu_vp({"run", program("hello")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "hello from hart 0, rv" + width() +
                            "\nmemory at 0x80000000, 256 MiB\nmemory at 0xc0000000, 256 MiB\n"
                            "tinyTPU at 0x43c00000, interrupt 1\ntick 1\ntick 2\ngoodbye\n");
  EXPECT_THAT(result.error, HasSubstr("the guest ended the run with success (exit code 0)"));
}

TEST_P(Firmware, selftest_finds_every_device_as_documented) {
  const ProgramResult result = run_tinytpu_vp({"run", "--log-level", "error", program("selftest")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr(" good, 0 failed, 0 absent\n"));
  EXPECT_THAT(result.out, testing::Not(HasSubstr("FAILED")));
}

INSTANTIATE_TEST_SUITE_P(Widths, Firmware, testing::Values(32, 64));

}  // namespace
}  // namespace vp
