#include "models/matmul/script_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "models/matmul/script_report.h"

namespace vp::matmul {
namespace {

using testing::HasSubstr;

const std::string kHead =
    "===META 2 2\n===DATA\nB 0x100 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n"
    "A 0x200 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n";

CoreConfig fast_line() {
  CoreConfig config;
  config.symbol_clocks = 16;
  return config;
}

ScriptResult run(ScriptRunner& runner, const std::string& text, std::uint64_t limit = 0) {
  return runner.run(parse_script(text, "s.txt", runner.core().config()), limit);
}

std::string report(const ScriptResult& result, const CoreConfig& config) {
  std::ostringstream out;
  print(out, result, config, 8000);
  return out.str();
}

TEST(MatmulScriptRunner, a_product_comes_back_with_its_cycles) {
  ScriptRunner runner(CoreConfig{});
  const ScriptResult result =
      run(runner, kHead + "===TEXT\nLOAD 0x100\nCOMP 0x200 0x200 0x300\nWRITE 0x300 0xab\nTERM\n");
  EXPECT_EQ(result.end, ScriptEnd::finished);
  ASSERT_EQ(result.messages.size(), 1u);
  EXPECT_EQ(result.messages[0].message.header, 0xab);
  EXPECT_EQ(result.messages[0].message.words[15], 32);
  EXPECT_EQ(result.messages[0].end - result.messages[0].first_start + 1, 748719u);  // time on the wire
  ASSERT_EQ(result.runs[0].size(), 1u);
  std::vector<std::uint64_t> cycles;
  for (const InstructionRecord& instruction : result.runs[0][0].instructions) cycles.push_back(*instruction.cycles);
  EXPECT_THAT(cycles, testing::ElementsAre(10, 11, 77, 1));
  EXPECT_TRUE(result.errata.empty());
}

TEST(MatmulScriptRunner, memory_and_banks_persist_from_script_to_script) {
  ScriptRunner runner(fast_line());
  run(runner, kHead + "===TEXT\nLOAD 0x100\nTERM\n");
  const ScriptResult second = run(runner, "===META 2 2===TEXT COMP 0x200 0x100 0x300 WRITE 0x300 1 TERM");
  ASSERT_EQ(second.messages.size(), 1u);
  EXPECT_EQ(second.messages[0].message.words[0], 2);
}

TEST(MatmulScriptRunner, a_late_load_hang_is_detected_and_ends_the_run) {
  CoreConfig config;
  config.symbol_clocks = 3;  // so that thread 1 is loaded while thread 0 computes
  ScriptRunner runner(config);
  std::string text = kHead + "===TEXT\n";
  for (int i = 0; i < 120; ++i) text += "LOAD 0x100\nCOMP 0x200 0x200 0x300\n";
  const ScriptResult result = run(runner, text + "TERM\n===TEXT\nLOAD 0x100\nLOAD 0x100\nLOAD 0x100\nTERM\n");
  EXPECT_EQ(result.end, ScriptEnd::hang);
  ASSERT_FALSE(result.errata.empty());
  EXPECT_EQ(result.errata[0].kind, ErrataEvent::Kind::late_load_hang);
  EXPECT_THAT(report(result, runner.core().config()), HasSubstr("hang: thread"));
  EXPECT_THAT(report(result, runner.core().config()), HasSubstr("errata: late_load_hang"));
}

TEST(MatmulScriptRunner, a_program_without_term_is_found_endless) {
  ScriptRunner runner(fast_line());
  std::string text = kHead + "===TEXT\n";
  for (int i = 0; i < 256; ++i) text += "LOAD 0x100\n";
  const ScriptResult result = run(runner, text);
  EXPECT_EQ(result.end, ScriptEnd::endless);
  EXPECT_TRUE(result.runs[0].back().disabled);
  EXPECT_THAT(report(result, runner.core().config()), HasSubstr("endless: thread 0"));
  EXPECT_EQ(run(runner, kHead + "===TEXT TERM").end, ScriptEnd::finished);
}

TEST(MatmulScriptRunner, a_limit_of_clocks_ends_the_run) {
  ScriptRunner runner(CoreConfig{});
  const ScriptResult result = run(runner, kHead + "===TEXT WRITE 0x100 1 TERM", 2'000'000);
  EXPECT_EQ(result.end, ScriptEnd::limit);
  EXPECT_EQ(result.finish, 2'000'000u);
}

TEST(MatmulScriptRunner, lost_bytes_are_reported) {
  ScriptRunner runner(fast_line());
  const std::string writes = "WRITE 0x100 1 WRITE 0x100 2 WRITE 0x100 3 WRITE 0x100 4 WRITE 0x100 5 TERM";
  const ScriptResult result = run(runner, kHead + "===TEXT " + writes);
  EXPECT_EQ(result.messages.size(), 4u);  // the fourth is whole by its length, but made of two
  EXPECT_GT(result.undecoded_bytes, 0u);
  ASSERT_EQ(result.errata.size(), 2u);  // one entry for each WRITE that lost bytes
  EXPECT_EQ(result.errata[0].kind, ErrataEvent::Kind::fifo_byte_loss);
  EXPECT_EQ(4 * 69 + result.undecoded_bytes + result.errata[0].bytes + result.errata[1].bytes, 5u * 69);
  EXPECT_THAT(report(result, runner.core().config()), HasSubstr("lost: "));
}

TEST(MatmulScriptRunner, the_report_names_messages_cycles_and_missing_messages) {
  ScriptRunner runner(fast_line());
  const std::string text =
      report(run(runner, kHead + "===TEXT WRITE 0x200 0x0f TERM ===TEXT TERM"), runner.core().config());
  EXPECT_THAT(text, HasSubstr("message 1: header 0x0f"));
  EXPECT_THAT(text, HasSubstr("   9 10 11 12\n"));
  EXPECT_THAT(text, HasSubstr("WRITE            77"));
  EXPECT_THAT(text,
              HasSubstr("1 whole message for 2 programs; the original's driver reads one a program and would wait"));
}

}  // namespace
}  // namespace vp::matmul
