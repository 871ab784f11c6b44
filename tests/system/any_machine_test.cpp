// Machines composed at random on the command line: whatever a user asks for either runs until the guest or a limit ends
// it, or is refused in one sentence; and it is the same machine when it is given as a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "tests/platform/temporary_folder.h"
#include "tests/support/dice.h"
#include "tests/system/program.h"

namespace vp {
namespace {

using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Settings = std::vector<std::string>;

/// Seconds of wall clock that a run may take; simulated time is limited, so one that takes longer hangs.
constexpr double kPatience = 10 * kTimeBudget;

/// Beside the parts of the default machine some more, which have place and lines of their own.
class SoundMachine {
 public:
  explicit SoundMachine(Dice& dice) : dice_(dice) {
    for (const char* part : {"dram1", "clint", "plic", "uart0", "tpu", "matmul"})
      if (dice_.one_in(6)) set(part, "present", "false");
    if (dice_.one_in(3)) {
      set("traffic0", "present", "true");
      set("traffic0", "base", "0x80000000");
    }
    for (unsigned i = dice_.from_to(1, 8); i > 0; --i) add(dice_.one_of(kinds()));
    slow_clocks();
    set("bus", "width", std::to_string(dice_.power_of_two(32, 4)));
    set("bus", "topology", dice_.one_of({"crossbar", "shared"}));
    set("bus", "arbitration", dice_.one_of({"first-come", "fixed-priority", "round-robin"}));
    settings_.push_back("fidelity=" + dice_.one_of({"functional", "timed"}));
  }
  const Settings& settings() const { return settings_; }

 protected:
  static const std::vector<std::string>& kinds() {
    static const std::vector<std::string> all = {
        "memory", "uart", "plic", "clint",  "finisher", "bootrom",    "tinytpu",    "traffic",
        "matmul", "cdma", "drra", "axidma", "tensil",   "virtio-blk", "virtio-rng", "virtio-console"};
    return all;
  }
  void set(const std::string& part, const std::string& setting, const std::string& value) {
    settings_.push_back(part + "." + setting + "=" + value);
  }
  std::string add(const std::string& kind) {
    constexpr std::uint64_t largest_window = 0x400'0000;
    const std::string part =
        dice_.one_of({kind.substr(0, kind.find('-')) + "_", "x", "bus_", "stop_signal"}) + std::to_string(++added_);
    set(part, "kind", kind);
    if (kind == "matmul") {
      set(part, "serial", add("uart"));
    } else if (kind == "traffic") {
      set(part, "base", "0x80000000");
      set(part, "end", "100us");
    } else if (kind != "tensil") {
      set(part, "base", std::to_string((64u + added_) * largest_window));
    }
    if (kind == "axidma") {
      const unsigned input = 11 + added_;
      set(part, "mm2s_interrupt", std::to_string(input));
      if (dice_.one_in(2)) {
        const std::string tcu = add("tensil");
        set(part, "mm2s", tcu);
        if (dice_.one_in(2)) set(part, "s2mm", tcu);
      }
    }
    if (kind == "memory") size(part);
    if (kind == "tinytpu") set(part, "matrix_width", std::to_string(dice_.from_to(2, 16)));
    if (kind == "tinytpu" || kind == "cdma" || kind == "uart" || kind == "drra" || kind.rfind("virtio", 0) == 0)
      set(part, "interrupt", std::to_string(11 + added_));
    return part;
  }

  Dice& dice_;
  Settings settings_;

 private:
  void size(const std::string& memory) {
    set(memory, "size", std::to_string(dice_.power_of_two(4096, 12)));
    set(memory, "preset", dice_.one_of({"fixed", "ddr3-1600", "ddr4-2400", "lpddr4-3200", "ddr4-3200"}));
  }
  void slow_clocks() {
    for (const char* part : {"cpu", "bus"})
      if (dice_.one_in(3)) set(part, "clock", dice_.one_of({"1ns", "33333ps", "1MHz", "1kHz", "1s"}));
  }

  unsigned added_ = 0;
};

/// Such a machine with settings that may be impossible.
class AnyMachine : public SoundMachine {
 public:
  explicit AnyMachine(Dice& dice) : SoundMachine(dice) {
    for (unsigned i = dice_.from_to(1, 3); i > 0; --i) spoil();
  }

