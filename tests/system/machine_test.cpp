// Machines that a user composes, and kinds of parts from shared libraries.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "platform/report/volatile_figures.h"
#include "tests/platform/temporary_folder.h"
#include "tests/system/program.h"
#include "tests/system/small_programs.h"

namespace vp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

std::string plugin(const std::string& name) { return VP_BINARY_DIR "/tests/board/plugin_" + name + ".so"; }

/// Switches a lamp at 0x30000000 on and ends with its colour.
std::string lamp_program() {
  return program_of({
      0x300002b7,  // lui  t0,0x30000
      0x00100313,  // li   t1,1
      0x0062a023,  // sw   t1,0(t0)
      0x0042a383,  // lw   t2,4(t0)
      0x01039393,  // slli t2,t2,16
      0x00003e37,  // lui  t3,0x3
      0x333e0e13,  // addi t3,t3,0x333
      0x01c3e3b3,  // or   t2,t2,t3
      0x001002b7,  // lui  t0,0x100
      0x0072a023,  // sw   t2,0(t0)
      0x0000006f,  // j    .
  });
}

class Composed : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& content) {
    std::ofstream(folder_.path(name), std::ios::binary) << content;
    return folder_.path(name);
  }
  ProgramResult run(std::vector<std::string> options, const std::string& program) {
    options.insert(options.begin(), {"run", "-q"});
    options.push_back(program);
    return run_tinytpu_vp(options);
  }
  /// Figures of a run, without what was asked for and the host's speed.
  Json figures(std::vector<std::string> options, const std::string& program) {
    options.insert(options.end(), {"--stats", folder_.path("stats.json")});
    EXPECT_EQ(run(options, program).exit_code, 0);
    Json groups = Json::parse(TemporaryFolder::read(folder_.path("stats.json")))["groups"];
    for (auto& group : groups) remove_volatile_figures(group);
    groups.erase("configuration");
    return groups;
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& part) {
    const ProgramResult result = run_tinytpu_vp(arguments);
    EXPECT_EQ(result.exit_code, 2) << part;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.error, HasSubstr(part));
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
  }

  TemporaryFolder folder_;
  std::string program_ = file("end.elf", ending_program());
};

const std::vector<std::string> kMore = {
    "--set", "tpu1.kind=tinytpu",     "--set", "tpu1.base=0x46000000",  "--set", "tpu1.interrupt=plic1:20",
    "--set", "tpu1.matrix_width=8",   "--set", "plic1.kind=plic",       "--set", "plic1.base=0x20000000",
    "--set", "dram2.kind=memory",     "--set", "dram2.base=0xA0000000", "--set", "dram3.kind=memory",
    "--set", "dram3.base=0xE0000000", "--set", "uart1.present=false",   "--set", "traffic0.present=true",
    "--set", "traffic1.present=true", "--set", "traffic2.kind=traffic", "--set", "traffic2.base=0xA0000000"};

TEST_F(Composed, parts_are_added_and_left_out_on_the_command_line) {
  const Json groups = figures(kMore, program_);
  for (const char* part : {"tpu", "tpu1", "plic1", "dram3", "traffic0", "traffic1", "traffic2"})
    EXPECT_TRUE(groups.contains(part)) << part;
  EXPECT_FALSE(groups.contains("uart1"));
}

TEST_F(Composed, the_machine_that_is_printed_gives_the_same_figures) {
  std::vector<std::string> words = {"machine"};
  words.insert(words.end(), kMore.begin(), kMore.end());
  const std::string machine = file("m.ini", run_tinytpu_vp(words).out);
  EXPECT_EQ(figures({"--machine", machine}, program_), figures(kMore, program_));
}

TEST_F(Composed, dumped_settings_make_the_machine_again) {
  const std::string machine = file("m.ini",
                                   "[cpu]\nkind = cpu\n[rom]\nkind = bootrom\nbase = 0x1000\n[end]\nkind = finisher\n"
                                   "base = 0x100000\n[ram]\nkind = memory\nbase = 0x80000000\nlatency = 70ns\n");
  const std::string dumped = folder_.path("dumped.ini");
  const Json reference = figures({"--machine", machine, "--dump-config", dumped}, program_);
  EXPECT_TRUE(reference.contains("ram"));
  EXPECT_EQ(figures({"--machine", dumped}, program_), reference);
  EXPECT_EQ(figures({"--config", dumped}, program_), reference);
}

TEST_F(Composed, no_name_of_a_part_is_taken_by_the_run_itself) {
  const std::string program = file("end.elf", ending_program());
  for (const char* name : {"stop_signal", "abandon_access", "patience_over"}) {
    const ProgramResult result =
        run({"--set", std::string(name) + ".kind=uart", "--set", std::string(name) + ".base=0x20000000"}, program);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.error, "");
  }
}

