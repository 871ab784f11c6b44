// The log of accesses to registers, as a user asks for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "platform/report/volatile_figures.h"
#include "tests/platform/temporary_folder.h"
#include "tests/system/program.h"
#include "tests/system/small_programs.h"

namespace vp {
namespace {

using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

struct AccessLogTest : testing::Test {
  ProgramResult run(const std::string& elf, std::vector<std::string> options, const ProgramInput& input = {}) {
    options.insert(options.begin(), {"run", "-q"});
    options.push_back(folder.write("program.elf", elf));
    return run_tinytpu_vp(options, input);
  }
  /// The log that `--log-access SUBJECTS` writes of a run that is to succeed.
  std::string log_of(const std::string& elf, const std::string& subjects, std::vector<std::string> options = {},
                     const char* name = "log") {
    options.insert(options.end(), {"--log-access", subjects + "=" + folder.path(name)});
    const ProgramResult result = run(elf, options);
    EXPECT_EQ(result.exit_code, 0) << result.error;
    return TemporaryFolder::read(folder.path(name));
  }
  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }
  static std::vector<nlohmann::json> objects_of(const std::string& text) {
    std::vector<nlohmann::json> objects;
    for (const std::string& line : lines_of(text)) objects.push_back(nlohmann::json::parse(line));
    return objects;
  }
  TemporaryFolder folder;
};

TEST_F(AccessLogTest, a_line_has_time_master_pc_symbol_direction_register_value_result_and_fields) {
  const std::string log = log_of(printing_program("A"), "uart0,finisher");
  EXPECT_THAT(lines_of(log)[0], testing::MatchesRegex(" +[0-9]+\\.[0-9]{3}  cpu 0x80000014 \\(start\\+0x14\\) +write  "
                                                      "uart0\\.THR +0x41 +ok"));
  EXPECT_THAT(log, ContainsRegex("write  finisher\\.FINISHER +0x00005555 +ok  STATUS=pass\n"));
  EXPECT_EQ(lines_of(log).size(), 2u);
}

TEST_F(AccessLogTest, a_line_for_programs_is_a_json_object_with_the_same) {
  for (const bool by_name : {true, false}) {
    const auto objects =
        by_name ? objects_of(log_of(printing_program("A"), "uart0,finisher", {}, "log.jsonl"))
                : objects_of(log_of(printing_program("A"), "uart0,finisher", {"--log-access-format", "json"}));
    ASSERT_EQ(objects.size(), 2u);
    EXPECT_EQ(objects[0]["event"], "access");
    EXPECT_GT(objects[0]["time_ps"], 0);
    EXPECT_EQ(objects[0]["master"], "cpu");
    EXPECT_EQ(objects[0]["pc"], "0x80000014");
    EXPECT_EQ(objects[0]["symbol"], "start+0x14");
    EXPECT_EQ(objects[0]["access"], "write");
    EXPECT_EQ(objects[0]["part"], "uart0");
    EXPECT_EQ(objects[0]["register"], "THR");
    EXPECT_EQ(objects[0]["offset"], "0x0");
    EXPECT_EQ(objects[0]["size"], 1);
    EXPECT_EQ(objects[0]["value"], "0x41");
    EXPECT_EQ(objects[0]["result"], "ok");
    EXPECT_EQ(objects[1]["fields"]["STATUS"], 0x5555);
  }
}

TEST_F(AccessLogTest, an_access_that_is_refused_says_so_and_what_is_near) {
  const ProgramResult result = run(unaligned_program(0x0200'0000, 0x100), {"--log-access", "clint"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.error,
              ContainsRegex("read   clint\\+0x00000100 \\([0-9]+ bytes after MSIP\\) +- +address error\n"));
}

TEST_F(AccessLogTest, a_part_of_a_register_shows_its_bits) {
  const std::string log = run(byte_of_mtime_program(), {"--log-access", "clint"}).error;
  EXPECT_THAT(log, ContainsRegex("read   clint\\.MTIME bits 7:0 +- +address error\n"));
}

/// Raises the software interrupt of its own hart by the CLINT and takes it back.
std::string software_interrupt_program() {
  return program_of({
      0x020002b7,  // lui  t0,0x2000
      0x00100313,  // li   t1,1
      0x0062a023,  // sw   t1,0(t0)    MSIP
      0x0002a023,  // sw   zero,0(t0)
      0x001002b7,  // lui  t0,0x100
      0x00005337,  // lui  t1,0x5
      0x55530313,  // addi t1,t1,0x555
      0x0062a023,  // sw   t1,0(t0)
      0x0000006f,  // j    .
  });
}

TEST_F(AccessLogTest, an_edge_that_an_access_causes_stands_behind_it_with_its_time) {
  const std::vector<std::string> lines = lines_of(log_of(software_interrupt_program(), "clint"));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_THAT(lines[0], ContainsRegex("write  clint\\.MSIP +0x00000001 +ok  MSIP=1"));
  EXPECT_THAT(lines[1], ContainsRegex("^ +[0-9.]+  line clint -> cpu\\.MSIP rises$"));
  EXPECT_THAT(lines[2], HasSubstr("write  clint.MSIP "));
  EXPECT_THAT(lines[3], HasSubstr("line clint -> cpu.MSIP falls"));
  EXPECT_EQ(lines[0].substr(0, 16), lines[1].substr(0, 16));
  EXPECT_LT(lines[0].substr(0, 16), lines[2].substr(0, 16));
}

TEST_F(AccessLogTest, an_edge_has_the_time_of_its_access_also_if_only_its_other_end_is_logged) {
  const std::string elf = program_of({
      0x100002b7,  // lui  t0,0x10000
      0x00200313,  // li   t1,2
      0x006280a3,  // sb   t1,1(t0)    IER: transmitter empty, which it is
      0x001002b7,  // lui  t0,0x100
      0x00005337,  // lui  t1,0x5
      0x55530313,  // addi t1,t1,0x555
      0x0062a023,  // sw   t1,0(t0)
      0x0000006f,  // j    .
  });
  const auto uart = objects_of(log_of(elf, "uart0", {}, "uart.jsonl"));
  const auto plic = objects_of(log_of(elf, "plic", {}, "plic.jsonl"));
  ASSERT_EQ(uart.size(), 2u);
  ASSERT_EQ(plic.size(), 1u);
  EXPECT_EQ(uart[0]["register"], "IER");
  EXPECT_EQ(plic[0]["from"], "uart0.interrupt");
  EXPECT_EQ(plic[0]["to"], "plic:10");
  EXPECT_EQ(plic[0]["time_ps"], uart[0]["time_ps"]);
}

TEST_F(AccessLogTest, filters_choose_register_direction_and_instructions) {
  const std::string elf = echo_program();
  ProgramInput typed;
  typed.text = "ab\n";
  const auto log = [&](const std::string& subjects, std::vector<std::string> options) {
    options.insert(options.end(), {"--log-access", subjects + "=" + folder.path("log.jsonl")});
    EXPECT_EQ(run(elf, options, typed).exit_code, 0);
    return objects_of(TemporaryFolder::read(folder.path("log.jsonl")));
  };
  const std::size_t all = log("uart0", {}).size();
  const auto status = log("uart0.lsr", {});
  EXPECT_FALSE(status.empty());
  for (const auto& line : status) EXPECT_EQ(line["register"], "LSR");
  const auto two = log("uart0.THR,uart0.rbr", {});
  EXPECT_EQ(two.size(), 6u) << "three characters in, three out";
  const auto reads = log("uart0", {"--log-access-direction", "read"});
  const auto writes = log("uart0", {"--log-access-direction", "write"});
  for (const auto& line : reads) EXPECT_EQ(line["access"], "read");
  for (const auto& line : writes) EXPECT_EQ(line["access"], "write");
  EXPECT_EQ(reads.size() + writes.size(), all);
  const auto at = log("uart0", {"--log-access-pc", "0x8000001c"});
  ASSERT_EQ(at.size(), 3u);
  for (const auto& line : at) EXPECT_EQ(line["pc"], "0x8000001c");
  EXPECT_EQ(log("uart0", {"--log-access-pc", "start"}).size(), all);
}

TEST_F(AccessLogTest, a_log_changes_no_figure_of_the_run) {
  const std::string elf = printing_program("a longer text, to have something to log\n");
  const auto figures = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"--stats", folder.path("stats.json")});
    EXPECT_EQ(run(elf, options).exit_code, 0);
    nlohmann::json tree = nlohmann::json::parse(TemporaryFolder::read(folder.path("stats.json")));
    tree["groups"].erase("provenance");
    for (const char* name : {"wall_time", "mips"}) tree["groups"]["run"]["values"].erase(name);
    return tree;
  };
  for (const char* mode : {"functional", "timed"}) {
    const std::string fidelity = std::string("fidelity=") + mode;
    EXPECT_EQ(figures({"--set", fidelity}), figures({"--set", fidelity, "--log-access", "all=" + folder.path("log")}));
  }
}

