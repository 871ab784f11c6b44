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
  const Outcome outcome = run({"run", "--network", "784x504x10", "--layout", "original", "--fit", "--feed-gap", "104",
                               "--widths", "6,8,10,12,14"});
  EXPECT_EQ(outcome.code, kExitSuccess);
  for (const char* row :
       {"6           431          383 ", "8           326          289 ", "10           261          234 ",
        "12           216          194 ", "14           186          165 "})
    EXPECT_THAT(outcome.out, HasSubstr(row));
  EXPECT_THAT(outcome.out, HasSubstr("matrix width 6: tpu.weight_depth enlarged from 32768 to 67032 rows (--fit)"));
  EXPECT_THAT(outcome.out, HasSubstr("383    68232        6       1     63.968      11372.000"));
  EXPECT_THAT(outcome.out, HasSubstr("its results may be wrong")) << "N = 6 loses sums";
}

TEST(ProgramRun, widths_may_be_ranges) {
  const auto table = [](const std::string& widths) {
    return run({"run", "--network", "65x42x10", "--widths", widths}).out;
  };
  EXPECT_EQ(table("6:14:4,16"), table("6,10,14,16"));
  EXPECT_EQ(table("8:32:*2"), table("8,16,32"));
  expect_user_error({"run", "--network", "65x42x10", "--widths", "14:6"}, "--widths: the range '14:6' ends before");
  expect_user_error({"run", "--network", "65x42x10", "--widths", "1:3"}, "--widths: 1 is out of range");
}

TEST(ProgramRun, a_network_is_refused_where_it_does_not_fit_and_fit_makes_room) {
  const std::vector<std::string> large = {
      "run", "--network", "1024x2048x2048x1000", "--set", "tpu.matrix_width=32", "--set", "tpu.weight_depth=100"};
  expect_user_error(large,
                    "needs 262144 rows of the weight buffer (tpu.weight_depth is 100) and 6144 rows of the unified "
                    "buffer (tpu.unified_buffer_depth is 4096): --fit enlarges");
  expect_user_error({"run", "--network", "784x504x10", "--set", "tpu.matrix_width=8"}, "needs 50400 rows");
  expect_user_error({"run", "--network", "784x504x10", "--widths", "14,8"}, "at a matrix width of 8");
  expect_user_error({"run", "--network", "784x504x10", "--batch", "100"}, "--batch 42 would fit");
  const TemporaryFolder folder;
  std::vector<std::string> fitting = large;
  fitting.insert(fitting.end(), {"--fit", "--dump-config", folder.path("fitted.ini")});
  const Outcome outcome = run(fitting);
  EXPECT_EQ(outcome.code, kExitSuccess) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("tpu.weight_depth enlarged from 100 to 262144 rows (--fit)\n"
                                     "tpu.unified_buffer_depth enlarged from 4096 to 6144 rows (--fit)\n"));
  EXPECT_THAT(TemporaryFolder::read(folder.path("fitted.ini")), HasSubstr("weight_depth = 262144"));
}

TEST(ProgramRun, hazards_of_the_published_stream_show_and_the_default_one_has_none) {
  const Outcome original = run({"run", "--network", "65x42x10", "--layout", "original", "--widths", "14,256"});
  EXPECT_THAT(original.out, HasSubstr("1.14      260\n"));
  EXPECT_THAT(original.out, HasSubstr("without --layout original there are none"));
  const Outcome usual = run({"run", "--network", "65x42x10", "--widths", "14,256"});
  EXPECT_THAT(usual.out, HasSubstr("        0\n"));
  EXPECT_THAT(usual.out, testing::Not(HasSubstr("may be wrong")));
}

TEST(ProgramRun, a_batch_is_printed_with_time_and_cycles_of_a_vector) {
  const Outcome one = run({"run", "--network", "65x42x10"});
  EXPECT_THAT(one.out, HasSubstr("network        14 vectors in 1 pass of 14, a synchronize behind every layer\n"));
  const Outcome few = run({"run", "--network", "65x42x10", "--batch", "10"});
  EXPECT_THAT(few.out, HasSubstr("10 vectors in 1 pass of 14"));
  const Outcome many = run({"run", "--network", "65x42x10", "--batch", "30"});
  EXPECT_THAT(many.out, HasSubstr("30 vectors in 3 passes of 14"));
  EXPECT_THAT(many.out, HasSubstr("94500 multiply-accumulates"));
}

