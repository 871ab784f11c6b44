// Machines are saved in the middle of programs and restored in another process, which goes on from there.
#include <gtest/gtest.h>

#include "tests/support/dice.h"
#include "tests/system/saved_machine.h"

namespace vp {
namespace {

/// A firmware program, which must fit.
MadeProgram firmware_program(const std::string& name) {
  return [path = TINYTPU_VP_FIRMWARE_FOLDER "/" + name + ".elf"](const MachineSettings& settings) {
    ElfProgram program = read_elf(path);
    fit_segments(program, loadable_ranges(settings.outline()), path);
    return program;
  };
}

void expect_restored_runs_end_equal(const std::string& program, const std::string& fidelity, unsigned points,
                                    std::vector<std::string> settings = {}) {
  SCOPED_TRACE(program + ", " + fidelity);
  settings.push_back("fidelity=" + fidelity);
  vp::expect_restored_runs_end_equal(firmware_program(program), points, std::move(settings));
}

TEST(SavedMachine, digits_goes_on_in_another_process) { expect_restored_runs_end_equal("digits64", "functional", 8); }
TEST(SavedMachine, digits_in_timed_mode_goes_on_in_another_process) {
  expect_restored_runs_end_equal("digits64", "timed", 8);
}
TEST(SavedMachine, digits_with_a_dram_of_rows_and_banks_goes_on_in_another_process) {
  expect_restored_runs_end_equal("digits64", "timed", 6, {"dram0.preset=ddr3-1600", "bus.topology=shared"});
}
TEST(SavedMachine, the_self_test_goes_on_in_another_process) {
  expect_restored_runs_end_equal("selftest64", "functional", 6);
  expect_restored_runs_end_equal("selftest64", "timed", 6);
}
TEST(SavedMachine, a_conversation_with_the_matmul_device_goes_on_in_another_process) {
  expect_restored_runs_end_equal("matmul64", "functional", 6);
  expect_restored_runs_end_equal("matmul64", "timed", 6);
}
TEST(SavedMachine, a_run_that_changes_its_fidelity_goes_on_in_another_process) {
  expect_restored_runs_end_equal("region64", "functional", 8);
}

using Settings = std::vector<std::string>;

/// Both beside the program's data, one in bursts and at a rate, the other as fast as it can.
const Settings kOneGenerator = {"traffic0.present=true", "traffic0.base=0x84000000", "traffic0.rate=200000000",
                                "traffic0.writes=30",    "traffic0.outstanding=8",   "traffic0.pattern=random"};
const Settings kTwoGenerators = {"traffic0.present=true", "traffic0.base=0x84000000", "traffic0.rate=200000000",
                                 "traffic0.writes=30",    "traffic1.present=true",    "traffic1.base=0x84000000",
                                 "traffic1.burst=1024"};  // fills its link

TEST(SavedMachine, one_with_a_generator_of_traffic_goes_on_in_another_process) {
  expect_restored_runs_end_equal("digits64", "functional", 3, kOneGenerator);
  expect_restored_runs_end_equal("digits64", "timed", 3, kOneGenerator);
}
TEST(SavedMachine, one_with_two_generators_goes_on_in_another_process) {
  expect_restored_runs_end_equal("region64", "functional", 4, kTwoGenerators);
  expect_restored_runs_end_equal("hello64", "timed", 4, kTwoGenerators);
}
TEST(SavedMachine, one_with_generators_that_share_its_bus_goes_on_in_another_process) {
  Settings shared = kTwoGenerators;
  shared.insert(shared.end(), {"bus.topology=shared", "dram0.preset=ddr4-2400"});
  expect_restored_runs_end_equal("hello64", "timed", 4, shared);
}
TEST(SavedMachine, one_with_a_dma_engine_goes_on_in_another_process_in_the_middle_of_its_copies) {
  const Settings cdma = {"cdma0.kind=cdma", "cdma0.base=0x4E200000", "cdma0.interrupt=6"};
  expect_restored_runs_end_equal("cdma_test64", "functional", 6, cdma);
  expect_restored_runs_end_equal("cdma_test64", "timed", 6, cdma);
  expect_restored_runs_end_equal("drra_demo64", "timed", 6, {"drra.present=true"});
  Settings loaded = cdma;
  loaded.insert(loaded.end(), kOneGenerator.begin(), kOneGenerator.end());
  expect_restored_runs_end_equal("digits_cdma64", "timed", 4, loaded);
}
TEST(SavedMachine, one_with_virtio_devices_goes_on_in_another_process_in_the_middle_of_their_requests) {
  const Settings virtio = {"blk0.kind=virtio-blk", "blk0.base=0x10008000", "blk0.interrupt=16",
                           "rng0.kind=virtio-rng", "rng0.base=0x10009000", "rng0.interrupt=17"};
  expect_restored_runs_end_equal("virtio_test64", "functional", 6, virtio);
  expect_restored_runs_end_equal("virtio_test64", "timed", 6, virtio);
}
TEST(SavedMachine, one_with_a_tensil_tcu_goes_on_in_another_process) {
  const Settings tcu = {"axidma0.kind=axidma",  "axidma0.base=0x40400000", "axidma0.mm2s_interrupt=3",
                        "axidma0.mm2s=tensil0", "tensil0.kind=tensil",     "bus.latency_cycles=20"};
  expect_restored_runs_end_equal("tensil_demo64", "timed", 12, tcu);
  expect_restored_runs_end_equal("tensil_demo64", "functional", 6, tcu);
  Settings sampled = tcu;
  sampled.insert(sampled.end(), {"axidma1.kind=axidma", "axidma1.base=0x40410000", "axidma1.s2mm=tensil0"});
  expect_restored_runs_end_equal("tensil_hal64", "timed", 3, sampled);
}

/// Generators and DMA engines of any number and kind, on any bus.
Settings random_machine(Dice& dice) {
  Settings settings;
  const auto set = [&](const std::string& parameter, const std::string& value) {
    settings.push_back(parameter);
    settings.back() += "=" + value;
  };
  for (unsigned i = dice.from_to(1, 3); i > 0; --i) {
    const std::string generator = "generator" + std::to_string(i) + ".";
    set(generator + "kind", "traffic");
    set(generator + "base", dice.one_of({"0x80000000", "0x84000000", "0xc8000000"}));
    set(generator + "pattern", dice.one_of({"sequential", "random"}));
    set(generator + "burst", dice.one_of({"8", "64", "600", "4096"}));
    set(generator + "outstanding", dice.one_of({"1", "4", "64"}));
    set(generator + "writes", dice.one_of({"0", "50"}));
    set(generator + "rate", dice.one_of({"10000000", "100000000"}));
    set(generator + "begin", dice.one_of({"0s", "700us"}));
  }
  for (const char* cdma : {"cdma0.", "cdma1."}) {
    set(cdma + std::string("kind"), "cdma");
    set(cdma + std::string("base"), cdma[4] == '0' ? "0x4E200000" : "0x4E210000");
    set(cdma + std::string("interrupt"), cdma[4] == '0' ? "6" : "26");
    set(cdma + std::string("clock"), dice.one_of({"10ns", "7ns", "100ns"}));
    set(cdma + std::string("outstanding"), dice.one_of({"1", "8"}));
  }
  set("bus.topology", dice.one_of({"crossbar", "shared"}));
  set("bus.arbitration", dice.one_of({"first-come", "fixed-priority", "round-robin"}));
  set("bus.latency_cycles", dice.one_of({"0", "1", "3"}));
  set("bus.outstanding", dice.one_of({"0", "3"}));
  set("dram0.preset", dice.one_of({"fixed", "ddr3-1600"}));
  return settings;
}

class SavedMachineOfSeed : public testing::TestWithParam<unsigned> {};

TEST_P(SavedMachineOfSeed, goes_on_in_another_process) {
  Dice dice(GetParam());
  const Settings settings = random_machine(dice);
  SCOPED_TRACE(testing::PrintToString(settings));
  expect_restored_runs_end_equal(dice.one_of({"hello64", "digits_cdma64"}), dice.one_of({"functional", "timed"}), 2,
                                 settings);
}
INSTANTIATE_TEST_SUITE_P(Seeds, SavedMachineOfSeed, testing::Range(1u, 13u));

TEST(SavedMachine, one_whose_links_always_have_somebody_waiting_is_never_quiet_and_says_so) {
  Scenario scenario(firmware_program("hello64"), {"fidelity=timed", "traffic0.present=true", "traffic0.base=0x84000000",
                                                  "bus.arbitration=round-robin"});
  scenario.run_without_a_quiet_moment(100'000'000);
}

}  // namespace
}  // namespace vp