TEST_F(AccessLogTest, what_cannot_be_logged_is_refused_in_one_sentence) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--log-access", "dram0"}, "dram0 is memory, which masters mostly reach by host pointers"},
      {{"--log-access", "uart9"}, "'uart9' is no part with a window on the bus: did you mean 'uart"},
      {{"--log-access", "uart0.LCD"}, "uart0 has no register 'LCD': did you mean 'LCR'?"},
      {{"--log-access", "uart0."}, "'uart0.' names no register"},
      {{"--log-access", "uart0,,tpu"}, "names no part"},
      {{"--log-access", "=file"}, "names no part"},
      {{"--log-access", "all", "--log-access-format", "xml"}, "--log-access-format: 'xml' is neither text nor json"},
      {{"--log-access", "all", "--log-access-direction", "up"},
       "--log-access-direction: 'up' is neither read nor write"},
      {{"--log-access", "all", "--log-access-pc", "nowhere"}, "--log-access-pc: 'nowhere' is neither an address nor"},
      {{"--log-access-pc", "start"}, "--log-access-pc needs --log-access"},
      {{"--log-access", "all=/nowhere/log"}, "/nowhere/log"},
  };
  for (const auto& [options, sentence] : cases) {
    const ProgramResult result = run(spinning_program(), options);
    EXPECT_EQ(result.exit_code, 2) << sentence;
    EXPECT_THAT(result.error, HasSubstr(sentence));
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
  }
  const ProgramResult alone = run_tinytpu_vp({"run", "--network", "8x8", "--log-access", "tpu"});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.error, HasSubstr("--log-access is for programs of the CPU"));
}

