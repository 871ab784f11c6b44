// The TCU in a machine: programs of the CPU drive it through the AXI DMA, and networks run on it without a CPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "models/tensil/architecture.h"
#include "tests/platform/temporary_folder.h"
#include "tests/support/dice.h"
#include "tests/system/program.h"
#include "tests/tensil/legal_program.h"

namespace vp {
namespace {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

using Settings = std::vector<std::string>;

const Settings kTcu = {"axidma0.kind=axidma",  "axidma0.base=0x40400000",  "axidma0.mm2s_interrupt=3",
                       "axidma0.mm2s=tensil0", "axidma0.s2mm_interrupt=4", "tensil0.kind=tensil"};

ProgramResult run_program(const std::string& program, const Settings& settings, Settings options = {"-q"}) {
  options.insert(options.begin(), "run");
  for (const std::string& setting : kTcu) options.insert(options.end(), {"--set", setting});
  for (const std::string& setting : settings) options.insert(options.end(), {"--set", setting});
  options.push_back(firmware(program));
  return run_tinytpu_vp(options);
}

TEST(TensilFirmware, demo_passes_however_the_machine_is_built) {
  for (const char* width : {"32", "64"})
    for (const Settings& build :
         {Settings{"fidelity=timed"}, Settings{"fidelity=functional"}, Settings{"axidma0.mm2s_interrupt=none"},
          Settings{"axidma0.length_width=8", "axidma0.outstanding=1"}, Settings{"tensil0.encoding=v2"},
          Settings{"tensil0.arch=ultra96v2"}, Settings{"tensil0.array_size=4", "axidma0.max_burst=2"},
          Settings{"bus.topology=shared", "dram0.preset=ddr4-2400", "axidma0.data_width=1024"},
          Settings{"tensil0.clock=7ns", "tensil0.axi_width=32", "axidma0.address_width=64"}}) {
      const ProgramResult result = run_program(std::string("tensil_demo") + width, build);
      EXPECT_EQ(result.exit_code, 0) << build[0] << '\n' << result.out << result.error;
      EXPECT_THAT(result.out, EndsWith("tensil_demo: passed\n")) << build[0];
      EXPECT_THAT(result.error, Not(HasSubstr("probe"))) << build[0];
    }
}

TEST(TensilFirmware, says_what_held_its_programs_up_and_the_causes_add_up) {
  const ProgramResult result = run_program("tensil_demo64", {}, {"--stats", "-", "--uart-output", "/dev/null"});
  ASSERT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.error, ContainsRegex("-- tensil0: busy .*, waiting for the host .*, idle .* cycles of programs"));
  EXPECT_THAT(result.error, HasSubstr("-- bounded by "));
  const nlohmann::json time = nlohmann::json::parse(result.out)["groups"]["tensil0"]["groups"]["time"];
  double held = 0, all = 0;
  for (const auto& [cause, figure] : time["groups"]["held_up_by"]["values"].items())
    held += figure["value"].get<double>();
  for (const auto& [name, figure] : time["values"].items())
    if (name != "total") all += figure["value"].get<double>();
  const auto value = [&](const char* name) { return time["values"][name]["value"].get<double>(); };
  EXPECT_EQ(held + value("idle"), value("total"));
  EXPECT_EQ(all, value("total"));
  EXPECT_GT(value("idle"), 0);
  for (const char* cause : {"array", "simd", "port_dram0", "port_dram1"})
    EXPECT_GT(time["groups"]["held_up_by"]["values"][cause]["value"].get<double>(), 0) << cause;
}

TEST(TensilFirmware, demo_is_skipped_without_a_tcu) {
  const ProgramResult result = run_tinytpu_vp({"run", "-q", firmware("tensil_demo64")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "tensil_demo: skipped, no Tensil TCU in the device tree\n");
}

TEST(TensilFirmware, names_of_the_vendors_layer_drive_it_as_tensils_own_driver_does) {
  for (const char* program : {"tensil_hal32", "tensil_hal64"})
    for (const char* mode : {"fidelity=timed", "fidelity=functional"}) {
      const ProgramResult result = run_program(program, {mode});
      EXPECT_EQ(result.exit_code, 0) << result.out << result.error;
      EXPECT_THAT(result.out, HasSubstr("tensil_hal: passed, 2 programs"));
    }
}

const Settings kSecondEngine = {"axidma1.kind=axidma", "axidma1.base=0x40410000", "axidma1.s2mm=tensil0"};

TEST(TensilFirmware, samples_come_over_a_second_engine_or_the_second_channel_of_the_first) {
  for (const Settings& engine : {kSecondEngine, Settings{"axidma0.s2mm=tensil0"}})
    for (const char* mode : {"fidelity=timed", "fidelity=functional"}) {
      Settings settings = engine;
      settings.emplace_back(mode);
      const ProgramResult result = run_program(mode[9] == 't' ? "tensil_hal64" : "tensil_hal32", settings);
      EXPECT_EQ(result.exit_code, 0) << result.out << result.error;
      // 100 products of 1024 vectors, a sample every 1000 cycles.
      EXPECT_THAT(result.out, ContainsRegex("samples: 1024, of the program: 10[0-9]\n.*\n  MatMul     10[0-4]\n"));
      EXPECT_THAT(result.out, EndsWith("bytes\n"));
    }
}

TEST(TensilFirmware, program_and_samples_may_be_files) {
  TemporaryFolder folder;
  const std::string text = folder.write("moves.s", "data_move.dram0_to_local 0, 0, 100\n");
  run_tinytpu_vp({"asm", "--device", "tensil-v1", "--arch", "pynqz1", "-o", folder.path("p"), text});
  Settings settings = kSecondEngine;
  settings.emplace_back("bootrom.boot_arguments=file=program,0x8C000000,8 file=samples,0x8D000000,8192");
  const ProgramResult result =
      run_program("tensil_hal64", settings, {"-q", "--load", folder.path("p") + "@0x8C000000"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.error;
  EXPECT_THAT(result.out, EndsWith("tensil_hal: passed, 2 programs of 32 bytes\n"));
}

TEST(TensilFirmware, network_from_files_that_were_loaded_beside_the_program_runs) {
  TemporaryFolder folder;
  // Image to local memory and out again, with a constant behind it: 9 bytes an instruction for pynqz1 less one.
  const std::string text = folder.write("copy.s",
                                        "data_move.dram0_to_local 0, 4, 1\ndata_move.dram1_to_local 1, 0, 1\n"
                                        "data_move.local_to_dram0 0, 8, 2\n");
  ASSERT_EQ(
      run_tinytpu_vp({"asm", "--device", "tensil-v1", "--arch", "pynqz1", "-o", folder.path("p"), text}).exit_code, 0);
  folder.write("c", std::string("\x05\x00", 2) + std::string(14, '\0'));
  folder.write("i", std::string("\x01\x00\xFE\xFF\x03\x00\x04\x00", 8));
  const ProgramResult result =
      run_program("tensil_net64",
                  {"bootrom.boot_arguments=program=0x84000000,24 constants=0x85000000,1 images=0x86000000,2,2 "
                   "input=4,1 output=8,2"},
                  {"-q", "--load", folder.path("p") + "@0x84000000", "--load", folder.path("c") + "@0x85000000",
                   "--load", folder.path("i") + "@0x86000000"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("image 0: 1 -2 0 0 0 0 0 0\nimage 1: 3 4 0 0 0 0 0 0\n"));
  for (const auto& [file, complaint] : std::vector<std::pair<std::string, std::string>>{
           {"nothing", "is not FILE@ADDRESS"}, {folder.path("c") + "@0x10", "0x10"}, {"/none@0x80000000", "/none"}})
    EXPECT_THAT(run_program("tensil_net64", {}, {"-q", "--load", file}).error, HasSubstr(complaint));
}

nlohmann::json tcu_figures_at(const std::string& quantum, const Settings& settings,
                              const std::string& program = "tensil_demo64") {
  Settings all = settings;
  all.push_back("cpu.quantum=" + quantum);
  const ProgramResult result = run_program(program, all, {"-q", "--uart-output", "", "--stats", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  nlohmann::json figures = nlohmann::json::parse(result.out)["groups"];
  for (const char* name : {"wall_time", "mips"}) figures["run"]["values"].erase(name);
  figures["cpu"]["values"].erase("synchronisations");
  for (const char* name : {"ordered", "synchronisations"}) figures["bus"]["values"].erase(name);
  for (const char* group : {"configuration", "provenance"}) figures.erase(group);
  return figures;
}

TEST(TensilFirmware, quantum_does_not_show_in_any_figure) {
  for (const Settings& settings :
       {Settings{"fidelity=timed"}, Settings{"fidelity=functional"}, Settings{"axidma0.mm2s_interrupt=none"},
        Settings{"bus.topology=shared", "dram0.preset=ddr4-2400"}}) {
    const nlohmann::json reference = tcu_figures_at("10us", settings);
    for (const char* quantum : {"1ns", "100ns", "10ms"})
      EXPECT_EQ(nlohmann::json::diff(reference, tcu_figures_at(quantum, settings)), nlohmann::json::array())
          << settings[0] << ' ' << quantum;
  }
}

TEST(TensilFirmware, quantum_does_not_show_in_samples_either) {
  const nlohmann::json reference = tcu_figures_at("10us", kSecondEngine, "tensil_hal64");
  EXPECT_EQ(reference["tensil0"]["groups"]["sampling"]["values"]["taken"]["value"], 3 * 1024);
  for (const char* quantum : {"100ns", "10ms"})
    EXPECT_EQ(nlohmann::json::diff(reference, tcu_figures_at(quantum, kSecondEngine, "tensil_hal64")),
              nlohmann::json::array());
}

TEST(TensilSettings, that_cannot_be_are_one_sentence) {
  const auto refused = [](const std::string& setting, const std::string& complaint) {
    const ProgramResult result = run_program("tensil_demo64", {setting});
    EXPECT_EQ(result.exit_code, 2) << setting;
    EXPECT_THAT(result.error, HasSubstr(complaint));
  };
  refused("axidma0.mm2s=tensil1", "the machine has no part tensil1");
  refused("axidma0.mm2s=uart0", "uart0 is no part that takes a stream");
  refused("axidma0.s2mm=uart0", "uart0 is no part that makes a stream");
  refused("tensil0.arch=pynqz9", "neither a board of Tensil's nor a .tarch file");
  refused("tensil0.axi_width=256", "no whole number of such beats");
  refused("tensil0.read_latency=3", "tensil0.read_latency");
}

/// A network of one dense layer and a ReLU, as Tensil's compiler would leave it: no probe at its end.
struct TensilMachineTest : testing::Test {
  TensilMachineTest() {
    const nlohmann::json sizes = {{"data_type", "FP16BP8"},    {"array_size", 4},    {"dram0_depth", 256},
                                  {"dram1_depth", 256},        {"local_depth", 64},  {"accumulator_depth", 32},
                                  {"simd_registers_depth", 1}, {"stride0_depth", 8}, {"stride1_depth", 8}};
    arch = folder.write("small.tarch", sizes.dump());
    machine = folder.write("machine.ini",
                           "[dram0]\nkind = memory\nbase = 0x80000000\nsize = 0x100000\n[axidma0]\nkind = axidma\n"
                           "base = 0x40400000\nmm2s = tensil0\n[tensil0]\nkind = tensil\narch = " +
                               arch + "\n");
    const std::string text = folder.write("net.s",
                                          "data_move.dram1_to_local 0, 0, 5\nload_weight 0, 5\n"
                                          "data_move.dram0_to_local 5, 0, 1\nmat_mul 5, 0, 1\n"
                                          "data_move.accumulator_to_local 6, 0, 1\ndata_move.local_to_dram0 6, 8, 1\n");
    EXPECT_EQ(run_tinytpu_vp({"asm", "--device", "tensil-v1", "--arch", arch, "-o", folder.path("net.tprog"), text})
                  .exit_code,
              0);
    folder.write("net.tdata", little_endian({128, 0, -256, 0, 512, -256, 0, 0, 0, 256, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    const nlohmann::json file = {
        {"name", "net"},
        {"prog", {{"file_name", "net.tprog"}, {"size", TemporaryFolder::read(folder.path("net.tprog")).size()}}},
        {"consts", {{{"file_name", "net.tdata"}, {"base", 0}, {"size", 5}}}},
        {"inputs", {{{"name", "x:0"}, {"base", 0}, {"size", 1}}}},
        {"outputs", {{{"name", "y:0"}, {"base", 8}, {"size", 1}}}},
        {"arch", sizes},
        {"load_consts_to_local", false}};
    model = folder.write("net.tmodel", file.dump());
    images = folder.write("images.csv", "1.0, 3\n-4.0,0,0,0\n");
  }
  static std::string little_endian(const std::vector<int>& scalars) {
    std::string bytes;
    for (const int scalar : scalars) {
      bytes += static_cast<char>(scalar);
      bytes += static_cast<char>(scalar >> 8);
    }
    return bytes;
  }
  ProgramResult run(Settings more = {}) {
    Settings all = {"run", "--machine", machine, "--tmodel", model, "--input", images};
    all.insert(all.end(), more.begin(), more.end());
    return run_tinytpu_vp(all);
  }

  TemporaryFolder folder;
  std::string arch, machine, model, images;
};

TEST_F(TensilMachineTest, has_the_outputs_of_the_bare_core) {
  const ProgramResult result = run({"--raw-output", folder.path("machine.out"), "--stats", folder.path("s.json")});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("image 1, y:0: class 1\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("finding")));
  run_tinytpu_vp({"run", "--tmodel", model, "--input", images, "--raw-output", folder.path("bare.out")});
  EXPECT_EQ(TemporaryFolder::read(folder.path("machine.out")), TemporaryFolder::read(folder.path("bare.out")));
  const nlohmann::json groups = nlohmann::json::parse(TemporaryFolder::read(folder.path("s.json")))["groups"];
  EXPECT_EQ(groups["run"]["values"]["frames"]["value"], 2);
  EXPECT_GT(groups["tensil0"]["groups"]["time"]["values"]["stall_dram0"]["value"], 0);
}

TEST_F(TensilMachineTest, takes_the_cycles_of_the_bare_core_when_its_memory_never_waits) {
  images = folder.write("one.csv", "1.0, 3\n");
  const ProgramResult bare = run_tinytpu_vp({"run", "--tmodel", model, "--input", images});
  EXPECT_THAT(bare.out, HasSubstr("cycles                33 a frame"));
  for (const char* mode : {"fidelity=functional", "fidelity=timed"}) {
    const ProgramResult result =
        run({"--set", "bus.latency_cycles=0", "--set", "dram0.latency=0ns", "--set", std::string(mode)});
    EXPECT_THAT(result.out, HasSubstr("dram1_read                     1          5         10")) << mode;
    // With the probes of the settings and of the program.
    EXPECT_THAT(result.out, HasSubstr("dram0_read                     3          3         18")) << mode;
    EXPECT_THAT(result.out, HasSubstr("dram0_write                    3          3          3")) << mode;
  }
}

TEST_F(TensilMachineTest, more_latency_is_waited_for_at_the_ports) {
  const ProgramResult near = run({"--set", "bus.latency_cycles=1"}), far = run({"--set", "bus.latency_cycles=30"});
  const auto cycles = [](const std::string& out) { return std::stoul(out.substr(out.find("cycles  ") + 8)); };
  EXPECT_GT(cycles(far.out), cycles(near.out) + 2 * 29);
}

TEST_F(TensilMachineTest, wrong_use_is_one_sentence) {
  const auto refused = [this](const Settings& more, const std::string& complaint) {
    const ProgramResult result = run(more);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.error, HasSubstr(complaint));
  };
  refused({"--set", "tensil0.local_depth=32"}, "is compiled for one architecture and runs on no other");
  refused({"--set", "axidma0.mm2s="}, "no DMA engine of the machine leads to tensil0");
  refused({"--set", "tensil0.present=false"}, "the machine has no Tensil TCU");
  refused({"--set", "dram0.size=4096"}, "no memory of the machine has room");
  refused({"--set", "tensil.read_latency=3"}, "tensil.read_latency");
}

TEST_F(TensilMachineTest, an_illegal_instruction_is_skipped_with_a_finding_or_ends_the_run) {
  const std::string text = folder.write("bad.s", "simd.write add 0, 0, input, r1, output\n");
  ASSERT_EQ(
      run_tinytpu_vp({"asm", "--device", "tensil-v1", "--arch", arch, "-o", folder.path("net.tprog"), text}).exit_code,
      0);
  nlohmann::json file = nlohmann::json::parse(TemporaryFolder::read(model));
  file["prog"]["size"] = TemporaryFolder::read(folder.path("net.tprog")).size();
  model = folder.write("bad.tmodel", file.dump());
  const ProgramResult skipped = run();
  EXPECT_EQ(skipped.exit_code, 0) << skipped.out;
  EXPECT_THAT(skipped.out, HasSubstr("illegal instructions"));
  const ProgramResult stopped = run({"--set", "tensil0.on_error=stop"});
  EXPECT_EQ(stopped.exit_code, 3);
  EXPECT_THAT(stopped.out, HasSubstr("stopped at program counter 4: simd.write add"));
}

TEST_F(TensilMachineTest, counts_samples_and_says_when_the_stream_brought_an_instruction) {
  const ProgramResult result = run({"--sample-interval", "1", "--log-instructions", "tensil=" + folder.path("log")});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, ContainsRegex("samples               [0-9]+, one every 1 cycles"));
  EXPECT_THAT(result.out, HasSubstr("between instructions"));
  std::istringstream log(TemporaryFolder::read(folder.path("log")));
  std::string line;
  std::getline(log, line);
  unsigned lines = 0;
  for (double number, pushed, issued; std::getline(log, line); ++lines) {
    std::istringstream words(line);
    ASSERT_TRUE(words >> number >> pushed >> issued) << line;
    EXPECT_LE(pushed, issued) << line;
    EXPECT_GT(pushed, 0);
  }
  EXPECT_EQ(lines, 5u + 2 * 8);  // settings with the interval and their probe, and two images
}

/// Writes a drawn program as the network's, all of DRAM0 but the probe's vectors as its output.
void draw_network(const TensilMachineTest& test, Dice& dice, unsigned threads, std::string& model) {
  nlohmann::json file = nlohmann::json::parse(TemporaryFolder::read(test.model));
  file["arch"]["number_of_threads"] = threads;
  file["outputs"][0] = {{"name", "y:0"}, {"base", 0}, {"size", 250}};
  tensil::Architecture sizes = tensil::parse_architecture(file["arch"].dump(), "test");
  std::string text;
  for (unsigned i = 0; i < 60; ++i) {
    const unsigned thread = dice.from_to(0, threads - 1), local = sizes.local_depth / threads;
    const std::string line =
        tensil::legal_line(dice, {thread * local, local - 1, thread * 16, sizes.accumulator_depth / threads,
                                  thread * 125, 250 / threads, thread == 0});
    if (line != "no_op") text += (threads > 1 ? "[" + std::to_string(thread) + "] " : "") + line + "\n";
  }
  const std::string arch = test.folder.write("drawn.tarch", file["arch"].dump());
  const ProgramResult made =
      run_tinytpu_vp({"asm", "--device", threads > 1 ? "tensil" : "tensil-v1", "--arch", arch, "-o",
                      test.folder.path("drawn.tprog"), test.folder.write("drawn.s", text)});
  ASSERT_EQ(made.exit_code, 0) << made.error;
  file["prog"] = {{"file_name", "drawn.tprog"},
                  {"size", TemporaryFolder::read(test.folder.path("drawn.tprog")).size()}};
  model = test.folder.write("drawn.tmodel", file.dump());
}

TEST_F(TensilMachineTest, drawn_programs_end_as_on_the_bare_core_in_either_mode_whatever_the_machine) {
  Dice dice(31);
  for (unsigned round = 0; round < 10; ++round) {
    const unsigned threads = dice.from_to(1, 2);
    std::string drawn;
    draw_network(*this, dice, threads, drawn);
    const std::string encoding = threads > 1 ? "v2" : "v1", bare = folder.path("bare"),
                      machine_out = folder.path("out");
    const ProgramResult alone = run_tinytpu_vp(
        {"run", "--tmodel", drawn, "--input", images, "--raw-output", bare, "--set", "tensil.encoding=" + encoding});
    ASSERT_EQ(alone.exit_code, 0) << alone.out << alone.error;
    for (const char* mode : {"functional", "timed"}) {
      const ProgramResult result = run_tinytpu_vp({"run",
                                                   "--machine",
                                                   machine,
                                                   "--tmodel",
                                                   drawn,
                                                   "--input",
                                                   images,
                                                   "--raw-output",
                                                   machine_out,
                                                   "--set",
                                                   "tensil0.number_of_threads=" + std::to_string(threads),
                                                   "--set",
                                                   "tensil0.encoding=" + encoding,
                                                   "--set",
                                                   "bus.latency_cycles=" + std::to_string(dice.from_to(0, 30)),
                                                   "--set",
                                                   "dram0.preset=" + dice.one_of({"fixed", "ddr4-2400", "lpddr4-3200"}),
                                                   "--set",
                                                   std::string("fidelity=") + mode,
                                                   "--set",
                                                   "tensil0.axi_width=" + dice.one_of({"32", "64"})});
      ASSERT_EQ(result.exit_code, 0) << result.out << result.error;
      EXPECT_EQ(TemporaryFolder::read(machine_out), TemporaryFolder::read(bare)) << mode << ' ' << threads;
    }
  }
}

TEST_F(TensilMachineTest, drawn_programs_that_a_cpu_feeds_show_nothing_of_its_quantum) {
  Dice dice(33);
  for (unsigned round = 0; round < 3; ++round) {
    std::string drawn;
    draw_network(*this, dice, 1, drawn);
    folder.write("i", little_endian({300, -77, 12, 5, -9, 1000, 3, 4}));
    const std::string program = folder.path("drawn.tprog"), constants = folder.path("net.tdata");
    const std::string size = std::to_string(TemporaryFolder::read(program).size());
    const std::string rows = std::to_string(dice.from_to(0, 249));
    for (const char* const mode : {"functional", "timed"}) {
      std::string reference;
      for (const char* const quantum : {"10us", "1ns", "200ns", "10ms"}) {
        const ProgramResult result =
            run_program("tensil_net64",
                        {"tensil0.arch=" + arch, std::string("fidelity=") + mode, std::string("cpu.quantum=") + quantum,
                         "bootrom.boot_arguments=program=0x84000000," + size +
                             " constants=0x85000000,5 images=0x86000000,2,4 input=0,1 output=" + rows + ",1"},
                        {"-q", "--load", program + "@0x84000000", "--load", constants + "@0x85000000", "--load",
                         folder.path("i") + "@0x86000000"});
        EXPECT_EQ(result.exit_code, 0) << result.error;
        EXPECT_THAT(result.out, HasSubstr("image 1:"));
        if (reference.empty()) reference = result.out;
        EXPECT_EQ(result.out, reference) << mode << ' ' << quantum;  // the cycles, too
      }
    }
  }
}

TEST_F(TensilMachineTest, every_figure_of_time_of_two_threads_says_that_it_is_an_estimate) {
  Dice dice(32);
  std::string drawn;
  draw_network(*this, dice, 2, drawn);
  const ProgramResult result = run_tinytpu_vp({"run", "--machine", machine, "--tmodel", drawn, "--input", images,
                                               "--sample-interval", "10", "--set", "tensil0.number_of_threads=2",
                                               "--set", "tensil0.encoding=v2", "--stats", folder.path("s.json")});
  ASSERT_EQ(result.exit_code, 0) << result.out << result.error;
  for (const char* const line : {"frames a second (estimate)\n", "% (estimate)\n", "(a frame) (estimate)\n",
                                 "bounds (estimate)\n", "decoder was at (estimate)\n"})
    EXPECT_THAT(result.out, HasSubstr(line));
  EXPECT_THAT(result.out, HasSubstr("All times of this run are an estimate"));
  const nlohmann::json groups = nlohmann::json::parse(TemporaryFolder::read(folder.path("s.json")))["groups"];
  for (const char* const name : {"simulated_time", "cycles", "frames_per_second"})
    EXPECT_THAT(groups["run"]["values"][name]["description"], HasSubstr("an estimate"));
  for (const auto& [kind, group] : groups["tensil0"]["groups"]["kinds"]["groups"].items())
    for (const char* const name : {"cycles", "work", "waited"})
      EXPECT_THAT(group["values"][name]["description"], HasSubstr("an estimate")) << kind;
}

}  // namespace
}  // namespace vp