TEST(ProgramRun, statistics_hold_useful_work_and_figures_of_a_vector) {
  const TemporaryFolder folder;
  run({"run", "--network", "65x42x10", "--layout", "original", "--set", "tpu.matrix_width=256", "--stats",
       folder.path("s.json")});
  const json groups = json::parse(TemporaryFolder::read(folder.path("s.json")))["groups"];
  const json run_values = groups["run"]["values"], ideal = groups["ideal"]["values"];
  EXPECT_EQ(run_values["vectors"]["value"], 256);
  EXPECT_EQ(run_values["passes"]["value"], 1);
  EXPECT_EQ(run_values["cycles"]["value"], 1077) << "from first fetch to last synchronize";
  EXPECT_DOUBLE_EQ(run_values["cycles_per_vector"]["value"].get<double>(), 1077.0 / 256);
  EXPECT_EQ(run_values["hazards"]["value"], 260) << "256 rows read too early, 4 instructions of no rows";
  EXPECT_EQ(ideal["useful_macs"]["value"], 256 * (65 * 42 + 42 * 10));
  EXPECT_EQ(ideal["mapped_macs"]["value"], 2 * 256 * 256 * 256);
  EXPECT_NEAR(ideal["useful_of_peak"]["value"].get<double>(), 1.14, 0.005);
  EXPECT_NEAR(ideal["mapping_efficiency"]["value"].get<double>(), 2.40, 0.005);
  run({"run", "--program", folder.write("a.tpu", "read_weights.s 0, 14\nmatrix_multiply.s 0, 0, 14\n"), "--stats",
       folder.path("s.json")});
  const json program = json::parse(TemporaryFolder::read(folder.path("s.json")))["groups"];
  EXPECT_EQ(program["ideal"]["values"]["mapped_macs"]["value"], 14 * 14 * 14);
  EXPECT_FALSE(program["ideal"]["values"].contains("useful_macs")) << "not known from instructions";
  EXPECT_FALSE(program["run"]["values"].contains("vectors"));
}

TEST(ProgramRun, settings_that_cannot_matter_are_named_in_one_warning) {
  const Outcome outcome = run({"run", "--network", "65x42x10", "--set", "dram0.preset=ddr3-1600", "--set",
                               "bus.width=32", "--set", "tpu.clock=10ns", "--set", "traffic0.burst=64"});
  EXPECT_EQ(outcome.code, kExitSuccess);
  EXPECT_THAT(outcome.error, testing::EndsWith("(the tinyTPU runs alone)\n"));
  EXPECT_THAT(outcome.error, testing::AllOf(HasSubstr("warning: "), HasSubstr("bus.width"), HasSubstr("dram0.preset"),
                                            testing::Not(HasSubstr("tpu.clock"))));
  EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1);
  EXPECT_EQ(run({"run", "--network", "65x42x10", "--set", "tpu.clock=10ns"}).error, "");
  EXPECT_EQ(run({"run", "--network", "65x42x10", "--set", "bus.width=64"}).error, "") << "the default anyway";
  EXPECT_THAT(run({"run", "--network", "65x42x10", "--widths", "4,8", "--set", "tpu.matrix_width=9"}).error,
              HasSubstr("tpu.matrix_width (--widths takes its place)"));
}

TEST(ProgramRun, the_original_s_files_are_run) {
  const TemporaryFolder folder;
  const std::string complete =
      folder.write("complete.txt",
                   "weights:[\n[0,127]\n[64,0]\n]\ninputs:[\n[1,2]\n[127,127]\n]\n"
                   "instructions:[\n[9,2,0]\n[33,2,0,0]\n[145,2,0,8]\n[255,0,0]\n]\nresults:[\n[8,2,0]\n]\n");
  const Outcome outcome = run({"run", "--program", complete, "--set", "tpu.matrix_width=2"});
  EXPECT_EQ(outcome.code, kExitSuccess) << outcome.error;
  // ReLU of (2·64, 1·127) and (127·64, 127·127), rounded after eight bits: 128 and 127 to 1 and 0.
  EXPECT_THAT(outcome.out, HasSubstr("  8: 0100\n  9: 203f\n"));
  const std::string apart = folder.write("w.txt", "weights:[\n[1,1]\n]\n");
  EXPECT_THAT(run({"run", "--program", complete, "--weights", apart, "--set", "tpu.matrix_width=2"}).out,
              testing::Not(HasSubstr("203f")));
  EXPECT_EQ(run({"asm", complete}).out,
            "00000000000000000209\n00000000000000000221\n00000800000000000291\n"
            "000000000000000000ff\n");
  expect_user_error({"run", "--program", apart}, "no block instructions:[");
  expect_user_error({"run", "--program", complete, "--inputs", apart, "--set", "tpu.matrix_width=2"},
                    "no block inputs:[");
  expect_user_error({"run", "--program", complete}, "vector 0 has 2 bytes, but a row of the buffer has 14");
}

TEST(ProgramRun, lists_hazards_and_writes_statistics) {
  const TemporaryFolder folder;
  // The second multiply reads what the activate before it has not written yet.
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
  expect_user_error({"run", "--network", "4x4", "--batch", "0"}, "--batch");
  expect_user_error({"run", "--network", "4x4", "--layout", "other"}, "--layout: 'other' is neither");
  expect_user_error({"run", "--program", program, "--batch", "3"}, "--batch needs --network");
  expect_user_error({"run", "--fit", "x.elf"}, "--fit needs --network");
  expect_user_error({"run", "--network", "99999x99999", "--fit"}, "too large");
  expect_user_error({"run", "--network", "4096x65535", "--widths", "256,14"}, "at a matrix width of 256");
  expect_user_error({"run", "--program", program, "--inputs", folder.write("i", "0: 12\n")}, "i:1: ");
  expect_user_error({"run", "--program", program, "--results", "/none/r"}, "No such file");
  expect_user_error({"run", "--program", program, "--timeout", "0s"}, "--timeout");
}

}  // namespace
}  // namespace vp
