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

  void expect_no_run(const Outcome& outcome, const std::string& part) {
    EXPECT_EQ(outcome.code, kExitUserError) << part;
    EXPECT_THAT(outcome.error, AllOf(StartsWith("tinytpu-vp: "), HasSubstr(part)));
    EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
  }

  TemporaryFolder folder_;
  std::string program_ = write_stand_in(folder_);
  std::string elf_ = write_program(folder_, "my program.elf", "code");
  std::string out_ = folder_.path("out");
};

TEST_F(SweepCommand, a_grid_runs_and_is_gathered) {
  const Outcome outcome = sweep({"--set", "cpu.quantum=1us,2us,4us", "--set", "bus.width=32,64"});
  EXPECT_EQ(outcome.code, kExitSuccess) << outcome.error;
  EXPECT_THAT(outcome.out,
              AllOf(StartsWith("6 points: 6 finished, 0 reused, 0 failed\n"), HasSubstr("/out/results.csv\n")));
  EXPECT_THAT(TemporaryFolder::read(out_ + "/results.csv"),
              HasSubstr("inputs,wall_seconds,cpu.quantum [ps],bus.width,"));
  EXPECT_THAT(sweep({"--set", "cpu.quantum=1us,2us,4us", "--set", "bus.width=32,64"}).out,
              StartsWith("6 points: 0 finished, 6 reused"));
}

TEST_F(SweepCommand, failing_points_give_exit_code_1_and_their_messages) {
  folder_.write("stand in", "#!/bin/sh\necho 'tinytpu-vp: broken' >&2\nexit 3\n");
  const Outcome failed = sweep({"--set", "bus.width=32,64"});
  EXPECT_EQ(failed.code, kExitCheckFailed);
  EXPECT_THAT(failed.out, HasSubstr("failed: bus.width=32\n  exit code 3: tinytpu-vp: broken\n  log: "));
}

TEST_F(SweepCommand, a_points_file_and_a_base_configuration_are_used) {
  const std::string points = folder_.write("my points.txt", "bus.width=32 # small\nbus.width=64 cpu.quantum=2us\n");
  const std::string config = folder_.write("base.ini", "[cpu]\nquantum = 5us\n");
  EXPECT_THAT(sweep({"--points", points, "--config", config}).out, StartsWith("2 points: 2 finished"));
  EXPECT_EQ(count_runs(folder_), 2u);
}

TEST_F(SweepCommand, a_changed_program_is_run_again) {
  EXPECT_THAT(sweep({"--set", "bus.width=32"}).out, StartsWith("1 point: 1 finished"));
  EXPECT_THAT(sweep({"--set", "bus.width=32"}).out, StartsWith("1 point: 0 finished, 1 reused"));
  write_program(folder_, "my program.elf", "other code");
  EXPECT_THAT(sweep({"--set", "bus.width=32"}).out, StartsWith("1 point: 1 finished"));
}

