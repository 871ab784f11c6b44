// `run --program` and `run --network`: tinyTPU programs without a CPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/platform/run_in_process.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::string buffer_text(const json& rows) {
  std::string text;
  for (const auto& [row, hex] : rows.items()) text += row + ": " + hex.get<std::string>() + "\n";
  return text;
}

/// The distance between pushes if it is the same everywhere and the FIFO never filled, else 0.
unsigned feed_gap(const json& golden) {
  const auto& pushes = golden["push_cycles"];
  if (pushes.size() < 2 || pushes.size() > 30) return 0;
  const unsigned gap = pushes[1].get<unsigned>();
  for (std::size_t i = 0; i < pushes.size(); ++i)
    if (pushes[i].get<std::size_t>() != i * gap) return 0;
  return gap;
}

/// Runs a recorded program from files and compares pulses and changed rows with the recording.
void expect_as_recorded(const json& golden) {
  const TemporaryFolder folder;
  std::string program;
  for (const auto& word : golden["instructions"]) program += word.get<std::string>() + "\n";
  std::vector<std::string> arguments = {"run",
                                        "--program",
                                        folder.write("a.tpu", program),
                                        "--feed-gap",
                                        std::to_string(feed_gap(golden)),
                                        "--results",
                                        folder.path("out"),
                                        "--weights",
                                        folder.write("w", buffer_text(golden["weights"])),
                                        "--inputs",
                                        folder.write("i", buffer_text(golden["unified_buffer"]))};
  const std::vector<std::pair<const char*, const char*>> sizes = {
      {"tpu.matrix_width", "N"}, {"tpu.weight_depth", "weight_depth"}, {"tpu.unified_buffer_depth", "ub_depth"}};
  for (const auto& [parameter, field] : sizes) {
    arguments.push_back("--set");
    arguments.push_back(std::string(parameter) + "=" + std::to_string(golden[field].get<unsigned>()));
  }
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, kExitSuccess) << outcome.error;
  for (const auto& cycle : golden["expected"]["sync_cycles"])
    EXPECT_THAT(outcome.out, HasSubstr("cycle " + std::to_string(cycle.get<unsigned>()) + ", runtime counter "));
  json expected = golden["expected"]["unified_buffer"];
  for (const auto& [row, hex] : golden["unified_buffer"].items())
    if (expected.value(row, "") == hex) expected.erase(row);
  EXPECT_EQ(std::filesystem::file_size(folder.path("out")) > 0, !expected.empty());
  const std::string results = TemporaryFolder::read(folder.path("out"));
  for (const auto& [row, hex] : expected.items())
    EXPECT_THAT("\n" + results, HasSubstr("\n" + row + ": " + hex.get<std::string>() + "\n"));
}

TEST(ProgramRun, equals_recorded_hardware_runs) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(VP_SOURCE_DIR "/tests/golden/tinytpu/public"))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  unsigned compared = 0;
  for (const std::string& file : files) {
    const json golden = json::parse(TemporaryFolder::read(file));
    if (feed_gap(golden) == 0 || !golden.value("host_accesses", json::array()).empty()) continue;
    SCOPED_TRACE(file);
    expect_as_recorded(golden);
    if (++compared == 12) break;
  }
  EXPECT_EQ(compared, 12u);
}

TEST(ProgramRun, prints_the_published_table) {
  const Outcome outcome = run({"run", "--network", "784x504x10", "--feed-gap", "104", "--widths", "6,8,10,12,14"});
  EXPECT_EQ(outcome.code, kExitSuccess);
  for (const char* row :
       {"6           431          383 ", "8           326          289 ", "10           261          234 ",
        "12           216          194 ", "14           186          165 "})
    EXPECT_THAT(outcome.out, HasSubstr(row));
}

TEST(ProgramRun, lists_hazards_and_writes_statistics) {
  const TemporaryFolder folder;
  // The second multiply reads what the activate before it has not written yet (spec section 5.2).
  const std::string words =
      "00000000000000000e09\n00000000000000000e21\n00000e00000000000e99\n00000e00000000000e21\n000000000000000000ff\n";
  const Outcome outcome =
      run({"run", "--program", folder.write("a.tpu", words), "--feed-gap", "1", "--stats", folder.path("s.json")});
  EXPECT_EQ(outcome.code, kExitSuccess) << outcome.error;
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("hazards        0\n")));
  const json statistics = json::parse(TemporaryFolder::read(folder.path("s.json")));
  EXPECT_EQ(statistics["groups"]["run"]["values"]["exit_code"]["value"], 0);
  EXPECT_TRUE(statistics["groups"]["tpu"]["groups"].contains("cycles"));
}

