#include "platform/cli/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "platform/common/exit_code.h"
#include "tests/platform/run_in_process.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(CommandLine, version_names_the_program) {
  const Outcome outcome = run({"--version"});
  EXPECT_EQ(outcome.code, kExitSuccess);
  EXPECT_THAT(outcome.out, StartsWith("tinytpu-vp "));
  EXPECT_THAT(outcome.out, HasSubstr("code generator for the CPU"));
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

TEST(CommandLine, params_lists_name_type_default_range_unit_and_help) {
  const Outcome outcome = run({"params", "cpu.clock", "cpu.cycles"});
  EXPECT_EQ(outcome.code, kExitSuccess);
  EXPECT_THAT(outcome.out, HasSubstr("cpu.clock"));
  EXPECT_THAT(outcome.out, HasSubstr("default 10ns"));
  EXPECT_THAT(outcome.out, HasSubstr("cpu.cycles.mul"));
  EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("cpu.isa")));
}

TEST(CommandLine, params_says_of_a_parameter_without_effect_why_it_has_none) {
  EXPECT_THAT(run({"params", "dram0.page_policy"}).out, HasSubstr("no effect, as dram0.preset is fixed\n"));
  EXPECT_THAT(run({"params", "dram0.page_policy", "--set", "dram0.preset=ddr4-2400"}).out,
              testing::Not(HasSubstr("no effect")));
  EXPECT_THAT(run({"params", "traffic0.rate"}).out, HasSubstr("no effect, as traffic0.present is false\n"));
}

TEST(CommandLine, params_prints_json_with_the_present_value_and_its_source) {
  const Outcome outcome = run({"params", "--json", "--set", "cpu.clock=50MHz", "cpu.clock"});
  const auto list = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0]["value"], "20ns");
  EXPECT_EQ(list[0]["default"], "10ns");
  EXPECT_EQ(list[0]["source"], "--set");
}

TEST(CommandLine, settings_are_taken_from_file_environment_and_command_line_in_this_order) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.ini", "[cpu]\nclock = 1ns\nquantum = 1us\nmisaligned = trap\n");
  setenv("TINYTPU_VP_CPU__CLOCK", "2ns", 1);
  setenv("TINYTPU_VP_CPU__QUANTUM", "2us", 1);
  const Outcome outcome = run({"params", "--json", "--set", "cpu.clock=3ns", "--config", file, "cpu"});
  unsetenv("TINYTPU_VP_CPU__CLOCK");
  unsetenv("TINYTPU_VP_CPU__QUANTUM");
  std::map<std::string, std::string> values;
  for (const auto& one : nlohmann::json::parse(outcome.out)) values[one["name"]] = one["value"];
  EXPECT_EQ(values["cpu.clock"], "3ns");
  EXPECT_EQ(values["cpu.quantum"], "2us");
  EXPECT_EQ(values["cpu.misaligned"], "trap");
}

TEST(CommandLine, bad_settings_are_user_errors) {
  const TemporaryFolder folder;
  expect_user_error({"params", "--set", "cpu.clokc=1ns"}, "did you mean 'cpu.clock'?");
  expect_user_error({"params", "--set", "cpu.clock=fast"}, "cpu.clock");
  expect_user_error({"params", "--config", "/none.ini"}, "No such file");
  expect_user_error({"params", "--config", folder.write("a.ini", "[cpu]\nclokc = 1ns\n")}, "a.ini:2");
  expect_user_error({"params", "cpu.clokc"}, "did you mean 'cpu.clock'?");
}

TEST(CommandLine, asm_and_disasm_are_inverse) {
  const TemporaryFolder folder;
  const std::string words = "00000000000000000e09\n000000000000000000ff\n00000000000000000042\n";
  const std::string file = folder.write("a.hex", words);
  const Outcome text = run({"disasm", file});
  EXPECT_EQ(text.code, kExitSuccess);
  EXPECT_THAT(text.out, HasSubstr("read_weights.s"));
  EXPECT_EQ(run({"asm", folder.write("a.tpu", text.out)}).out, words);
  EXPECT_EQ(run({"asm", "-o", folder.path("b.hex"), folder.path("a.tpu")}).code, kExitSuccess);
  EXPECT_EQ(TemporaryFolder::read(folder.path("b.hex")), words);
}

TEST(CommandLine, asm_errors_name_file_line_and_column) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.tpu", "synchronize\n  sinchronize\n");
  expect_user_error({"asm", file}, "a.tpu:2:3: ");
  expect_user_error({"asm", "/none.tpu"}, "No such file");
  expect_user_error({"asm", file, file}, "more than one input file");
  expect_user_error({"asm", "-o", "/dev/full", folder.write("b.tpu", "nop\n")}, "No space left on device");
}

}  // namespace
}  // namespace vp
