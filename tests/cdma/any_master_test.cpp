// The CDMA in every topology, order, mode and at every quantum (tests/support/any_master.h).
#include "tests/support/any_master.h"

#include <gtest/gtest.h>

#include "tests/cdma/copying_cdma.h"

namespace vp {
namespace {

constexpr std::uint64_t kMemory = MasterTrial::kMemory, kOther = kMemory + MasterTrial::kSize;
constexpr std::uint32_t kKeyHoleRead = 1u << 4, kKeyHoleWrite = 1u << 5;

/// From one memory to another and inside of one, at any alignment, to and from one place; the last one finds nobody.
const std::vector<CopyingCdma::Copy> kCopies = {
    {kOther, kMemory, 8192},
    {kMemory + 0x20003, kOther + 0x11, 3000},
    {kMemory + 0x40000, kMemory + 0x1ff5, 5001},
    {kOther + 0x100, kMemory, 256, kKeyHoleWrite},
    {kOther + 0x200, kMemory + 8, 200, kKeyHoleRead},
    {kOther, kMemory + 1, 1},
    {kOther, 0x1000, 64},
};

void expect_same_cdma_everywhere(const cdma::CdmaConfig& config, const std::string& preset) {
  expect_same_everywhere(
      [&config](MasterTrial& trial) {
        auto cdma = std::make_unique<CopyingCdma>((trial.name() + "_cdma").c_str(), trial.horizon(), config, kCopies);
        trial.bus().connect_initiator("master", cdma->engine.master, {config.data_width, config.clock});
        cdma->begin();
        trial.keep(std::move(cdma), [](const CopyingCdma& one) {
          EXPECT_TRUE(one.done());
          return one.seen + std::to_string(one.engine.core().figures().busy) + one.engine.core().broken_conservation();
        });
      },
      preset);
}

TEST(CdmaAnywhere, does_the_same_in_every_order_and_at_every_quantum) { expect_same_cdma_everywhere({}, "ddr4-2400"); }

TEST(CdmaAnywhere, with_a_port_of_its_own_width_and_clock_does_the_same_too) {
  cdma::CdmaConfig config;
  config.clock = 7'000;
  config.data_width = 32;
  config.max_burst = 4;
  config.outstanding = 2;
  expect_same_cdma_everywhere(config, "fixed");
}

}  // namespace
}  // namespace vp
