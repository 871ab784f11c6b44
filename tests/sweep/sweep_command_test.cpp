#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "platform/cli/command.h"
#include "platform/common/exit_code.h"
#include "tests/sweep/stand_in.h"

namespace vp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Outcome {
  int code;
  std::string out;
  std::string error;
};

class SweepCommand : public testing::Test {
 protected:
  static Outcome command(const std::vector<std::string>& words) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = run_command_line(words);
    return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
  }
  /// A sweep of the stand-in; `options` stand before "--", `run` behind it.
  Outcome sweep(const std::vector<std::string>& options) { return sweep(options, {"run", elf_}); }
  Outcome sweep(const std::vector<std::string>& options, const std::vector<std::string>& run) {
    std::vector<std::string> words = {"sweep", "--program", program_, "-o", out_, "--jobs", "2"};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back("--");
    words.insert(words.end(), run.begin(), run.end());
    return command(words);
  }
  /// One sentence, exit code 2, nothing run, no folder made.
  void expect_refused(const Outcome& outcome, const std::string& part) {
    EXPECT_EQ(outcome.code, kExitUserError);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.error, AllOf(StartsWith("tinytpu-vp: "), HasSubstr(part)));
    EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
    EXPECT_EQ(count_runs(folder_), 0u);
    EXPECT_FALSE(std::filesystem::exists(out_));
  }

  TemporaryFolder folder_;
  std::string program_ = write_stand_in(folder_);
  std::string elf_ = write_program(folder_, "my program.elf", "code");
  std::string out_ = folder_.path("out");
};

TEST_F(SweepCommand, a_grid_runs_and_is_gathered) {
  const Outcome outcome = sweep({"--set", "cpu.quantum=1us,2us,4us", "--set", "cpu.isa=rv32imac,rv64imac"});
  EXPECT_EQ(outcome.code, kExitSuccess) << outcome.error;
  EXPECT_THAT(outcome.out,
              AllOf(StartsWith("6 points: 6 finished, 0 reused, 0 failed\n"), HasSubstr("/out/results.csv\n")));
  EXPECT_THAT(TemporaryFolder::read(out_ + "/results.csv"),
              HasSubstr("point,status,wall_seconds,cpu.quantum,cpu.isa,"));
  EXPECT_THAT(sweep({"--set", "cpu.quantum=1us,2us,4us", "--set", "cpu.isa=rv32imac,rv64imac"}).out,
              StartsWith("6 points: 0 finished, 6 reused"));
}

TEST_F(SweepCommand, failing_points_give_exit_code_1_and_their_messages) {
  folder_.write("stand in", "#!/bin/sh\necho 'tinytpu-vp: broken' >&2\nexit 3\n");
  const Outcome failed = sweep({"--set", "cpu.isa=rv32imac,rv64imac"});
  EXPECT_EQ(failed.code, kExitCheckFailed);
  EXPECT_THAT(failed.out, HasSubstr("failed: cpu.isa=rv32imac\n  exit code 3: tinytpu-vp: broken\n  log: "));
}

TEST_F(SweepCommand, a_points_file_and_a_base_configuration_are_used) {
  const std::string points =
      folder_.write("my points.txt", "cpu.isa=rv32imac # small\ncpu.isa=rv64imac cpu.quantum=2us\n");
  const std::string config = folder_.write("base.ini", "[cpu]\nquantum = 5us\n");
  EXPECT_THAT(sweep({"--points", points, "--config", config}).out, StartsWith("2 points: 2 finished"));
  EXPECT_EQ(count_runs(folder_), 2u);
}

TEST_F(SweepCommand, a_changed_program_is_run_again) {
  EXPECT_THAT(sweep({"--set", "cpu.isa=rv32imac"}).out, StartsWith("1 point: 1 finished"));
  EXPECT_THAT(sweep({"--set", "cpu.isa=rv32imac"}).out, StartsWith("1 point: 0 finished, 1 reused"));
  write_program(folder_, "my program.elf", "other code");
  EXPECT_THAT(sweep({"--set", "cpu.isa=rv32imac"}).out, StartsWith("1 point: 1 finished"));
}

