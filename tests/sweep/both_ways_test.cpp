// The points of a sweep as copies of its process, and as processes that start the program: the same files, whatever is
// swept.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "platform/report/volatile_figures.h"
#include "tests/sweep/stand_in.h"
#include "tests/system/program.h"

namespace vp {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// Contents by the name in the folder of a sweep.
using Files = std::map<std::string, std::string>;

class BothWaysOfPoints : public testing::Test {
 protected:
  BothWaysOfPoints() { fs::copy_file(VP_BINARY_DIR "/tinytpu-vp", other_); }

  /// Sweeps of this program make copies of their process, of another one they start it. Both have the same content.
  Files sweep(std::vector<std::string> options, const std::vector<std::string>& run, bool starts) {
    options.insert(options.begin(), {"sweep", "-o", out_, "--jobs", "2"});
    if (starts) options.insert(options.end(), {"--program", other_});
    options.insert(options.end(), {"--", "run"});
    options.insert(options.end(), run.begin(), run.end());
    const ProgramResult result = run_tinytpu_vp(options);
    Files files = {{"what the sweep printed", result.out}};
    EXPECT_EQ(result.exit_code, exit_code_) << result.error;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(out_)) {
      const std::string name = entry.path().lexically_relative(out_).string();
      if (!entry.is_regular_file()) continue;
      const std::string text = TemporaryFolder::read(entry.path().string());
      files[name] = fs::path(name).begin()->string() == "points" ? repeating_part(text) : comparable(text);
    }
    files.erase("results.csv");  // which holds times; see the test of it
    fs::remove_all(out_);
    return files;
  }

  void expect_the_same(const std::vector<std::string>& options, const std::vector<std::string>& run,
                       std::size_t points) {
    const Files copied = sweep(options, run, false), started = sweep(options, run, true);
    std::size_t found = 0;
    for (const auto& [name, text] : started) found += name.compare(0, 7, "points/") == 0;
    EXPECT_EQ(found, points);
    ASSERT_EQ(copied.size(), started.size());
    for (const auto& [name, text] : started) {
      ASSERT_EQ(copied.count(name), 1u) << name;
      EXPECT_EQ(copied.at(name), text) << name;
    }
  }

  /// Without what the host's clock measured, and with one name for the program.
  std::string comparable(std::string text) const {
    text = std::regex_replace(text, std::regex("-- [^ ]+ s of wall time, [^ ]+ MIPS"), "-- wall time");
    for (std::size_t at; (at = text.find(other_)) != std::string::npos;)
      text.replace(at, other_.size(), VP_BINARY_DIR "/tinytpu-vp");
    return text;
  }
  std::string repeating_part(const std::string& text) const {
    Json point = Json::parse(text);
    point.erase("wall_seconds");
    Json& statistics = point["statistics"];
    Json provenance = statistics["groups"]["provenance"];
    provenance["values"].erase("date");
    remove_volatile_figures(statistics);
    statistics["groups"]["provenance"] = provenance;
    return comparable(point.dump(1));
  }

  std::string workload(const std::string& name, const std::string& layers) const {
    return folder_.write(name, "Layer,M,K,N\n" + layers);
  }

  /// A network for the Tensil TCU: one layer of 4 x 4 weights with a ReLU.
  std::string tensil_model() const {
    const Json architecture = {{"data_type", "FP16BP8"},    {"array_size", 4},    {"dram0_depth", 256},
                               {"dram1_depth", 256},        {"local_depth", 64},  {"accumulator_depth", 32},
                               {"simd_registers_depth", 1}, {"stride0_depth", 8}, {"stride1_depth", 8}};
    const std::string text = folder_.write("net.s",
                                           "data_move.dram1_to_local 0, 0, 5\n"
                                           "load_weight 0, 5\n"
                                           "data_move.dram0_to_local 5, 0, 1\n"
                                           "mat_mul 5, 0, 1\n"
                                           "simd.read.write max 0, 0, input, r1, output\n"
                                           "data_move.accumulator_to_local 6, 0, 1\n"
                                           "data_move.local_to_dram0 6, 8, 1\n");
    const std::string program = folder_.path("net.tprog");
    EXPECT_EQ(run_tinytpu_vp({"asm", "--device", "tensil-v1", "--arch", folder_.write("net.tarch", architecture.dump()),
                              "-o", program, text})
                  .exit_code,
              0);
    folder_.write("net.tdata", std::string(40, '\1'));
    const Json model = {{"name", "net"},
                        {"prog", {{"file_name", "net.tprog"}, {"size", fs::file_size(program)}}},
                        {"consts", {{{"file_name", "net.tdata"}, {"base", 0}, {"size", 5}}}},
                        {"inputs", {{{"name", "x:0"}, {"base", 0}, {"size", 1}}}},
                        {"outputs", {{{"name", "y:0"}, {"base", 8}, {"size", 1}}}},
                        {"arch", architecture},
                        {"load_consts_to_local", false}};
    return folder_.write("net.tmodel", model.dump());
  }

  TemporaryFolder folder_;
  const std::string other_ = folder_.path("another-tinytpu-vp");
  const std::string out_ = folder_.path("out");
  int exit_code_ = 0;  ///< that the sweeps end with
};

TEST_F(BothWaysOfPoints, parameters_of_a_program) {
  expect_the_same({"--set", "bus.timeout=10us,20us", "--set", "tpu.matrix_width=8,14", "--set",
                   "fidelity=functional,timed", "--set", "bus.clock=50MHz,10ns"},
                  {firmware("hello64")}, 16);
}