TEST_F(SweepCommand, an_edited_file_that_a_parameter_names_is_run_again) {
  const std::string input = folder_.write("keys.txt", "17");
  const std::vector<std::string> run = {"run", elf_, "--set", "uart0.input=" + input};
  EXPECT_THAT(sweep({"--set", "bus.width=64"}, run).out, StartsWith("1 point: 1 finished"));
  EXPECT_THAT(sweep({"--set", "bus.width=64"}, run).out, StartsWith("1 point: 0 finished, 1 reused"));
  folder_.write("keys.txt", "30");
  EXPECT_THAT(sweep({"--set", "bus.width=64"}, run).out, StartsWith("1 point: 1 finished"));
  const std::string table = TemporaryFolder::read(out_ + "/results.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3);
}

TEST_F(SweepCommand, an_edited_machine_is_run_again) {
  const std::string text = command({"machine"}).out;
  const std::string machine = folder_.write("m.ini", text);
  EXPECT_THAT(sweep({"--machine", machine}).out, StartsWith("1 point: 1 finished"));
  EXPECT_THAT(sweep({"--machine", machine}).out, StartsWith("1 point: 0 finished, 1 reused"));
  folder_.write("m.ini", text + "# edited\n");
  EXPECT_THAT(sweep({"--machine", machine}).out, StartsWith("1 point: 1 finished"));
}

TEST_F(SweepCommand, another_build_of_the_simulator_is_run_again) {
  sweep({"--set", "bus.width=64"});
  folder_.write("stand in", TemporaryFolder::read(program_) + "# another build\n");
  EXPECT_THAT(sweep({"--set", "bus.width=64"}).out, StartsWith("1 point: 1 finished"));
  const std::string table = TemporaryFolder::read(out_ + "/results.csv");
  EXPECT_THAT(table, StartsWith("point,status,end,reason,version,build,command,inputs,"));
  EXPECT_THAT(table, HasSubstr(",9.9.9,"));
}

TEST_F(SweepCommand, ranges_conditions_and_samples_make_the_points) {
  EXPECT_THAT(sweep({"--set", "tpu.matrix_width=2:16", "--where", "tpu.matrix_width * 8 <= 64"}).out,
              StartsWith("7 points: 7 finished"));
  EXPECT_THAT(sweep({"--set", "tpu.matrix_width=2:64", "--set", "bus.width=32,64", "--sample", "9", "--seed", "4"}).out,
              StartsWith("9 points: "));
  expect_no_run(sweep({"--set", "tpu.matrix_width=8", "--where", "tpu.matrix_width>9"}), "leave none of 1 point");
  expect_no_run(sweep({"--set", "tpu.matrix_width=8", "--where", "tpu.matrix_wdth>9"}),
                "did you mean 'tpu.matrix_width'?");
  expect_no_run(sweep({"--set", "tpu.matrix_width=8", "--where", "1 <"}), "--where '1 <': a value is missing");
  expect_no_run(sweep({"--set", "tpu.matrix_width=8", "--seed", "4"}), "--seed needs --sample N");
  expect_no_run(sweep({"--set", "tpu.matrix_width=8", "--sample", "2", "--sampling", "dice"}), "neither");
}

TEST_F(SweepCommand, programs_and_networks_are_axes) {
  const std::string other = write_program(folder_, "other.elf", "more code");
  EXPECT_THAT(sweep({"--set", "program=" + elf_ + "," + other}, {"run"}).out, StartsWith("2 points: 2 finished"));
  EXPECT_THAT(sweep({"--set", "network=8x4,8x8"}, {"run"}).out, StartsWith("2 points: 2 finished"));
  EXPECT_THAT(TemporaryFolder::read(folder_.path("runs.log")), HasSubstr("<--network><8x8>"));
  expect_no_run(sweep({"--set", "program=" + folder_.path("none.elf")}, {"run"}), "No such file");
  expect_no_run(sweep({"--set", "network=8x"}, {"run"}), "--network");
  expect_no_run(sweep({"--set", "network=8x4"}, {"run", "--network", "8x4"}), "network is swept and also given");
}

TEST_F(SweepCommand, report_writes_tables_with_chosen_columns) {
  sweep({"--set", "bus.width=32,64"});
  const std::string csv = folder_.path("t.csv"), lines = folder_.path("t.jsonl");
  EXPECT_EQ(command({"report", out_, "--csv", csv, "--jsonl", lines, "--columns", "bus.width,area,bus.bytes"}).code,
            kExitSuccess);
  EXPECT_EQ(TemporaryFolder::read(csv), "bus.width,area [mm2],bus.bytes [bytes]\r\n32,1,100\r\n64,1,100\r\n");
  EXPECT_THAT(TemporaryFolder::read(lines),
              StartsWith("{\"bus.width\":32,\"area [mm2]\":1,\"bus.bytes [bytes]\":100}\n"));
  const std::string run =
      folder_.write("run.json", R"({"groups":{"run":{"values":{"end":{"value":"=x"},"t":{"value":5,"unit":"ps"}}}}})");
  const std::string other =
      folder_.write("other.json", R"({"groups":{"run":{"values":{"t":{"value":6,"unit":"ps"}}}}})");
  EXPECT_EQ(command({"report", run, "--csv", "-"}).out, "run.end,run.t [ps]\r\n'=x,5\r\n");
  EXPECT_EQ(command({"report", run, other, "--csv", "-"}).out,
            "figure,unit,a,b,change [%]\r\nrun.end,,'=x,,\r\nrun.t,ps,5,6,20.0\r\n");
  expect_no_run(command({"report", out_, "--csv", csv, "--columns", "bus.wdth"}), "did you mean 'bus.width'?");
  expect_no_run(command({"report", out_, "--csv", csv, "-o", "x"}), "--output is for pages");
  expect_no_run(command({"report", out_, "--columns", "x"}), "--columns needs --csv or --jsonl");
}

TEST_F(SweepCommand, two_sweeps_or_runs_are_compared) {
  sweep({"--set", "bus.width=32,64"});
  const std::string page = folder_.path("c.html");
  const Outcome same = command({"report", out_, out_, "-o", page});
  EXPECT_THAT(same.out, HasSubstr("bus.width=32: 2 figures equal, 0 differ\n"));
  EXPECT_THAT(TemporaryFolder::read(page), HasSubstr("\"kind\":\"compare\""));
  const std::string run = folder_.write("run.json", R"({"values":{"t":{"value":5,"unit":"ps"},
      "host":{"value":1,"volatile":true}}})");
  const std::string other = folder_.write("other.json", R"({"values":{"t":{"value":6,"unit":"ps"},
      "host":{"value":2,"volatile":true}}})");
  EXPECT_THAT(command({"report", run, other, "-o", page}).out,
              StartsWith("0 figures equal, 1 differ\n  t: 5 -> 6 ps (+20 %)\n"));
  expect_no_run(command({"report", run, out_, "-o", page}), "is compared with another sweep only");
}