 private:
  void spoil() {
    const std::string part = dice_.one_of({"dram0", "dram1", "uart0", "uart1", "plic", "clint", "bootrom", "tpu",
                                           "finisher", "matmul", "traffic0", "cpu", "late"});
    if (part == "late") set(part, "kind", dice_.one_of({"cpu", "memory", "uart", "bootrom", "lamp", "plic"}));
    if (dice_.one_in(4)) return set(part, "present", "false");
    static const std::map<std::string, std::vector<std::string>> range_ends = {
        {"dram0", {"size=4096", "size=68719476736", "size=4097", "preset=ddr4-3200", "bytes_per_cycle=1024"}},
        {"dram1", {"size=68719476736", "latency=1ms", "address_mapping=none", "ini_file=/nowhere.ini"}},
        {"uart0", {"interrupt=none", "interrupt=0", "interrupt=11", "interrupt=plic9:1", "input=/nowhere/at/all"}},
        {"uart1", {"interrupt=32", "interrupt=plic:31", "interrupt=tpu:1", "output=-", "clock_frequency=16"}},
        {"plic", {"sources=1", "sources=1023", "priority_bits=32", "sources=1024"}},
        {"clint", {"timer_clock=1s", "timer_clock=1ps", "timer_clock=0s"}},
        {"tpu", {"matrix_width=256", "weight_depth=16777216", "unified_buffer_depth=1", "fifo_depth=65536"}},
        {"matmul", {"serial=uart0", "serial=plic", "serial=nobody", "serial=matmul", "mesh=16", "memory_words=300"}},
        {"traffic0", {"present=true", "size=68719476736", "burst=4096", "outstanding=64", "base=0x100000000"}},
        {"cpu", {"quantum=1s", "quantum=1ns", "isa=rv32imac", "icache.line=256", "dcache.size=64", "kind=memory"}},
    };
    if (const auto ends = range_ends.find(part); ends != range_ends.end() && dice_.one_in(2))
      settings_.push_back(part + "." + dice_.one_of(ends->second));
    else
      set(part, "base",
          dice_.one_of({"0", "0x1000", "0x80000000", "0xc0000000", "0x43c00000", "0x70000000", "0x108000000",
                        "0xfffffffffffff000", "0xffffffffffffffff", "0x10000000000000000"}));
  }
};

class MachineOfSeed : public testing::TestWithParam<unsigned> {
 protected:
  ProgramResult run(std::vector<std::string> machine) {
    machine.insert(machine.begin(), {"run", "-q", "--log-level", "silent", "--max-time", "20ms", "--timeout", "60s"});
    machine.push_back(program_);
    const ProgramResult result = run_tinytpu_vp(machine);
    EXPECT_LT(result.seconds.count(), kPatience);
    return result;
  }
  static std::vector<std::string> options(const Settings& settings) {
    std::vector<std::string> all;
    for (const std::string& setting : settings) all.insert(all.end(), {"--set", setting});
    return all;
  }
  static void expect_refusal(const ProgramResult& result) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.error, StartsWith("tinytpu-vp: "));
    EXPECT_THAT(result.error, EndsWith("\n"));
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
  }
  static void expect_guests_end(const ProgramResult& result) {
    EXPECT_THAT(result.exit_code, AnyOf(0, 1, 3, 4)) << result.error;
    EXPECT_THAT(result.error, Not(HasSubstr("warning"))) << "of the kernel, which would be about our own models";
  }
  void expect_same(const std::vector<std::string>& machine, const ProgramResult& expected) {
    const ProgramResult result = run(machine);
    EXPECT_EQ(result.exit_code, expected.exit_code) << result.error;
    EXPECT_EQ(result.out, expected.out);
    const bool refused = expected.exit_code == 2;  // in words about the command line or the file
    EXPECT_EQ(refused ? "" : result.error, refused ? "" : expected.error);
  }
  void expect_same_as_file(const Settings& settings, const ProgramResult& expected) {
    std::vector<std::string> show = options(settings);
    show.insert(show.begin(), "machine");
    const ProgramResult text = run_tinytpu_vp(show);
    if (text.exit_code != 0) {
      EXPECT_EQ(expected.exit_code, 2);
      return expect_refusal(text);
    }
    const std::string file = folder_.write("machine.ini", text.out);
    EXPECT_EQ(run_tinytpu_vp({"machine", "--machine", file}).out, text.out);
    expect_same({"--machine", file}, expected);
  }

  TemporaryFolder folder_;
  Dice dice_{GetParam()};
  const std::string program_ = firmware(dice_.one_of({"hello64", "selftest64", "digits_parallel64"}));
};

TEST_P(MachineOfSeed, a_sound_one_runs_and_is_the_same_as_a_file_and_from_its_dumped_settings) {
  const Settings settings = SoundMachine(dice_).settings();
  SCOPED_TRACE(program_ + testing::PrintToString(settings));
  std::vector<std::string> machine = options(settings);
  machine.insert(machine.end(), {"--dump-config", folder_.path("settings.ini")});
  const ProgramResult result = run(machine);
  expect_guests_end(result);
  expect_same({"--config", folder_.path("settings.ini")}, result);
  expect_same_as_file(settings, result);
}

TEST_P(MachineOfSeed, any_one_runs_or_is_refused_in_one_sentence_and_so_is_its_file) {
  const Settings settings = AnyMachine(dice_).settings();
  SCOPED_TRACE(program_ + testing::PrintToString(settings));
  const ProgramResult result = run(options(settings));
  if (result.exit_code == 2)
    expect_refusal(result);
  else
    expect_guests_end(result);
  expect_same_as_file(settings, result);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MachineOfSeed, testing::Range(1u, 17u));

}  // namespace
}  // namespace vp
