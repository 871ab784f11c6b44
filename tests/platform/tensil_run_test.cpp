// `run --tmodel`, and `asm` and `disasm` of Tensil programs, with a network of one dense layer and a ReLU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/platform/run_in_process.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

/// Bias and weights from DRAM1, the image from DRAM0 vector 0, the result max(0, y) to DRAM0 vector 8.
constexpr const char* kProgram =
    "data_move.dram1_to_local 0, 0, 5\n"
    "load_weight 0, 5\n"
    "data_move.dram0_to_local 5, 0, 1\n"
    "simd zero 0, 0, r1, r1, r1\n"
    "mat_mul 5, 0, 1\n"
    "simd.read.write max 0, 0, input, r1, output\n"
    "data_move.accumulator_to_local 6, 0, 1\n"
    "data_move.local_to_dram0 6, 8, 1\n";

json small_arch() {
  return {{"data_type", "FP16BP8"},    {"array_size", 4},    {"dram0_depth", 256},
          {"dram1_depth", 256},        {"local_depth", 64},  {"accumulator_depth", 32},
          {"simd_registers_depth", 1}, {"stride0_depth", 8}, {"stride1_depth", 8}};
}

std::string little_endian(const std::vector<int>& scalars) {
  std::string bytes;
  for (const int scalar : scalars) {
    bytes += static_cast<char>(scalar);
    bytes += static_cast<char>(scalar >> 8);
  }
  return bytes;
}

