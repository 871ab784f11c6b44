// The C driver against the core: its accesses go to the registers, and time passes while it polls or waits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "sw/driver/cdma/cdma.h"
#include "tests/cdma/bench.h"

namespace vp {
namespace {

constexpr std::uintptr_t kBase = 0x4E200000;

/// The device behind the driver's access functions; one at a time.
CdmaBench* device_behind = nullptr;

class DrivenCdma {
 public:
  explicit DrivenCdma(const cdma::CdmaConfig& config = {}) : bench(config) {
    device_behind = &bench;
    const cdma_geometry geometry{config.data_width, config.btt_width, config.address_width, config.include_dre};
    EXPECT_EQ(cdma_init(&driver, kBase, &geometry), 0);
  }
  ~DrivenCdma() { device_behind = nullptr; }
  void use_interrupt() { cdma_use_interrupt(&driver, wait, this); }
  /// The bytes that a copy should have brought.
  bool arrived(std::uint64_t destination, std::uint64_t source, std::size_t bytes) const {
    for (std::size_t i = 0; i < bytes; ++i)
      if (bench.port.memory[destination + i] != static_cast<std::uint8_t>(source + i + 1)) return false;
    return true;
  }

  CdmaBench bench;
  ::cdma driver{};
  unsigned waits = 0;

 private:
  /// Sleeps until the interrupt, as a wfi does.
  static void wait(void* context, const volatile std::uint32_t* completed, std::uint32_t seen) {
    auto& self = *static_cast<DrivenCdma*>(context);
    while (*completed == seen) {
      ++self.waits;
      while (!self.bench.lines.level() && self.bench.step()) {
      }
      ASSERT_TRUE(self.bench.lines.level()) << "nothing will ever wake the program";
      cdma_interrupt(&self.driver);
    }
  }
};

}  // namespace
}  // namespace vp

extern "C" {
void cdma_io_write32(std::uintptr_t address, std::uint32_t value) {
  vp::device_behind->write(static_cast<unsigned>(address - vp::kBase), value);
}
std::uint32_t cdma_io_read32(std::uintptr_t address) {
  vp::device_behind->step();
  return vp::device_behind->read(static_cast<unsigned>(address - vp::kBase));
}
}

namespace vp {
namespace {

TEST(CdmaDriver, copies_by_polling) {
  DrivenCdma driven;
  EXPECT_EQ(cdma_copy(&driven.driver, 0x8003, 0x101, 1000), 0);
  EXPECT_TRUE(driven.arrived(0x8003, 0x101, 1000));
  EXPECT_EQ(cdma_residue(&driven.driver), 0u);
  EXPECT_EQ(driven.driver.completed, 1u);
}

TEST(CdmaDriver, copies_by_interrupt_and_leaves_the_line_low) {
  DrivenCdma driven;
  driven.use_interrupt();
  EXPECT_EQ(cdma_copy(&driven.driver, 0x8000, 0, 4096), 0);
  EXPECT_TRUE(driven.arrived(0x8000, 0, 4096));
  EXPECT_EQ(driven.waits, 1u);
  EXPECT_FALSE(driven.bench.lines.level());
}

TEST(CdmaDriver, cuts_what_is_longer_than_the_register_into_pieces) {
  for (unsigned width : {8u, 10u, 12u, 13u}) {
    for (bool by_interrupt : {false, true}) {
      cdma::CdmaConfig config;
      config.btt_width = width;
      config.include_dre = false;
      DrivenCdma driven(config);
      if (by_interrupt) driven.use_interrupt();
      const std::uint32_t piece = cdma_largest_piece(&driven.driver);
      EXPECT_LT(piece, 1u << width);
      EXPECT_EQ(piece % 8, 0u) << "the next piece has the same place in a word";
      EXPECT_EQ(cdma_copy(&driven.driver, 0x8000, 0, 3 * piece + 5), 0);
      EXPECT_TRUE(driven.arrived(0x8000, 0, 3 * piece + 5)) << width;
      EXPECT_EQ(driven.bench.core.figures().transfers, 4u);
    }
  }
}

TEST(CdmaDriver, says_what_has_gone_wrong_and_how_much_is_left) {
  for (bool by_interrupt : {false, true}) {
    cdma::CdmaConfig config;
    config.btt_width = 13;
    DrivenCdma driven(config);
    if (by_interrupt) driven.use_interrupt();
    EXPECT_EQ(cdma_copy(&driven.driver, 0, 0xE000, 3 * 4096), -EFAULT) << "the memory ends in the third piece";
    EXPECT_EQ(cdma_residue(&driven.driver), 4096u);
    driven.bench.port.refuse = [](const auto&) { return AccessResult::command_error; };
    EXPECT_EQ(cdma_copy(&driven.driver, 0x8000, 0, 64), -EIO);
    driven.bench.port.refuse = [](const auto&) { return AccessResult::ok; };
    EXPECT_EQ(cdma_copy(&driven.driver, 0x8000, 0, 64), 0) << "the reset between is the driver's";
    EXPECT_THAT(driven.bench.core.findings(), testing::IsEmpty());
  }
}

TEST(CdmaDriver, refuses_what_the_engine_cannot_do) {
  cdma::CdmaConfig config;
  config.include_dre = false;
  config.address_width = 36;
  DrivenCdma driven(config);
  const std::size_t before = driven.bench.port.log.size();
  EXPECT_EQ(cdma_start(&driven.driver, 0x8000, 0, 0), -EINVAL);
  EXPECT_EQ(cdma_start(&driven.driver, 0x8001, 0, 8), -EINVAL) << "out of step";
  EXPECT_EQ(cdma_start(&driven.driver, 0xFFFFFFFF8, 0, 9), -EINVAL) << "the last byte has 37 bits";
  EXPECT_EQ(cdma_start(&driven.driver, 0, ~std::uint64_t{0} - 7, 9), -EINVAL) << "wraps";
  EXPECT_EQ(driven.bench.port.log.size(), before);
  EXPECT_EQ(cdma_start(&driven.driver, 0x8000, 0, 8), 0);
  EXPECT_EQ(cdma_start(&driven.driver, 0x8000, 0, 8), -EBUSY);
  EXPECT_EQ(cdma_finish(&driven.driver), 0);
}

TEST(CdmaDriver, a_reset_cancels_what_is_under_way) {
  DrivenCdma driven;
  driven.use_interrupt();
  ASSERT_EQ(cdma_start(&driven.driver, 0x8000, 0, 0x4000), 0);
  for (int i = 0; i < 20; ++i) driven.bench.step();
  EXPECT_EQ(cdma_reset(&driven.driver), 0);
  EXPECT_EQ(cdma_finish(&driven.driver), -ECANCELED);
  EXPECT_EQ(cdma_residue(&driven.driver), 0x4000u);
  EXPECT_EQ(cdma_copy(&driven.driver, 0x8000, 0, 0x4000), 0);
  EXPECT_TRUE(driven.arrived(0x8000, 0, 0x4000));
}

TEST(CdmaDriver, builds_that_cannot_be_are_refused) {
  DrivenCdma driven;
  ::cdma other;
  for (const cdma_geometry& geometry :
       {cdma_geometry{16, 26, 32, true}, cdma_geometry{96, 26, 32, true}, cdma_geometry{2048, 26, 32, true},
        cdma_geometry{64, 7, 32, true}, cdma_geometry{64, 27, 32, true}, cdma_geometry{64, 26, 31, true},
        cdma_geometry{64, 26, 65, true}})
    EXPECT_EQ(cdma_init(&other, kBase, &geometry), -EINVAL);
}

}  // namespace
}  // namespace vp