TEST(ProgramRun, what_works_only_by_timing_is_counted_apart) {
  const TemporaryFolder folder;
  const std::string program = folder.write(
      "a.tpu",
      "read_weights.s 0, 14\nmatrix_multiply.s 0, 0, 14\nactivate.s.relu 100, 0, 14\nread_weights.s 14, 14\n"
      "matrix_multiply.s 0, 100, 14\nsynchronize\n");
  const Outcome fast = run({"run", "--program", program, "--feed-gap", "12"});
  EXPECT_THAT(fast.out, HasSubstr("hazards        14\n"));
  EXPECT_THAT(fast.out, testing::Not(HasSubstr("works only by timing")));
  const Outcome slow = run({"run", "--program", program, "--feed-gap", "30", "--stats", folder.path("s.json")});
  EXPECT_THAT(slow.out, HasSubstr("hazards        0\nworks only by timing 14\n  instruction 4 "));
  const json groups = json::parse(TemporaryFolder::read(folder.path("s.json")))["groups"];
  EXPECT_EQ(groups["tpu"]["values"]["works_only_by_timing"]["value"], 14);
  for (const auto& [kind, figure] : groups["tpu"]["groups"]["hazards"]["values"].items())
    EXPECT_EQ(figure["value"], 0) << kind;
}

TEST(ProgramRun, every_instruction_can_be_logged) {
  const TemporaryFolder folder;
  const std::string program =
      folder.write("a.tpu", "matrix_multiply.s 0, 0, 4\nactivate.s.relu 9, 0, 4\nread_weights.s 0, 14\n");
  const std::string log = folder.path("log");
  EXPECT_EQ(run({"run", "--program", program, "--log-instructions", "tpu=" + log}).code, kExitSuccess);
  const std::string text = TemporaryFolder::read(log);
  // Issued 5 edges after the push, done N + 14 + 4 (N + 18 + 4) edges after that; the last one waits for a successor.
  EXPECT_THAT(text, HasSubstr("0            0.000           28.125          208.125  matrix_multiply.s 0x0, 0x0, 4"));
  EXPECT_THAT(text, HasSubstr("1           67.500           95.625          298.125  activate.s.relu 0x9, 0x0, 4"));
  EXPECT_THAT(text, HasSubstr("2          135.000                -                -  read_weights.s 0x0, 14"));
  expect_user_error({"run", "--program", program, "--log-instructions", "cpu"}, "no part 'cpu', only 'tpu'");
  expect_user_error({"run", "--network", "4x4", "--widths", "4", "--log-instructions", "tpu"}, "exclude each other");
}

TEST(ProgramRun, a_cycle_limit_ends_with_exit_code_4) {
  EXPECT_EQ(run({"run", "--network", "784x504x10", "--max-cycles", "100"}).code, kExitLimit);
}

TEST(ProgramRun, wrong_use_is_a_user_error) {
  const TemporaryFolder folder;
  const std::string program = folder.write("a.tpu", "synchronize\n");
  expect_user_error({"run"}, "no program given");
  expect_user_error({"run", "--program", "/none.tpu"}, "No such file");
  expect_user_error({"run", "--program", folder.write("b.tpu", "sinchronize\n")}, "b.tpu:1:1: ");
  expect_user_error({"run", "--program", program, "--network", "4x4"}, "exclude each other");
  expect_user_error({"run", "--program", program, "x.elf"}, "exclude each other");
  expect_user_error({"run", "--program", program, "--trace", "x"}, "--trace is for programs of the CPU");
  expect_user_error({"run", "--program", program, "--widths", "4"}, "--widths needs --network");
  expect_user_error({"run", "--weights", "w", "x.elf"}, "--weights needs --program or --network");
  expect_user_error({"run", "--network", "784x"}, "--network");
  expect_user_error({"run", "--network", "4x4", "--widths", "1"}, "--widths");
  expect_user_error({"run", "--network", "4x4", "--feed-gap", "0"}, "--feed-gap");
  expect_user_error({"run", "--network", "4096x65535", "--widths", "256,14"}, "too large");
  expect_user_error({"run", "--program", program, "--inputs", folder.write("i", "0: 12\n")}, "i:1: ");
  expect_user_error({"run", "--program", program, "--results", "/none/r"}, "No such file");
  expect_user_error({"run", "--program", program, "--timeout", "0s"}, "--timeout");
}

}  // namespace
}  // namespace vp