struct TensilRunTest : testing::Test {
  TensilRunTest() {
    arch = folder.write("small.tarch", small_arch().dump());
    program_text = folder.write("net.s", kProgram);
    assemble(program_text);
    // y0 = 0.5 + 2·x0, y1 = x1 - x0, y2 = -1
    constants = little_endian({128, 0, -256, 0, 512, -256, 0, 0, 0, 256, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    folder.write("net.tdata", constants);
    write_model();
    image = folder.write("image.bin", little_endian({256, 768, 0, 0}));
  }

  void assemble(const std::string& text) {
    const Outcome outcome = run({"asm", "--device", "tensil-v1", "--arch", arch, "-o", folder.path("net.tprog"), text});
    ASSERT_EQ(outcome.code, kExitSuccess) << outcome.error;
    program = TemporaryFolder::read(folder.path("net.tprog"));
  }

  void write_model() {
    const json file = {{"name", "net"},
                       {"prog", {{"file_name", "net.tprog"}, {"size", program.size()}}},
                       {"consts", {{{"file_name", "net.tdata"}, {"base", 0}, {"size", 5}}}},
                       {"inputs", {{{"name", "x:0"}, {"base", 0}, {"size", 1}}}},
                       {"outputs", {{{"name", "y:0"}, {"base", 8}, {"size", 1}}}},
                       {"arch", small_arch()},
                       {"load_consts_to_local", false}};
    model = folder.write("net.tmodel", file.dump());
  }

  std::vector<std::string> command(std::vector<std::string> more = {}) {
    std::vector<std::string> all = {"run", "--tmodel", model, "--input", image};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  TemporaryFolder folder;
  std::string arch, program_text, program, constants, model, image;
};

TEST_F(TensilRunTest, prints_the_outputs_with_the_class_and_the_cycles) {
  const Outcome outcome = run(command({"--classes", folder.write("names", "cat\ndog\nowl\n")}));
  EXPECT_EQ(outcome.code, kExitSuccess) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("image 0, y:0: class 0 (cat)\n  2.5000 2.0000 0.0000\n"));
  // 5 + 5, 5, 1 + 5, 1, 1, 7 of draining and 4, 1 + 2, 1
  EXPECT_THAT(outcome.out, HasSubstr("cycles                38 a frame"));
  EXPECT_THAT(outcome.out, HasSubstr("dram1                 40 bytes read, 0 written"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("finding")));
}

TEST_F(TensilRunTest, every_instruction_can_be_logged) {
  EXPECT_EQ(run(command({"--log-instructions", "tensil=" + folder.path("log")})).code, kExitSuccess);
  const std::string log = TemporaryFolder::read(folder.path("log"));
  EXPECT_THAT(
      log, HasSubstr("0                -            0.000          100.000  pc 0: data_move.dram1_to_local 0, 0, 5 "));
  // The last one ends with the run, 38 cycles of 10 ns.
  EXPECT_THAT(log, HasSubstr("          380.000  pc "));
}

TEST_F(TensilRunTest, samples_are_counted_by_what_the_decoder_was_at) {
  const Outcome outcome = run(command({"--sample-interval", "1", "--stats", folder.path("s.json")}));
  EXPECT_EQ(outcome.code, kExitSuccess) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("samples               38, one every 1 cycles, by what the decoder was at\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  data_move.dram1_to_local                          10   26.3 %\n"));
  const json groups = json::parse(TemporaryFolder::read(folder.path("s.json")))["groups"];
  EXPECT_EQ(groups["tensil"]["groups"]["samples"]["values"]["data_move_dram1_to_local"]["value"], 10);
  EXPECT_EQ(groups["tensil"]["groups"]["samples"]["values"]["total"]["value"], 38);
  EXPECT_THAT(run(command()).out, Not(HasSubstr("samples")));
}

TEST_F(TensilRunTest, time_is_told_by_layer_where_one_reads_what_another_wrote) {
  EXPECT_THAT(run(command()).out, Not(HasSubstr("layer")));
  assemble(folder.write("two.s", std::string(kProgram) + "data_move.dram0_to_local 5, 8, 1\nmat_mul 5, 0, 1\n" +
                                     "data_move.accumulator_to_local 6, 0, 1\ndata_move.local_to_dram0 6, 8, 1\n"));
  write_model();
  const Outcome outcome = run(command({"--stats", folder.path("s.json")}));
  EXPECT_EQ(outcome.code, kExitSuccess) << outcome.error;
  // 6 cycles of DRAM0, 1 and 7 of the array with its draining, 3, 1
  EXPECT_THAT(outcome.out, HasSubstr("  layer 1                        4         18   32.1        0.000"));
  const json layer = json::parse(
      TemporaryFolder::read(folder.path("s.json")))["groups"]["tensil"]["groups"]["layers"]["groups"]["layer1"];
  EXPECT_EQ(layer["values"]["cycles"]["value"], 18.0);
  EXPECT_EQ(layer["values"]["dram0_bytes_read"]["value"], 8);
  EXPECT_EQ(layer["groups"]["cycles_at"]["values"]["dram0"]["value"], 7.0);
}

TEST_F(TensilRunTest, several_images_run_one_after_another_and_can_be_limited) {
  image = folder.write("two.csv", "1.0, 3\n-4.0,0,0,0\n");
  const Outcome both = run(command({"--raw-output", folder.path("out")}));
  EXPECT_THAT(both.out, HasSubstr("image 1, y:0: class 1\n  0.0000 4.0000\n"));
  EXPECT_EQ(TemporaryFolder::read(folder.path("out")), little_endian({640, 512, 0, 0, 0, 1024, 0, 0}));
  EXPECT_THAT(run(command({"--images", "1"})).out, Not(HasSubstr("image 1")));
}

TEST_F(TensilRunTest, input_may_fill_some_lanes_only) {
  image = folder.write("one.bin", little_endian({256}));
  EXPECT_THAT(run(command({"--input-lanes", "1"})).out, HasSubstr("  2.5000\n"));
}

TEST_F(TensilRunTest, latency_and_width_are_parameters_that_the_statistics_note) {
  const Outcome outcome = run(command({"--set", "tensil.read_latency=30", "--set", "tensil.axi_width=32", "--stats",
                                       folder.path("s.json"), "--set", "tensil.clock=50MHz"}));
  EXPECT_EQ(outcome.code, kExitSuccess) << outcome.error;
  const json groups = json::parse(TemporaryFolder::read(folder.path("s.json")))["groups"];
  // Two beats a vector: 5 + 1 read and 1 written more than above; two reads of 30 more.
  EXPECT_EQ(groups["tensil"]["values"]["cycles"]["value"], 38 + 7 + 60);
  EXPECT_EQ(groups["run"]["values"]["simulated_time"]["value"], 105 * 20.0);
  EXPECT_EQ(groups["tensil"]["groups"]["time"]["groups"]["dram1_read"]["values"]["waited"]["value"], 35.0);
  EXPECT_EQ(groups["tensil"]["groups"]["dram0"]["values"]["bytes_written"]["value"], 8);
}

TEST_F(TensilRunTest, constants_may_be_wanted_in_local_memory_beforehand) {
  assemble(folder.write("local.s", std::string(kProgram).substr(std::string(kProgram).find('\n') + 1)));
  write_model();
  json file = json::parse(TemporaryFolder::read(model));
  file["load_consts_to_local"] = true;
  model = folder.write("local.tmodel", file.dump());
  EXPECT_THAT(run(command()).out, HasSubstr("2.5000 2.0000\n"));
}

TEST_F(TensilRunTest, an_illegal_instruction_ends_the_run_with_its_place_unless_the_hardware_is_wanted) {
  assemble(folder.write("bad.s", std::string("no_op\nsimd.write add 0, 0, input, r1, output\n") + kProgram));
  write_model();
  const Outcome stopped = run(command());
  EXPECT_EQ(stopped.code, kExitGuestError);
  EXPECT_THAT(stopped.out, HasSubstr("stopped at program counter 1: simd.write add 0, 0, input, r1, output: the SIMD "
                                     "operation takes an input, but none is read\n"));
  const Outcome skipped = run(command({"--set", "tensil.on_error=hardware"}));
  EXPECT_EQ(skipped.code, kExitSuccess);
  EXPECT_THAT(skipped.out, HasSubstr("2.5000 2.0000\n"));
  EXPECT_THAT(skipped.out, HasSubstr("1 × illegal instructions\n  at 1: simd.write add"));
}

TEST_F(TensilRunTest, wrong_use_is_a_user_error) {
  expect_user_error({"run", "--tmodel", model}, "--tmodel needs --input");
  expect_user_error({"run", "--input", image}, "--input needs --tmodel");
  expect_user_error(command({"x.elf"}), "exclude each other");
  expect_user_error(command({"--network", "4x4"}), "exclude each other");
  expect_user_error(command({"--drra", "x"}), "exclude each other");
  expect_user_error(command({"--trace", "x"}), "--trace is for programs of the CPU");
  expect_user_error(command({"--images", "0"}), "--images");
  expect_user_error(command({"--sample-interval", "0"}), "--sample-interval");
  expect_user_error(command({"--sample-interval", "65536"}), "--sample-interval: 65536 is out of range");
  expect_user_error({"run", "--sample-interval", "9"}, "--sample-interval needs --tmodel");
  expect_user_error(command({"--input-lanes", "5"}), "--input-lanes: 5 is out of range (allowed: 1 to 4)");
  expect_user_error(command({"--set", "tensil.array_size=8"}), "compiled for one architecture and runs on no other");
  expect_user_error(command({"--set", "tensil.axi_width=128"}), "no whole number of such beats");
  expect_user_error(command({"--set", "tensil.axi_width=48"}), "must be a power of two");
  expect_user_error(command({"--stats", "/none/s.json"}), "No such file");
  image = folder.write("odd.bin", "123");
  expect_user_error(command(),
                    "of 8 (1 vector of 4 scalars of 2 bytes; where a file fills only some lanes of each, --input-lanes "
                    "says how many)");
}

TEST_F(TensilRunTest, a_sweep_says_that_a_program_fits_one_architecture) {
  const std::vector<std::string> point = {"--", "run", "--tmodel", model, "--input", image};
  const auto swept = [&](const std::string& axis, const std::string& complaint) {
    std::vector<std::string> words = {"sweep", "--set", axis, "-o", folder.path("points")};
    words.insert(words.end(), point.begin(), point.end());
    expect_user_error(words, complaint);
  };
  swept("tensil.array_size=4,8", "compiled for one architecture and runs on no other");
  swept("tensil.axi_width=32,96", "must be a power of two");
  swept("tensil.speed=1", "tensil.speed");
  EXPECT_FALSE(std::filesystem::exists(folder.path("points")));
}

TEST_F(TensilRunTest, files_that_do_not_fit_the_model_are_a_user_error) {
  folder.write("net.tprog", program.substr(0, program.size() - 1));
  expect_user_error(command(), "net.tprog: has 47 bytes, but ");
  folder.write("net.tprog", program);
  folder.write("net.tdata", constants + "x");
  expect_user_error(command(), "net.tdata: has 41 bytes, but ");
  folder.write("net.tdata", constants);
  json file = json::parse(TemporaryFolder::read(model));
  file["prog"]["size"] = program.size() - 1;
  folder.write("net.tprog", program.substr(0, program.size() - 1));
  model = folder.write("cut.tmodel", file.dump());
  expect_user_error(command(), "no whole number of instructions of 6");
  model = folder.write("bad.tmodel", "{");
  expect_user_error(command(), "bad.tmodel: is no valid JSON");
  model = folder.path("none.tmodel");
  expect_user_error(command(), "No such file");
}

TEST_F(TensilRunTest, a_program_comes_back_as_its_text) {
  const Outcome outcome = run({"disasm", "--device", "tensil-v1", "--arch", arch, folder.path("net.tprog")});
  EXPECT_EQ(outcome.out, kProgram);
}

TEST_F(TensilRunTest, an_assembler_needs_an_architecture) {
  expect_user_error({"asm", "--device", "tensil", program_text}, "needs --arch");
  expect_user_error({"asm", "--device", "tinytpu", "--arch", "zcu104", program_text}, "--arch is for --device tensil");
  expect_user_error({"asm", "--device", "tensil", "--arch", folder.path("none.tarch"), program_text}, "No such file");
  expect_user_error({"asm", "--device", "tensil", "--arch", "cmoda7", folder.write("x.s", "no_op\n")},
                    "x.s:1:1: 'no_op' is no instruction");
}

}  // namespace
}  // namespace vp
