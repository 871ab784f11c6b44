// What a user's surroundings may do to a run: signals, closed descriptors, full files, odd values of options.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/platform/temporary_folder.h"
#include "tests/system/program.h"
#include "tests/system/small_programs.h"

namespace vp {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct RoughUse : testing::Test {
  std::string program(const std::string& elf) { return folder.write("program.elf", elf); }
  void expect_refused(const ProgramResult& result, const std::string& part) {
    EXPECT_EQ(result.exit_code, 2) << result.error;
    EXPECT_THAT(result.error, HasSubstr(part));
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
  }
  std::size_t files_in_folder() {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path("")), {}));
  }
  TemporaryFolder folder;
};

TEST_F(RoughUse, a_terminal_that_goes_away_ends_a_run_with_its_report) {
  ProgramInput input;
  input.signal = SIGHUP;
  const std::string stats = folder.path("run.json");
  const ProgramResult result = run_tinytpu_vp({"run", "--stats", stats, program(spinning_program())}, input);
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.error, HasSubstr("-- the user interrupted the run"));
  EXPECT_TRUE(std::filesystem::exists(stats));
}

TEST_F(RoughUse, a_run_whose_output_nobody_takes_ends_at_its_time_limit_and_at_a_signal) {
  for (const std::string& elf :
       {program(printing_program("a line\nanother\n")), folder.write("suite.elf", test_suite_printing_program())}) {
    ProgramInput input;
    input.full_output = true;
    const ProgramResult limited = run_tinytpu_vp({"run", "--timeout", "300ms", elf}, input);
    EXPECT_EQ(limited.exit_code, 4) << limited.error;
    EXPECT_THAT(limited.error, HasSubstr("-- the wall-clock limit was reached"));
    EXPECT_LT(limited.seconds.count(), 3 * kTimeBudget);
    input.signal = SIGTERM;
    EXPECT_EQ(run_tinytpu_vp({"run", elf}, input).exit_code, 130);
  }
}

TEST_F(RoughUse, a_run_whose_report_nobody_takes_ends_at_its_time_limit_and_at_a_signal) {
  ProgramInput input;
  input.full_error = true;
  const std::string ends = program(failing_program(0)), spins = program(spinning_program());
  const std::string log = folder.path("log");
  for (const std::vector<std::string>& words : {std::vector<std::string>{ends},
                                                {"--report", "full", ends},
                                                {"--log-level", "debug", spins},
                                                {"--trace", "-", spins}}) {
    std::vector<std::string> arguments = {"run", "--timeout", "300ms"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const ProgramResult limited = run_tinytpu_vp(arguments, input);
    EXPECT_EQ(limited.exit_code, 4) << words.front();
    EXPECT_LT(limited.seconds.count(), 3 * kTimeBudget) << words.front();
    arguments.erase(arguments.begin() + 1, arguments.begin() + 3);
    ProgramInput signalled = input;
    signalled.signal = SIGTERM;
    const ProgramResult ended = run_tinytpu_vp(arguments, signalled);
    EXPECT_EQ(ended.exit_code, 130) << words.front();
    EXPECT_LT(ended.seconds.count(), 3 * kTimeBudget) << words.front();
  }
}

TEST_F(RoughUse, a_run_without_a_cpu_whose_output_nobody_takes_ends_at_its_time_limit_and_at_a_signal) {
  ProgramInput input;
  input.full_output = true;
  const std::string layers =
      folder.write("net.csv",
                   "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, "
                   "Strides,\nConv1, 8, 8, 3, 3, 3, 8, 1,\n");
  const std::string fabric = folder.write("one.drra", ".cell 0,0\n  HALT\n");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--network", "65x42x10"},
                                                {"--network", "65x42x10", "--widths", "7,14"},
                                                {"--workload", layers},
                                                {"--drra", fabric}}) {
    std::vector<std::string> arguments = {"run", "--timeout", "500ms"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const ProgramResult limited = run_tinytpu_vp(arguments, input);
    EXPECT_EQ(limited.exit_code, 4) << words[0] << limited.error;
    EXPECT_LT(limited.seconds.count(), 3 * kTimeBudget) << words[0];
    arguments.erase(arguments.begin() + 1, arguments.begin() + 3);
    ProgramInput signalled = input;
    signalled.signal = SIGTERM;
    const ProgramResult ended = run_tinytpu_vp(arguments, signalled);
    EXPECT_THAT(ended.exit_code, AnyOf(130, 128 + SIGTERM)) << words[0] << ended.error;
    EXPECT_LT(ended.seconds.count(), 3 * kTimeBudget) << words[0];
  }
}

TEST_F(RoughUse, output_that_is_lost_so_is_told_of) {
  ProgramInput input;
  input.full_output = true;
  const ProgramResult result =
      run_tinytpu_vp({"run", "--timeout", "300ms", program(printing_program("1234567\n"))}, input);
  EXPECT_THAT(result.error,
              HasSubstr("the last 8 bytes of output to the standard output got lost: nobody took them when "
                        "the run was stopped"));
}

