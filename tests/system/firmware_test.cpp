// Firmware programs on the default machine: what they print, how they end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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

TEST_P(Firmware, digits_are_classified_as_by_the_reference) {
  const ProgramResult result = run_tinytpu_vp({"run", "-q", program("digits")});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("output bytes equal to the reference: 3600 of 3600\n"));
  EXPECT_THAT(result.out, HasSubstr("digits: passed\n"));
}

/// Everything but the host's speed and how often the CPU waited for the kernel.
nlohmann::json figures_with_quantum(const std::string& program, const std::string& quantum) {
  const ProgramResult result =
      run_tinytpu_vp({"run", "-q", "--uart-output", "", "--set", "cpu.quantum=" + quantum, "--stats", "-", program});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  nlohmann::json figures = nlohmann::json::parse(result.out)["groups"];
  for (const char* name : {"wall_time", "mips"}) figures["run"]["values"].erase(name);
  figures["cpu"]["values"].erase("synchronisations");
  figures.erase("configuration");  // what was asked for, no figure
  return figures;
}

TEST_P(Firmware, no_figure_depends_on_the_quantum) {
  const nlohmann::json reference = figures_with_quantum(program("digits"), "10us");
  for (const char* quantum : {"100ns", "1us", "1ms"})
    EXPECT_EQ(figures_with_quantum(program("digits"), quantum), reference);
}

TEST_P(Firmware, digits_work_for_every_matrix_width) {
  for (const char* width : {"6", "7", "8", "10", "12", "32"}) {
    const ProgramResult result =
        run_tinytpu_vp({"run", "-q", "--set", std::string("tpu.matrix_width=") + width, program("digits")});
    EXPECT_EQ(result.exit_code, 0) << width << result.out << result.error;
    EXPECT_THAT(result.out, HasSubstr("output bytes equal to the reference: 3600 of 3600\n"));
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, Firmware, testing::Values(32, 64));

}  // namespace
}  // namespace vp
