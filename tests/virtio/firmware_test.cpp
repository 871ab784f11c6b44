// Virtio devices in a machine that is composed on the command line, and the program that tests them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/report/volatile_figures.h"
#include "tests/system/program.h"
#include "tests/virtio/disk_image.h"

namespace vp {
namespace {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

using Settings = std::vector<std::string>;

const Settings kDisk = {"blk0.kind=virtio-blk", "blk0.base=0x10008000", "blk0.interrupt=16"};
const Settings kEntropy = {"rng0.kind=virtio-rng", "rng0.base=0x10009000", "rng0.interrupt=17"};

ProgramResult run(const std::vector<Settings>& settings, Settings options = {"-q"}, unsigned width = 64) {
  options.insert(options.begin(), "run");
  for (const Settings& some : settings)
    for (const std::string& setting : some) options.insert(options.end(), {"--set", setting});
  options.push_back(firmware("virtio_test" + std::to_string(width)));
  return run_tinytpu_vp(options);
}

nlohmann::json figures_of(const std::vector<Settings>& settings) {
  const ProgramResult result = run(settings, {"-q", "--uart-output", "", "--stats", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  return nlohmann::json::parse(result.out)["groups"];
}

TEST(VirtioFirmware, writes_to_the_image_only_what_it_shall) {
  const DiskImage image(1 << 20);
  const std::vector<std::uint8_t> before = image.bytes(0, 1 << 20);
  const auto written = std::filesystem::last_write_time(image.name());
  for (const unsigned width : {32u, 64u}) {
    EXPECT_EQ(run({kDisk, {"blk0.file=" + image.name()}}, {"-q"}, width).exit_code, 0);
    EXPECT_EQ(std::filesystem::last_write_time(image.name()), written) << "the overlay has all writes";
  }
  for (const unsigned width : {32u, 64u}) {
    EXPECT_EQ(run({kDisk, {"blk0.file=" + image.name(), "blk0.write=file"}}, {"-q"}, width).exit_code, 0);
    EXPECT_EQ(image.bytes(0, 1 << 20), before) << "the program puts back what it has overwritten";
  }
  EXPECT_NE(std::filesystem::last_write_time(image.name()), written);
  const ProgramResult read_only = run({kDisk, {"blk0.file=" + image.name(), "blk0.write=none"}});
  EXPECT_EQ(read_only.exit_code, 1);
  EXPECT_THAT(read_only.out, HasSubstr("FAILED write of sectors (1)\n"));
  EXPECT_THAT(read_only.out, Not(HasSubstr("FAILED read")));
}

TEST(VirtioFirmware, has_the_figures_of_what_the_program_does) {
  const nlohmann::json figures = figures_of({kDisk, kEntropy});
  const nlohmann::json& disk = figures["blk0"]["values"];
  EXPECT_EQ(disk["requests"]["value"], 66);
  EXPECT_EQ(disk["reads"]["value"], 39);
  EXPECT_EQ(disk["interrupts"]["value"], 50) << "the others are polled";
  EXPECT_EQ(disk["failed"]["value"], 3) << "those that the program wants to fail";
  EXPECT_GT(disk["read_bytes"]["value"], 16 * 512);
  EXPECT_GT(disk["latency_min"]["value"], 50'000) << "the medium's own";
  EXPECT_EQ(figures["rng0"]["values"]["bytes"]["value"], 64);
}

const Settings kConsole = {"vcon0.kind=virtio-console", "vcon0.base=0x1000A000", "vcon0.interrupt=18",
                           "vcon0.output=-"};

TEST(VirtioFirmware, talks_to_a_console) {
  const DiskImage input(0);
  std::ofstream(input.name()) << "from a file\n";
  const ProgramResult result = run({kConsole, {"vcon0.input=" + input.name()}});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("virtio console: a line, please\n"));
  EXPECT_THAT(result.out, HasSubstr("console at 0x1000a000: was told from a file\n"));
}

TEST(VirtioFirmware, wakes_for_input_that_comes_when_it_comes) {
  ProgramInput input;
  input.text = "from a pipe\n";
  Settings command = {"run", "-q", "--uart-input", ""};
  for (const std::string& setting : kConsole) command.insert(command.end(), {"--set", setting});
  command.insert(command.end(), {"--set", "vcon0.input=-", firmware("virtio_test64")});
  const ProgramResult result = run_tinytpu_vp(command, input);
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("was told from a pipe\n"));
}

TEST(VirtioFirmware, that_waits_for_input_which_cannot_come_ends_with_a_reason) {
  const ProgramResult result = run({kConsole});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.error, HasSubstr("wait"));
}

TEST(VirtioFirmware, tells_a_person_what_is_impossible_in_one_sentence) {
  const ProgramResult none = run({kDisk, {"blk0.file=/no/such/disk.img"}});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.error, HasSubstr("the disk image '/no/such/disk.img' cannot be used: No such file or directory."));
  EXPECT_THAT(run({kDisk, {"blk0.queue_size=100"}}).error, HasSubstr("blk0: queue_size 100 is not a power of two."));
  EXPECT_THAT(run({kDisk, {"blk0.serial=a-name-of-23-characters"}}).error, HasSubstr("has more than 20 bytes."));
  EXPECT_THAT(run({kDisk, {"blk0.size=1000"}}).error, HasSubstr("blk0: size 1000 is no multiple of 512."));
}

TEST(VirtioFirmware, describes_its_registers_by_the_specifications_names) {
  Settings command = {"registers"};
  for (const std::string& setting : kDisk) command.insert(command.end(), {"--set", setting});
  command.emplace_back("blk0");
  const ProgramResult result = run_tinytpu_vp(command);
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, ContainsRegex("0x00000070 +Status "));
  EXPECT_THAT(result.out, ContainsRegex("DEVICE_NEEDS_RESET"));
  EXPECT_THAT(result.out, ContainsRegex("0x00000100 +capacity "));
}

/// Everything but the host's speed, what was asked for, and how often somebody waited for the kernel.
nlohmann::json figures_at(const std::string& quantum, const Settings& settings) {
  nlohmann::json figures = figures_of({kDisk, kEntropy, settings, {"cpu.quantum=" + quantum}});
  for (auto& group : figures) remove_volatile_figures(group);
  for (const char* name : {"ordered", "synchronisations"}) figures["bus"]["values"].erase(name);
  figures.erase("configuration");
  return figures;
}

class VirtioQuantum : public testing::TestWithParam<Settings> {};

TEST_P(VirtioQuantum, does_not_show_in_any_figure) {
  const nlohmann::json reference = figures_at("10us", GetParam());
  for (const char* quantum : {"1ns", "100ns", "1us", "10ms"})
    EXPECT_EQ(nlohmann::json::diff(reference, figures_at(quantum, GetParam())), nlohmann::json::array()) << quantum;
}

INSTANTIATE_TEST_SUITE_P(
    Modes, VirtioQuantum,
    testing::Values(Settings{"fidelity=functional"}, Settings{"fidelity=timed"},
                    Settings{"fidelity=functional", "blk0.latency=0ps", "blk0.bandwidth=0"},
                    Settings{"fidelity=functional", "blk0.latency=1us", "cpu.clock=1ns"},
                    Settings{"fidelity=functional", "blk0.latency=333ns", "cpu.clock=3ns", "blk0.clock=7ns"},
                    Settings{"fidelity=timed", "blk0.latency=1us", "cpu.clock=1ns"},
                    Settings{"fidelity=timed", "bus.topology=shared", "blk0.latency=1us", "dram0.preset=ddr4-2400"}));

}  // namespace
}  // namespace vp
