// `run --drra`, and asm and disasm of its programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <map>
#include <nlohmann/json.hpp>

#include "platform/files/whole_file.h"
#include "tests/platform/run_in_process.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

using ::testing::HasSubstr;

constexpr const char* kFilter = VP_SOURCE_DIR "/sw/drra/fir.drra";
constexpr const char* kRecorded = VP_SOURCE_DIR "/tests/golden/drra/rtl_published_vec_add.json";

TEST(DrraRun, assembly_runs_to_its_end_and_shows_cycles_and_changes) {
  const Outcome outcome = run({"run", "--drra", kFilter});
  EXPECT_EQ(outcome.code, kExitSuccess) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("last activity  cycle 179, 1.790 us"));
  EXPECT_THAT(outcome.out, HasSubstr("bounded by     "));
  EXPECT_THAT(outcome.out, HasSubstr("findings       0"));
  EXPECT_THAT(outcome.out, HasSubstr(".cell 0,0\n.rf 32: 2 -3 5 1 30 -14"));
}

TEST(DrraRun, a_recorded_program_runs_on_the_fabric_that_it_names) {
  const Outcome outcome = run({"run", "--drra", kRecorded, "--set", "drra.columns=1"});
  EXPECT_EQ(outcome.code, kExitSuccess) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("last activity  cycle 35"));
  EXPECT_THAT(outcome.out, HasSubstr(".rf 32: 16 18 20 22"));
}

TEST(DrraRun, the_limit_ends_an_endless_program_and_says_where_it_stands) {
  const TemporaryFolder folder;
  const std::string program = folder.write("a.drra", ".cell 1,2\nagain: JUMP pc=again\nHALT\n");
  const Outcome outcome = run({"run", "--drra", program, "--max-cycles", "5000"});
  EXPECT_EQ(outcome.code, kExitLimit);
  EXPECT_THAT(outcome.out, HasSubstr("the limit of 5000 cycles was reached\n  cell 1,2: pc 0 (JUMP) in cycle 5001\n"));
}

TEST(DrraRun, the_wall_clock_limit_is_heard) {
  const TemporaryFolder folder;
  const std::string program = folder.write("a.drra", ".cell 1,2\nagain: JUMP pc=again\nHALT\n");
  const Outcome outcome = run({"run", "--drra", program, "--max-cycles", "1000000000000", "--timeout", "10ms"});
  EXPECT_EQ(outcome.code, kExitLimit);
  EXPECT_THAT(outcome.out, HasSubstr("the wall-clock limit was reached"));
}

TEST(DrraRun, every_instruction_can_be_logged) {
  const TemporaryFolder folder;
  const std::string program = folder.write("a.drra", ".cell 0,0\nWAIT cycle=3\nHALT\n");
  const std::string log = folder.path("log");
  EXPECT_EQ(run({"run", "--drra", program, "--log-instructions", "drra=" + log}).code, kExitSuccess);
  EXPECT_THAT(read_file(log), HasSubstr("0                -           10.000           50.000  cell 0,0, pc 0: WAIT"));
  EXPECT_THAT(read_file(log), HasSubstr("1                -           50.000           50.000  cell 0,0, pc 1: HALT"));
  expect_user_error({"run", "--drra", program, "--log-instructions", "tpu"}, "no part 'tpu', only 'drra'");
}

TEST(DrraRun, statistics_have_the_cycles_of_each_cell) {
  const TemporaryFolder folder;
  EXPECT_EQ(run({"run", "--drra", kFilter, "--stats", folder.path("s.json")}).code, kExitSuccess);
  const auto statistics = nlohmann::json::parse(read_file(folder.path("s.json")));
  const auto& fabric = statistics["groups"]["drra"];
  EXPECT_EQ(fabric["values"]["last_activity"]["value"], 179);
  EXPECT_EQ(fabric["groups"]["cell_0_0"]["values"]["dpu_busy"]["value"], 112);
  EXPECT_EQ(fabric["groups"]["findings"]["values"]["stream_busy"]["value"], 0);
}

TEST(DrraRun, statistics_have_the_parameters_of_the_fabric_that_ran) {
  const TemporaryFolder folder;
  const auto columns = [&folder](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"run", "--stats", folder.path("s.json")};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run(words).code, kExitSuccess);
    const auto groups = nlohmann::json::parse(read_file(folder.path("s.json")))["groups"];
    return groups["configuration"]["values"]["drra.columns"]["value"].get<std::string>();
  };
  EXPECT_EQ(columns({"--drra", kFilter}), "8");
  EXPECT_EQ(columns({"--drra", kFilter, "--set", "drra.columns=3"}), "3");
  const auto recorded = nlohmann::json::parse(read_file(kRecorded))["fabric"]["cols"].get<int>();
  EXPECT_EQ(columns({"--drra", kRecorded, "--set", "drra.columns=1"}), std::to_string(recorded))
      << "the program names it";
}