TEST_F(SweepCommand, wrong_use_is_one_sentence_before_anything_runs) {
  expect_refused(sweep({"--set", "cpu.quantun=1us"}), "did you mean 'cpu.quantum'?");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac,rv48imac"}), "rv48imac");
  expect_refused(sweep({"--set", "cpu.isa"}), "expected name=value");
  expect_refused(sweep({"--set", "cpu.isa="}), "tinytpu-vp: --set cpu.isa: a value of the list is empty");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac", "--set", "cpu.isa=rv64imac"}), "swept twice");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac"}, {}), "the command to run is missing");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac"}, {"check", "x"}), "only 'run' can be swept");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac"}, {"run", elf_, "--stats", "s"}), "each point gets its own file");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac"}, {"run", elf_, "--config=s"}), "give it before '--'");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac"}, {"run", elf_, "--set", "cpu.isa=rv64imac"}),
                 "also set behind '--'");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac"}, {"run", elf_, "--set", "b=fail"}), "unknown parameter 'b'");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac"}, {"run", elf_, "--trace", "t"}), "would write the same file");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac"}, {"run", elf_, "--help"}), "--help behind '--'");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac"}, {"run", elf_, "--quite"}), "did you mean '--quiet'?");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac"}, {"run"}), "no program given");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac"}, {"run", folder_.path("none.elf")}), "No such file");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac"}, {"run", folder_.write("bad.elf", "text")}), "bad.elf");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac", "--jobs", "0"}), "--jobs");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac", "--engine", "cloud"}), "--engine: 'cloud'");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac", "--engine", "slrum"}), "did you mean 'slurm'?");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac", "--chunk", "3"}), "--chunk has no meaning for --engine local");
  expect_refused(sweep({"--points", folder_.path("none")}), "No such file");
  expect_refused(sweep({"--points", folder_.write("p", "cpu.isa=rv16imac\n")}), "rv16imac");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac", "--config", folder_.write("c.ini", "[cpu]\nnone = 1\n")}),
                 "c.ini:2");
}

TEST_F(SweepCommand, a_sweep_of_what_changes_nothing_is_refused) {
  expect_refused(sweep({"--set", "traffic0.rate=1000,2000"}),
                 "traffic0.rate changes nothing at any point: traffic0.present is false");
  expect_refused(sweep({"--set", "dram0.page_policy=open,closed"}), "dram0.preset is fixed");
  const std::vector<std::string> network = {"run", "--network", "65x42x10"};
  expect_refused(sweep({"--set", "tpu.matrix_width=8,14", "--set", "dram0.preset=fixed,ddr3-1600"}, network),
                 "dram0.preset changes nothing at any point: the tinyTPU runs alone");
  expect_refused(sweep({"--set", "fidelity=functional,timed"}, network), "the tinyTPU runs alone");
  expect_refused(sweep({"--set", "tpu.matrix_width=14,8"}, {"run", "--network", "784x504x10"}),
                 "point tpu.matrix_width=8: run: at a matrix width of 8 the network needs 50400 rows");
  EXPECT_EQ(sweep({"--set", "dram0.page_policy=open,closed", "--set", "dram0.preset=fixed,ddr3-1600"}).code, 0);
}

TEST_F(SweepCommand, a_folder_that_cannot_be_written_is_one_sentence) {
  const Outcome outcome = command({"sweep", "--set", "cpu.isa=rv32imac", "-o", "/proc/none", "--", "run", elf_});
  EXPECT_EQ(outcome.code, kExitUserError);
  EXPECT_THAT(outcome.error, StartsWith("tinytpu-vp: cannot make the folder '/proc/none"));
  EXPECT_THAT(command({"sweep", "--set", "cpu.isa=rv32imac", "--", "run", elf_}).error, HasSubstr("-o DIR"));
}

TEST_F(SweepCommand, report_writes_a_page_and_refuses_wrong_input) {
  sweep({"--set", "cpu.isa=rv32imac,rv64imac"});
  const std::string page = folder_.path("r.html");
  EXPECT_EQ(command({"report", out_, "-o", page}).code, kExitSuccess);
  EXPECT_THAT(TemporaryFolder::read(page), StartsWith("<!doctype html>"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"report"},
        {"report", folder_.path("none.json")},
        {"report", out_, "-o", "/proc/none/r.html"},
        {"report", folder_.write("cut.json", "{\"values\": {"), "-o", folder_.path("cut.html")}}) {
    const Outcome outcome = command(words);
    EXPECT_EQ(outcome.code, kExitUserError);
    EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path("cut.html")));
}

}  // namespace
}  // namespace vp
