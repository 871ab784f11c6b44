// What a run says about itself: the text, where it comes from, and what of it may differ between two runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "platform/report/volatile_figures.h"
#include "tests/platform/temporary_folder.h"
#include "tests/system/program.h"
#include "tests/system/small_programs.h"

namespace vp {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using Options = std::vector<std::string>;

struct ReportText : testing::Test {
  static ProgramResult run(const std::string& program, Options options = {}) {
    options.insert(options.begin(), {"run", program, "--uart-output", ""});
    return run_tinytpu_vp(options);
  }
  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
  nlohmann::json statistics(const std::string& program, Options options = {}) {
    const std::string file = folder.path("stats.json");
    options.insert(options.end(), {"-q", "--stats", file});
    EXPECT_EQ(run(program, options).exit_code, 0);
    return nlohmann::json::parse(TemporaryFolder::read(file));
  }
  TemporaryFolder folder;
};

TEST_F(ReportText, is_six_lines_for_a_run_that_went_well) {
  const std::vector<std::string> lines = lines_of(run(firmware("hello64")).error);
  ASSERT_THAT(lines, SizeIs(6));
  EXPECT_THAT(lines, Each(StartsWith("-- ")));
  EXPECT_THAT(lines[0], ContainsRegex("^-- the guest ended the run with success \\(exit code 0\\) after [0-9.]+ ms$"));
  EXPECT_THAT(lines[1],
              ContainsRegex("^-- cpu: busy [0-9.]+ %, waiting for the bus .*, for memory .*, asleep [0-9.]+ %; "
                            "[0-9,]+ instructions$"));
  EXPECT_EQ(lines[2], "-- tpu: no program");
  EXPECT_THAT(lines[3], StartsWith("-- bounded by cpu: cpu executing instructions, "));
  EXPECT_EQ(lines[4], "-- hazards: none");
  EXPECT_THAT(
      lines[5],
      ContainsRegex(
          "^-- [0-9.]+ s of wall time, [0-9.,]+ MIPS (by generated code|interpreted); every figure: --report full, "));
}

TEST_F(ReportText, works_without_an_array_and_with_several) {
  const std::string none = run(firmware("hello64"), {"--set", "tpu.present=false"}).error;
  EXPECT_THAT(none, AllOf(Not(HasSubstr("-- tpu")), Not(HasSubstr("hazards")),
                          HasSubstr("-- bounded by sleep: cpu asleep with nothing else at work")));
  const std::string two =
      run(firmware("hello64"), {"--set", "tpu1.kind=tinytpu", "--set", "tpu1.base=0x46000000"}).error;
  EXPECT_THAT(two, AllOf(HasSubstr("-- tpu: no program\n"), HasSubstr("-- tpu1: no program\n")));
}

TEST_F(ReportText, full_has_every_figure_in_the_same_notation_and_none_has_nothing) {
  const ProgramResult full = run(firmware("digits64"), {"--report", "full"});
  EXPECT_THAT(full.error, ContainsRegex("\ncpu\\.instructions +[0-9]{3},[0-9]{3} +instructions retired\n"));
  EXPECT_THAT(full.error, Not(ContainsRegex("[0-9]e\\+[0-9]")));
  EXPECT_EQ(run(firmware("hello64"), {"--report", "none"}).error, "");
  const ProgramResult wrong = run(firmware("hello64"), {"--report", "long"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.error, HasSubstr("'long' is none of none, brief and full"));
}

TEST_F(ReportText, the_time_in_which_the_host_fed_too_slowly_is_booked) {
  const ProgramResult result = run_tinytpu_vp({"run", firmware("digits64"), "--stats", folder.path("stats.json")});
  const nlohmann::json tpu = nlohmann::json::parse(folder.read(folder.path("stats.json")))["groups"]["tpu"]["groups"];
  std::smatch told;
  ASSERT_TRUE(std::regex_search(result.out, told, std::regex("TPU: ([0-9]+) cycles")));
  const nlohmann::json& runtime = tpu["runtime"]["values"];
  EXPECT_EQ(runtime["sum"]["value"], std::stoul(told[1])) << "the program's own sum of the counter's readings";
  std::uint64_t program = 0;
  for (const auto& [cause, cycles] : tpu["cycles"]["groups"]["held_up_by"]["values"].items())
    if (cause != "idle") program += cycles["value"].get<std::uint64_t>();
  EXPECT_EQ(program, runtime["sum"]["value"].get<std::uint64_t>() + runtime["count"]["value"].get<std::uint64_t>());
  const nlohmann::json& multiply = tpu["cycles"]["groups"]["matrix_multiply"];
  EXPECT_GT(multiply["groups"]["stall_cause"]["values"]["waiting_for_host"]["value"], program / 3);
  EXPECT_THAT(result.error, HasSubstr("\n-- bounded by host feed: cpu executing instructions, "));
}

TEST_F(ReportText, says_where_it_comes_from) {
  const std::string program = folder.write("abc.elf", failing_program(0));
  const nlohmann::json first = statistics(program)["groups"]["provenance"]["values"];
  EXPECT_EQ(first["program"]["value"], program);
  EXPECT_THAT(first["program_sha256"]["value"].get<std::string>(), testing::MatchesRegex("[0-9a-f]{64}"));
  EXPECT_THAT(first["command_line"]["value"].get<std::string>(),
              HasSubstr(" run " + program + " --uart-output '' -q --stats "));
  EXPECT_THAT(first["build"]["value"].get<std::string>(), testing::MatchesRegex("[0-9a-f]{40}"));
  EXPECT_THAT(first["date"]["value"].get<std::string>(),
              testing::MatchesRegex("20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
  EXPECT_NE(statistics(firmware("hello64"))["groups"]["provenance"]["values"]["program_sha256"],
            first["program_sha256"]);
}

TEST_F(ReportText, two_runs_differ_in_nothing_but_the_volatile_figures) {
  nlohmann::json one = statistics(firmware("hello64")),
                 other = statistics(firmware("hello64"), {"--log-level", "error"});
  EXPECT_NE(one, other) << "the command line, at least";
  remove_volatile_figures(one);
  remove_volatile_figures(other);
  EXPECT_EQ(one, other);
  EXPECT_TRUE(one["groups"]["run"]["values"].contains("simulated_time"));
  for (const char* name : {"wall_time", "mips"}) EXPECT_FALSE(one["groups"]["run"]["values"].contains(name)) << name;
  EXPECT_FALSE(one["groups"]["cpu"]["values"].contains("synchronisations"));
  EXPECT_TRUE(one["groups"]["provenance"]["values"].empty());
}

}  // namespace
}  // namespace vp