TEST_F(AccessLogTest, a_full_disk_is_the_users_error) {
  EXPECT_EQ(run(printing_program("A"), {"--log-access", "uart0=/dev/full"}).exit_code, 2);
}

#ifdef TINYTPU_VP_HAS_FIRMWARE
TEST_F(AccessLogTest, an_interrupt_is_seen_from_its_edge_to_its_completion) {
  const std::string log = folder.path("log.jsonl");
  ASSERT_EQ(run_tinytpu_vp({"run", "-q", "--log-access", "tpu,plic=" + log, firmware("digits64")}).exit_code, 0);
  std::vector<std::string> story;
  std::uint64_t edge = 0, claim = 0;
  for (const std::string& line : lines_of(TemporaryFolder::read(log))) {
    if (line.find("\"event\":\"access\"") != std::string::npos) continue;
    const auto one = nlohmann::json::parse(line);
    if (story.size() < 5)
      story.push_back(one["event"].get<std::string>() + " " + one.value("from", "") + " " + one.value("to", "") + " " +
                      (one.contains("level") ? one["level"].dump() : ""));
    if (edge == 0) edge = one["time_ps"];
    if (claim == 0 && one["event"] == "claim") claim = one["time_ps"];
  }
  ASSERT_EQ(story.size(), 5u);
  EXPECT_EQ(story[0], "line tpu.interrupt plic:1 1");
  EXPECT_EQ(story[1], "line plic cpu.MEIP 1");
  EXPECT_THAT(story, testing::Contains("claim tpu.interrupt  "));
  EXPECT_THAT(story, testing::Contains("line plic cpu.MEIP 0"));
  EXPECT_GT(claim, edge);
}

TEST_F(AccessLogTest, accesses_of_the_instructions_of_a_tinytpu_have_the_drivers_symbols) {
  const std::string log = folder.path("log");
  ASSERT_EQ(
      run_tinytpu_vp({"run", "-q", "--log-access", "tpu.INSTRUCTION_UPPER=" + log, firmware("digits64")}).exit_code, 0);
  const std::vector<std::string> lines = lines_of(TemporaryFolder::read(log));
  EXPECT_GT(lines.size(), 100u);
  EXPECT_THAT(lines, Each(ContainsRegex("cpu 0x8[0-9a-f]+ \\([a-z_]+.*\\) +write  tpu\\.INSTRUCTION_UPPER")));
}
#endif

}  // namespace
}  // namespace vp