TEST_F(Composed, a_program_needs_a_cpu_and_memory) {
  const std::string nothing = file("nothing.ini", "[uart0]\nkind = uart\nbase = 0x10000000\n");
  expect_refused({"run", "--machine", nothing, program_}, "the machine has no CPU to run a program on");
  const std::string no_memory = file("empty.ini", "[cpu]\nkind = cpu\n[rom]\nkind = bootrom\nbase = 0x1000\n");
  expect_refused({"run", "--machine", no_memory, program_}, "0x80000000");
  expect_refused({"run", "--machine", nothing, "--network", "10x10"}, "the machine has no tinyTPU");
}

TEST_F(Composed, sentences_name_what_is_wrong) {
  expect_refused({"run", "--set", "tpu1.kind=tinytpu", program_}, "tpu1 has no place in the address space");
  expect_refused({"machine", "--set", "tpu.interrupt=plic7:3"}, "no part plic7");
  expect_refused({"machine", "--machine", folder_.path("none.ini")}, "none.ini");
  expect_refused({"machine", "--table", "--kinds"}, "exclude each other");
}

TEST_F(Composed, params_show_the_parts_that_are_added) {
  const ProgramResult result = run_tinytpu_vp({"params", "--set", "tpu1.kind=tinytpu", "tpu1"});
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("tpu1.matrix_width"), HasSubstr("tpu1.interrupt"), HasSubstr("default none")));
}

TEST_F(Composed, a_plug_in_brings_a_kind) {
  const std::string program = file("lamp.elf", lamp_program());
  for (const bool before : {true, false}) {
    std::vector<std::string> words = {"run",     "-q",
                                      "--stats", "-",
                                      "--set",   "lamp0.kind=lamp",
                                      "--set",   "lamp0.base=0x30000000",
                                      "--set",   "lamp0.colour=5",
                                      program};
    words.insert(before ? words.begin() : words.begin() + 1, {"--plugin", plugin("lamp")});
    const ProgramResult result = run_tinytpu_vp(words);
    EXPECT_EQ(result.exit_code, 5) << result.error;
    EXPECT_EQ(Json::parse(result.out)["groups"]["lamp0"]["values"]["switched"]["value"], 1);
  }
}

TEST_F(Composed, a_library_that_is_no_plug_in_of_this_version_is_refused) {
  expect_refused({"--plugin", plugin("old"), "machine"}, "it was built for tinytpu-vp 0.0.1");
  expect_refused({"--plugin", plugin("silent"), "machine"}, "it is no plug-in");
  expect_refused({"--plugin", plugin("unresolved"), "machine"},
                 "it cannot be loaded: it needs vp::name_from_nowhere(), which this program does not have");
  expect_refused({"--plugin", plugin("taken"), "machine"}, "the kind 'uart', which there is already");
  expect_refused({"--plugin", folder_.path("none.so"), "machine"}, "there is no such file");
  expect_refused({"--plugin", program_, "machine"}, "it cannot be loaded");
  expect_refused({"machine", "--plugin", plugin("lamp"), "--plugin", plugin("lamp")}, "which there is already");
}

TEST_F(Composed, machines_parts_and_plug_ins_are_swept) {
  const std::string usual = file("a.ini", run_tinytpu_vp({"machine"}).out);
  const std::string small = file("b.ini", run_tinytpu_vp({"machine", "--set", "tpu.present=false"}).out);
  const ProgramResult result = run_tinytpu_vp(
      {"--plugin", plugin("lamp"), "sweep", "--machine", usual + "," + small, "--set", "lamp0.kind=lamp", "--set",
       "lamp0.base=0x30000000", "--set", "lamp0.present=false,true", "-o", folder_.path("out"), "--", "run", program_});
  EXPECT_THAT(result.out, HasSubstr("4 points: 4 finished")) << result.error;
  const std::string table = TemporaryFolder::read(folder_.path("out/results.csv"));
  EXPECT_THAT(table, AllOf(HasSubstr("machine"), HasSubstr("b.ini"), HasSubstr("lamp0.present")));
}

TEST_F(Composed, the_default_machine_given_as_a_file_is_the_same_point) {
  const std::string usual = file("a.ini", run_tinytpu_vp({"machine"}).out);
  const std::string copy = file("b.ini", TemporaryFolder::read(usual));
  const ProgramResult result =
      run_tinytpu_vp({"sweep", "--machine", usual + "," + copy, "-o", folder_.path("out"), "--", "run", program_});
  EXPECT_THAT(result.out, HasSubstr("1 point: 1 finished"));
  EXPECT_THAT(result.error, HasSubstr("1 point left out"));
}

}  // namespace
}  // namespace vp