TEST_F(BothWaysOfPoints, programs_of_which_one_fails) {
  exit_code_ = 1;
  expect_the_same({"--set", "program=" + firmware("hello32") + "," + firmware("crash64") + "," + firmware("hello64"),
                   "--set", "cpu.quantum=1us,3us"},
                  {}, 4);
}

TEST_F(BothWaysOfPoints, parts_that_are_added) {
  expect_the_same({"--set", "drra.present=true,false", "--set", "traffic0.present=true,false"}, {firmware("hello64")},
                  4);
}

TEST_F(BothWaysOfPoints, points_that_a_limit_ends) {
  expect_the_same({"--set", "cpu.quantum=1us,3us"}, {"--max-time", "1ms", firmware("hello64")}, 2);
}

TEST_F(BothWaysOfPoints, networks_with_their_options) {
  expect_the_same({"--set", "network=16x16x10,20x8x4", "--set", "layout=original,synchronized", "--set", "batch=1,2",
                   "--set", "feed-gap=12,100", "--set", "tpu.matrix_width=8,14"},
                  {"--fit"}, 32);
}

TEST_F(BothWaysOfPoints, workloads_and_their_movers) {
  expect_the_same({"--set",
                   "workload=" + workload("one.csv", "hidden,36,65,42\n") + "," +
                       workload("two.csv", "hidden,12,30,20\nout,12,20,10\n"),
                   "--set", "mover=cpu,cdma"},
                  {"--set", "cdma0.kind=cdma", "--set", "cdma0.base=0x4E200000", "--set", "cdma0.interrupt=6"}, 4);
}

TEST_F(BothWaysOfPoints, networks_of_the_tensil_tcu) {
  expect_the_same({"--set", "tensil.axi_width=32,64", "--set", "tensil.clock=50MHz,100MHz"},
                  {"--tmodel", tensil_model(), "--input", folder_.write("image.bin", std::string(8, '\2'))}, 4);
}

TEST_F(BothWaysOfPoints, programs_of_the_drra_fabric) {
  expect_the_same({"--set", "drra.columns=8,10", "--set", "drra.clock=50MHz,100MHz"},
                  {"--drra", VP_SOURCE_DIR "/sw/drra/fir.drra"}, 4);
}

TEST_F(BothWaysOfPoints, scripts_of_the_matmul_device) {
  const std::string script = folder_.write("a.txt",
                                           "===META\n2 2\n===DATA\nB 0x100 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
                                           "===TEXT\nLOAD 0x100\nCOMP 0x100 0x100 0x300\nWRITE 0x300 0x01\nTERM\n");
  expect_the_same({"--set", "matmul.memory_words=4096,65536", "--set", "matmul.clock=50MHz,100MHz"},
                  {"--matmul", script}, 4);
}

TEST_F(BothWaysOfPoints, descriptions_of_machines_and_listed_points) {
  const std::string machine = folder_.write("one.ini", run_tinytpu_vp({"machine"}).out);
  const std::string other = folder_.write("two.ini", run_tinytpu_vp({"machine", "--set", "dram0.size=64MiB"}).out);
  const std::string listed = folder_.write("points.txt", "cpu.quantum=1us\ncpu.quantum=3us bus.clock=20ns\n");
  expect_the_same({"--machine", machine + "," + other, "--points", listed}, {firmware("hello64")}, 4);
}

TEST_F(BothWaysOfPoints, the_table_of_results_at_hand_is_that_of_their_files) {
  const std::vector<std::string> words = {"sweep",
                                          "-o",
                                          out_,
                                          "--set",
                                          "bus.timeout=10us,20us",
                                          "--set",
                                          "fidelity=functional,timed",
                                          "--",
                                          "run",
                                          firmware("hello64")};
  EXPECT_EQ(run_tinytpu_vp(words).exit_code, 0);
  const std::string at_hand = TemporaryFolder::read(out_ + "/results.csv");
  EXPECT_EQ(run_tinytpu_vp(words).exit_code, 0);
  EXPECT_EQ(TemporaryFolder::read(out_ + "/results.csv"), at_hand);
}

/// A program that jumps to itself.
std::string endless_program(const TemporaryFolder& folder) {
  return write_program(folder, "endless.elf", std::string("\x6f\0\0\0", 4));
}

TEST_F(BothWaysOfPoints, an_interrupt_ends_the_copies_and_leaves_nothing_half_done) {
  ProgramInput input;
  input.signal = SIGINT;
  input.signal_after = std::chrono::milliseconds(1000);
  const ProgramResult result = run_tinytpu_vp(
      {"sweep", "-o", out_, "--set", "bus.timeout=10us,20us", "--jobs", "2", "--", "run", endless_program(folder_)},
      input);
  EXPECT_EQ(result.exit_code, 130) << result.error;
  EXPECT_NE(result.out.find("2 left (interrupted"), std::string::npos) << result.out;
  for (const char* name : {"points", "failed"}) EXPECT_TRUE(fs::is_empty(fs::path(out_) / name)) << name;
}

TEST_F(BothWaysOfPoints, a_limit_of_wall_clock_time_fails_the_copies) {
  const ProgramResult result = run_tinytpu_vp({"sweep", "-o", out_, "--set", "bus.timeout=10us,20us", "--", "run",
                                               "--timeout", "200ms", endless_program(folder_)});
  EXPECT_EQ(result.exit_code, 1) << result.error;
  EXPECT_NE(result.out.find("exit code 4: the wall-clock limit was reached"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace vp