TEST(DrraRun, a_timeline_has_the_units_of_each_cell_with_a_program) {
  const TemporaryFolder folder;
  EXPECT_EQ(run({"run", "--drra", kFilter, "--timeline", folder.path("t.json")}).code, kExitSuccess);
  const auto timeline = nlohmann::json::parse(read_file(folder.path("t.json")));
  std::vector<std::string> names;
  std::map<std::string, std::map<std::string, std::uint64_t>> cycles;
  for (const auto& track : timeline["tracks"]) {
    names.push_back(track["name"]);
    for (const auto& span : track["spans"])
      cycles[names.back()][span[2]] += (span[1].get<std::uint64_t>() - span[0].get<std::uint64_t>()) / 10'000;
  }
  EXPECT_THAT(names,
              testing::ElementsAre("cell 0,0 sequencer", "cell 0,0 DPU", "cell 0,0 w0", "cell 0,0 r0", "cell 0,0 r1"));
  EXPECT_EQ(timeline["end_ps"], 1'790'000);
  EXPECT_EQ(cycles["cell 0,0 sequencer"]["wait"], 5u);
  EXPECT_EQ(cycles["cell 0,0 sequencer"]["busy"], 174u);
  EXPECT_EQ(cycles["cell 0,0 DPU"]["busy"], 112u);
  EXPECT_EQ(cycles["cell 0,0 r0"]["busy"], 112u);
  EXPECT_EQ(cycles["cell 0,0 w0"]["busy"], 28u);
}

TEST(DrraRun, a_run_that_is_cut_has_its_timeline_up_to_there) {
  const TemporaryFolder folder;
  const std::string program = folder.write("a.drra", ".cell 0,0\nagain: WAIT cycle=3000\nJUMP pc=again\nHALT\n");
  EXPECT_EQ(run({"run", "--drra", program, "--max-cycles", "5000", "--timeline", folder.path("t.json")}).code,
            kExitLimit);
  const auto timeline = nlohmann::json::parse(read_file(folder.path("t.json")));
  EXPECT_EQ(timeline["end_ps"], 50'000'000);
  EXPECT_EQ(timeline["tracks"][0]["spans"].back()[1], 50'000'000);
}

TEST(DrraRun, a_stop_is_heard_within_a_tenth_of_a_second_on_the_largest_fabric) {
  const TemporaryFolder folder;
  std::string text;
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 64; ++column)
      text += ".cell " + std::to_string(row) + "," + std::to_string(column) +
              "\nSWB src_port=0 hb_index=2 v_index=2\nDPU mode=mac\na" + std::to_string(row * 64 + column) +
              ": REFI port_no=r0 l1_iter=63\nWAIT cycle=62\nJUMP pc=a" + std::to_string(row * 64 + column) + "\nHALT\n";
  const std::string program = folder.write("a.drra", text);
  const std::clock_t start = std::clock();
  const Outcome outcome = run(
      {"run", "--drra", program, "--set", "drra.columns=64", "--max-cycles", "1000000000000", "--timeout", "200ms"});
  EXPECT_EQ(outcome.code, kExitLimit);
  // Time of this process: the host may be busy with other tests.
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 0.3);
}

TEST(DrraRun, what_the_user_has_wrong_is_one_sentence) {
  const TemporaryFolder folder;
  expect_user_error({"run", "--drra", folder.path("none")}, "none");
  expect_user_error({"run", "--drra", folder.write("a.drra", ".cell 0,0\nHALD\n")}, "a.drra:2:1: 'HALD'");
  expect_user_error({"run", "--drra", folder.write("b.drra", ".cell 0,9\nHALT\n")}, "there is no cell 0,9");
  expect_user_error({"run", "--drra", folder.write("c.json", "{\"schema\": 1}")}, "is no program of the fabric");
  expect_user_error({"run", "--drra", folder.write("d.json", "{")}, "is no valid JSON");
  expect_user_error({"run", "--drra", folder.write("e.json", "{\"schema\": \"drra-golden-1\"}")}, "malformed");
  expect_user_error({"run", "--drra", kFilter, "a.elf"}, "exclude each other");
  expect_user_error({"run", "--drra", kFilter, "--machine", "m.ini"}, "--machine");
  expect_user_error({"run", "--drra", kFilter, "--set", "drra.colums=3"}, "drra.columns");
  expect_user_error({"run", "--drra", kFilter, "--max-cycles", "0"}, "out of range");
}

TEST(DrraRun, assembling_and_disassembling_come_back_to_the_same_words) {
  const TemporaryFolder folder;
  for (const char* kernel : {"fir", "matvec", "activation"}) {
    const std::string source = std::string(VP_SOURCE_DIR "/sw/drra/") + kernel + ".drra";
    EXPECT_EQ(run({"asm", "--device", "drra", source, "-o", folder.path("w")}).code, kExitSuccess);
    EXPECT_EQ(run({"disasm", "--device", "drra", folder.path("w"), "-o", folder.path("t")}).code, kExitSuccess);
    EXPECT_THAT(read_file(folder.path("t")), HasSubstr("  REFI port_no=r0"));
    EXPECT_EQ(run({"asm", "--device", "drra", folder.path("t")}).out, read_file(folder.path("w")));
  }
}

}  // namespace
}  // namespace vp