TEST_F(SweepCommand, parameters_without_effect_are_named) {
  EXPECT_THAT(sweep({"--set", "bus.width=32,64", "--set", "cpu.quantum=1us,2us"}).out,
              HasSubstr("note: no simulated figure differs between these 4 points: bus.width and cpu.quantum changed "
                        "nothing in this run\n"));
}

TEST_F(SweepCommand, wrong_use_is_one_sentence_before_anything_runs) {
  expect_refused(sweep({"--set", "cpu.quantun=1us"}), "did you mean 'cpu.quantum'?");
  expect_refused(sweep({"--set", "cpu.isa=rv64imac,rv48imac"}), "rv48imac");
  expect_refused(sweep({"--set", "bus.width"}), "expected name=value");
  expect_refused(sweep({"--set", "bus.width="}), "tinytpu-vp: --set bus.width: a value of the list is empty");
  expect_refused(sweep({"--set", "bus.width=32", "--set", "bus.width=64"}), "swept twice");
  expect_refused(sweep({"--set", "bus.width=32"}, {}), "the command to run is missing");
  expect_refused(sweep({"--set", "bus.width=32"}, {"check", "x"}), "only 'run' can be swept");
  expect_refused(sweep({"--set", "bus.width=32"}, {"run", elf_, "--stats", "s"}), "each point gets its own file");
  expect_refused(sweep({"--set", "bus.width=32"}, {"run", elf_, "--config=s"}), "give it before '--'");
  expect_refused(sweep({"--set", "bus.width=32"}, {"run", elf_, "--set", "bus.width=64"}), "also set behind '--'");
  expect_refused(sweep({"--set", "bus.width=32"}, {"run", elf_, "--set", "b=fail"}), "unknown parameter 'b'");
  expect_refused(sweep({"--set", "bus.width=32"}, {"run", elf_, "--trace", "t"}), "would write the same file");
  expect_refused(sweep({"--set", "bus.width=32"}, {"run", elf_, "--log-access", "tpu=t"}), "would write the same file");
  expect_refused(sweep({"--set", "bus.width=32"}, {"run", elf_, "--help"}), "--help behind '--'");
  expect_refused(sweep({"--set", "bus.width=32"}, {"run", elf_, "--quite"}), "did you mean '--quiet'?");
  expect_refused(sweep({"--set", "tpu.matrix_width=8"}, {"run", "--network", "8x4", "--widths", "6,8"}),
                 "--widths behind '--': sweep tpu.matrix_width instead");
  expect_refused(sweep({"--set", "tpu.matrix_width=8"}, {"run", "--widths", "6,8", elf_}), "--widths");
  expect_refused(sweep({"--set", "cpu.isa=rv32imac"}), "has 64 bits");
  expect_refused(sweep({"--set", "dram0.base=0x90000000"}), "is outside memory");
  expect_refused(sweep({"--set", "bus.width=64"}, {"run", elf_, elf_}), "more than one program");
  expect_refused(sweep({"--set", "bus.width=64"}, {"run", elf_, "--set", "uart0.output=f"}),
                 "would write the same file");
  expect_refused(sweep({"--set", "bus.width=64"}, {"run", elf_, "--set", "uart0.input=/none"}),
                 "there is no file '/none'");
  expect_refused(sweep({"--set", "bus.width=32"}, {"run"}), "no program given");
  expect_refused(sweep({"--set", "bus.width=32"}, {"run", folder_.path("none.elf")}), "No such file");
  expect_refused(sweep({"--set", "bus.width=32"}, {"run", folder_.write("bad.elf", "text")}), "bad.elf");
  expect_refused(sweep({"--set", "bus.width=32", "--jobs", "0"}), "--jobs");
  expect_refused(sweep({"--set", "bus.width=32", "--engine", "cloud"}), "--engine: 'cloud'");
  expect_refused(sweep({"--set", "bus.width=32", "--engine", "slrum"}), "did you mean 'slurm'?");
  expect_refused(sweep({"--set", "bus.width=32", "--chunk", "3"}), "--chunk has no meaning for --engine local");
  expect_refused(sweep({"--points", folder_.path("none")}), "No such file");
  expect_refused(sweep({"--points", folder_.write("p", "cpu.isa=rv16imac\n")}), "rv16imac");
  expect_refused(sweep({"--set", "bus.width=32", "--config", folder_.write("c.ini", "[cpu]\nnone = 1\n")}), "c.ini:2");
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
  const Outcome outcome = command({"sweep", "--set", "bus.width=32", "-o", "/proc/none", "--", "run", elf_});
  EXPECT_EQ(outcome.code, kExitUserError);
  EXPECT_THAT(outcome.error, StartsWith("tinytpu-vp: cannot make the folder '/proc/none"));
  EXPECT_THAT(command({"sweep", "--set", "bus.width=32", "--", "run", elf_}).error, HasSubstr("-o DIR"));
}

TEST_F(SweepCommand, report_writes_a_page_and_refuses_wrong_input) {
  sweep({"--set", "bus.width=32,64"});
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
