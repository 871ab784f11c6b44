// A disk in every topology, order, mode and at every quantum (tests/support/any_master.h).
#include "tests/support/any_master.h"

#include <gtest/gtest.h>

#include "tests/virtio/guest_disk.h"

namespace vp {
namespace {

constexpr std::uint64_t kTrialMemory = MasterTrial::kMemory, kTrialOther = kTrialMemory + MasterTrial::kSize;

/// Into and out of both memories, small and large, at any alignment; the last one finds nobody.
const std::vector<GuestDisk::Request> kTrialRequests = {
    {kOut, 0, kTrialMemory + 0x20000, 512},    {kIn, 0, kTrialOther + 0x10003, 512},
    {kOut, 5, kTrialOther + 0x30ff1, 8192},    {kIn, 2, kTrialMemory + 0x80000, 70'144},
    {kIn, 1 << 20, kTrialOther + 0x1000, 512}, {kIn, 0, 0x1000, 512},
};

void expect_same_disk_everywhere(const virtio::BlockConfig& config, const std::string& preset) {
  expect_same_everywhere(
      [&config](MasterTrial& trial) {
        auto guest = std::make_unique<GuestDisk>((trial.name() + "_disk").c_str(), trial.horizon(), config,
                                                 kTrialOther + 0x8000, kTrialRequests);
        guest->device.core().set_fidelity(trial.fidelity());
        trial.bus().connect_initiator("master", guest->device.master, {config.data_width, config.clock});
        guest->begin();
        trial.keep(std::move(guest), [](const GuestDisk& one) {
          EXPECT_TRUE(one.done()) << one.seen;
          return one.seen + std::to_string(one.device.core().figures().busy) + one.device.core().broken_conservation();
        });
      },
      preset);
}

virtio::BlockConfig trial_disk() {
  virtio::BlockConfig config;
  config.size = 1 << 17;
  config.medium.latency = 1'000'000;
  return config;
}

TEST(VirtioAnywhere, does_the_same_in_every_order_and_at_every_quantum) {
  expect_same_disk_everywhere(trial_disk(), "ddr4-2400");
}

TEST(VirtioAnywhere, with_a_port_of_its_own_width_and_clock_and_no_medium_does_the_same_too) {
  virtio::BlockConfig config = trial_disk();
  config.clock = 7'000;
  config.data_width = 32;
  config.max_burst = 4;
  config.outstanding = 2;
  config.medium = {0, 0};
  expect_same_disk_everywhere(config, "fixed");
}

}  // namespace
}  // namespace vp