TEST_F(RoughUse, closed_standard_descriptors_are_not_taken_for_files) {
  for (const std::vector<int>& closed : {std::vector<int>{0}, {1}, {2}, {0, 1, 2}}) {
    ProgramInput input;
    input.closed = closed;
    const std::string stats = folder.path("run.json"), log = folder.path("run.log");
    const ProgramResult result = run_tinytpu_vp(
        {"run", "--stats", stats, "--log-file", log, "--log-level", "info", program(failing_program(0))}, input);
    EXPECT_EQ(result.exit_code, 0) << closed.size() << ' ' << closed[0];
    EXPECT_NO_THROW(nlohmann::json::parse(folder.read(stats)));
    EXPECT_THAT(folder.read(log), Not(HasSubstr("-- the guest")));
  }
}

TEST_F(RoughUse, a_file_that_may_not_grow_is_one_sentence_and_leaves_nothing_behind) {
  ProgramInput input;
  input.largest_file = 1000;
  const std::string elf = program(failing_program(0));
  const ProgramResult result = run_tinytpu_vp({"run", "-q", "--stats", folder.path("run.json"), elf}, input);
  expect_refused(result, "File too large");
  EXPECT_EQ(files_in_folder(), 1u) << "only the program";
}

TEST_F(RoughUse, a_number_that_no_double_holds_is_refused_by_report) {
  const std::string file = folder.write("big.json", R"({"values": {"a": {"value": 1e999}}})");
  expect_refused(run_tinytpu_vp({"report", file, "-o", folder.path("page.html")}),
                 "'" + file + "' holds a number that is out of range");
}

TEST_F(RoughUse, every_form_of_run_ends_at_a_limit_of_simulated_time) {
  const std::string tpu = folder.write("long.tpu", "activate.u.relu 0, 0, 1000000\nactivate.u.relu 0, 0, 1000000\n");
  const ProgramResult result = run_tinytpu_vp({"run", "--program", tpu, "--max-time", "1ms"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.out, HasSubstr("the limit of 1.000 ms simulated time was reached"));
  EXPECT_EQ(run_tinytpu_vp({"run", "--network", "784x504x10", "--max-time", "10us"}).exit_code, 4);
  EXPECT_EQ(run_tinytpu_vp({"run", "--network", "784x504x10", "--max-time", "10s"}).exit_code, 0);
}

TEST_F(RoughUse, an_empty_value_behind_the_equals_sign_is_the_empty_value) {
  const std::string elf = program(failing_program(0));
  EXPECT_EQ(run_tinytpu_vp({"run", "-q", "--uart-input=", elf}).exit_code, 0);
  expect_refused(run_tinytpu_vp({"run", "--max-time=", elf}), "--max-time: '' is not a time");
}

TEST_F(RoughUse, a_refused_value_is_quoted_at_80_characters_at_most) {
  const std::string elf = program(failing_program(0));
  for (const std::string& option : {"--set=bus.width=" + std::string(500, '9'), "--max-time=" + std::string(500, '9'),
                                    "--set=fidelity=" + std::string(500, 'x'), "--log-level=" + std::string(500, 'x'),
                                    "--serial=matmul=" + std::string(500, 'x'), "--" + std::string(500, 'x'),
                                    "--set=tpu.interrupt=" + std::string(500, 'x')}) {
    const ProgramResult result = run_tinytpu_vp({"run", option, elf});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_LT(result.error.size(), 300u) << result.error;
  }
}

TEST_F(RoughUse, a_time_that_rounds_to_nothing_is_refused) {
  const std::string elf = program(failing_program(0));
  expect_refused(run_tinytpu_vp({"run", "--max-time", "0.0001ps", elf}), "is less than the smallest time, 1ps");
}

TEST_F(RoughUse, a_configuration_that_no_run_would_take_is_not_written) {
  const std::string file = folder.path("machine.ini");
  const ProgramResult result = run_tinytpu_vp({"run", "--set", "uart0.base=0x80000000", "--dump-config", file});
  EXPECT_EQ(result.exit_code, 2) << result.error;
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(RoughUse, a_sweep_refuses_what_its_runs_would_refuse_before_it_starts) {
  const std::string points = folder.path("points");
  const std::vector<std::vector<std::string>> refused = {{"--network", "65x42x10", "--widths", "6,8"},
                                                         {"--network", "65x42x10", "--feed-gap", "0"},
                                                         {"--network", "65x42x10", "--trace-pc", "1"},
                                                         {"--timeout", "soon", program(failing_program(0))}};
  for (const std::vector<std::string>& command : refused) {
    std::vector<std::string> words = {"sweep", "--set", "bus.width=32,64", "-o", points, "--", "run"};
    words.insert(words.end(), command.begin(), command.end());
    EXPECT_EQ(run_tinytpu_vp(words).exit_code, 2) << command[0];
    EXPECT_FALSE(std::filesystem::exists(points));
  }
}

}  // namespace
}  // namespace vp
