// The C driver against the device: its accesses go to the registers, and time passes while it polls or waits.
#include <gtest/gtest.h>

#include <cerrno>

#include "sw/driver/drra/drra.h"
#include "sw/drra/kernels.h"
#include "tests/drra/device_bench.h"

namespace vp::drra {
namespace {

constexpr std::uintptr_t kBase = 0x45000000;

/// The device behind the driver's access functions; one at a time.
DeviceBench* device_behind = nullptr;

class DrivenFabric {
 public:
  explicit DrivenFabric(bool by_interrupt, const DeviceConfig& config = {}) : bench(config) {
    device_behind = &bench;
    EXPECT_EQ(drra_init(&driver, kBase), 0);
    if (by_interrupt) drra_use_interrupt(&driver, wait, this);
  }
  ~DrivenFabric() { device_behind = nullptr; }
  std::int16_t memory_word(std::size_t address) const {
    return static_cast<std::int16_t>(bench.port.memory[address] | bench.port.memory[address + 1] << 8);
  }

  DeviceBench bench;
  ::drra driver{};
  unsigned waits = 0;

 private:
  /// Sleeps until the interrupt, as a wfi does.
  static void wait(void* context, const volatile std::uint32_t* events, std::uint32_t seen) {
    auto& self = *static_cast<DrivenFabric*>(context);
    while (*events == seen) {
      ++self.waits;
      while (!self.bench.lines.level() && self.bench.step()) {
      }
      ASSERT_TRUE(self.bench.lines.level()) << "nothing will ever wake the program";
      drra_interrupt(&self.driver);
    }
  }
};

}  // namespace
}  // namespace vp::drra

extern "C" {
void drra_io_write32(std::uintptr_t address, std::uint32_t value) {
  vp::drra::device_behind->write(address - vp::drra::kBase, value);
}
std::uint32_t drra_io_read32(std::uintptr_t address) {
  vp::drra::device_behind->run_to(vp::drra::device_behind->now() + 100'000);
  return vp::drra::device_behind->read(address - vp::drra::kBase);
}
}

namespace vp::drra {
namespace {

TEST(DrraDriver, knows_the_size_of_the_fabric) {
  DeviceConfig config;
  config.fabric.columns = 3;
  config.fabric.dimarch_rows = 4;
  config.fabric.io_rows = 10;
  config.fabric.start_skew = false;
  const DrivenFabric driven(false, config);
  EXPECT_EQ(driven.driver.columns, 3u);
  EXPECT_EQ(driven.driver.dimarch_rows, 4u);
  EXPECT_EQ(driven.driver.io_rows, 10u);
  EXPECT_FALSE(driven.driver.start_skew);
  EXPECT_EQ(drra_tile_row(&driven.driver, 2, 1, 5), (3u + 1) * 128 + 5);
}

TEST(DrraDriver, finds_no_fabric_where_none_is) {
  DrivenFabric driven(false);
  ::drra other;
  EXPECT_EQ(drra_init(&other, kBase + 0x40), -ENODEV);
}

TEST(DrraDriver, carries_rows_runs_a_kernel_and_carries_them_back) {
  for (const bool by_interrupt : {false, true}) {
    DrivenFabric driven(by_interrupt);
    for (unsigned i = 0; i < 96; ++i)
      driven.bench.port.memory[0x100 + i] = static_cast<std::uint8_t>(i % 2 == 0 ? i : 0);
    const drra_rows in = {drra_tile_row(&driven.driver, 1, 2, 0), 3, false};
    EXPECT_EQ(drra_carry_in(&driven.driver, in, 0x100), 0);
    EXPECT_EQ(drra_load(&driven.driver, 0, 2, drra_convolution_near.words, drra_convolution_near.count), 0);
    const std::uint64_t cycles = drra_run(&driven.driver);
    EXPECT_EQ(cycles, 195u);
    EXPECT_EQ(drra_cycles(&driven.driver), cycles);
    const drra_rows out = {drra_tile_row(&driven.driver, 1, 2, 3), 2, false};
    EXPECT_EQ(drra_carry_out(&driven.driver, out, 0x200), 0);
    for (int i = 0; i < 28; ++i) {
      int sum = 0;
      for (int k = 0; k < 4; ++k) sum += (64 + 2 * k) * 2 * (i + k);
      EXPECT_EQ(driven.memory_word(0x208 + 2 * static_cast<unsigned>(i)), sum) << i;
    }
    EXPECT_EQ(drra_peek(&driven.driver, 0, 2, 33), 66);
    EXPECT_EQ(drra_findings(&driven.driver), 0u);
    EXPECT_EQ(driven.waits, by_interrupt ? 3u : 0u);
    EXPECT_FALSE(driven.bench.lines.level());
  }
}

TEST(DrraDriver, rows_can_be_on_their_way_while_the_fabric_runs) {
  for (const bool by_interrupt : {false, true}) {
    DrivenFabric driven(by_interrupt);
    drra_load(&driven.driver, 0, 0, drra_convolution_near.words, drra_convolution_near.count);
    ASSERT_EQ(drra_start(&driven.driver), 0);
    EXPECT_EQ(drra_start(&driven.driver), -EBUSY);
    EXPECT_EQ(drra_run(&driven.driver), 0u);
    const drra_rows rows = {drra_tile_row(&driven.driver, 2, 0, 0), 128, false};
    ASSERT_EQ(drra_start_carry_in(&driven.driver, rows, 0), 0);
    EXPECT_EQ(drra_start_carry_out(&driven.driver, rows, 0), -EBUSY);
    drra_finish(&driven.driver);
    EXPECT_FALSE(drra_is_running(&driven.driver));
    EXPECT_EQ(drra_finish_carry(&driven.driver), 0);
    EXPECT_EQ(driven.bench.device.findings().size(), 0u) << "the driver starts nothing twice";
  }
}

TEST(DrraDriver, says_what_cannot_be_and_what_has_failed) {
  for (const bool by_interrupt : {false, true}) {
    DrivenFabric driven(by_interrupt);
    const std::uint32_t word = 0;
    EXPECT_EQ(drra_load(&driven.driver, 2, 0, &word, 1), -EINVAL);
    EXPECT_EQ(drra_load(&driven.driver, 0, 8, &word, 1), -EINVAL);
    EXPECT_EQ(drra_load(&driven.driver, 0, 0, &word, 65), -EINVAL);
    EXPECT_EQ(drra_carry_in(&driven.driver, {0, 0, false}, 0), -EINVAL);
    EXPECT_EQ(drra_carry_in(&driven.driver, {2047, 2, false}, 0), -EINVAL);
    EXPECT_EQ(drra_carry_in(&driven.driver, {1024, 1, true}, 0), -EINVAL);
    EXPECT_EQ(drra_carry_in(&driven.driver, {0, 2, false}, ~std::uint64_t{0} - 40), -EINVAL);
    EXPECT_EQ(drra_carry_in(&driven.driver, {0, 2, true}, 0x8000'0000), -EIO);
    EXPECT_EQ(drra_carry_in(&driven.driver, {0, 2, true}, 0), 0);
  }
}

}  // namespace
}  // namespace vp::drra
