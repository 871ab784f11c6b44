#include "models/memory/dram/physical_limits.h"

#include <gmock/gmock.h>

#include "models/memory/dram/presets.h"

namespace vp::dram {
namespace {

using testing::HasSubstr;

const ChannelConfig kConfig = preset("ddr4-2400");  // tRC 56, tFAW 26, tRFC 420, 4 cycles a burst

TEST(PhysicalLimits, are_kept_by_an_idle_channel) { EXPECT_EQ(PhysicalLimits(kConfig).broken(), ""); }

TEST(PhysicalLimits, allow_four_activates_in_any_window_of_faw) {
  PhysicalLimits limits(kConfig);
  for (unsigned bank = 0; bank < 8; ++bank) limits.activate(0, bank, 100 + bank / 4 * 26);
  EXPECT_EQ(limits.broken(), "");
  limits.activate(0, 8, 151);
  EXPECT_THAT(limits.broken(), HasSubstr("rank 0 opened more than four rows in tFAW"));
}

TEST(PhysicalLimits, allow_a_bank_one_row_each_row_cycle) {
  PhysicalLimits limits(kConfig);
  for (unsigned i = 0; i < 5; ++i) limits.activate(0, 3, 100 + 56 * i);
  EXPECT_EQ(limits.broken(), "");
  limits.activate(0, 3, 100 + 56 * 5 - 1);
  EXPECT_THAT(limits.broken(), HasSubstr("bank 3 opened its rows faster than tRC"));
}

TEST(PhysicalLimits, allow_the_data_bus_one_burst_at_a_time) {
  ChannelConfig config = kConfig;
  config.size_mib *= 2;  // two ranks
  PhysicalLimits limits(config);
  for (unsigned i = 0; i < 10; ++i) limits.column(i % 2, 4 * (i + 1));
  EXPECT_EQ(limits.broken(), "");
  limits.column(0, 43);
  EXPECT_THAT(limits.broken(), HasSubstr("the data bus moved more than one burst at a time"));
}

TEST(PhysicalLimits, take_the_time_of_refreshes_from_that_for_data) {
  PhysicalLimits limits(kConfig);
  for (unsigned i = 0; i < 1000; ++i) limits.column(0, 4 * (i + 1));
  EXPECT_EQ(limits.broken(), "");
  limits.refresh(0, 4000);
  EXPECT_EQ(limits.broken(), "");
  limits.column(0, 4419);  // while the rank was busy with its refresh
  limits.column(0, 4420);
  EXPECT_THAT(limits.broken(), HasSubstr("rank 0 moved data for longer than its refreshes left it time"));
}

TEST(PhysicalLimits, do_not_count_a_refresh_that_has_not_ended) {
  PhysicalLimits limits(kConfig);
  for (unsigned i = 0; i < 1000; ++i) limits.column(0, 4 * (i + 1));
  limits.refresh(0, 3999);
  EXPECT_EQ(limits.broken(), "");
}

TEST(PhysicalLimits, start_anew_after_a_reset_but_forget_nothing_that_was_broken) {
  PhysicalLimits limits(kConfig);
  limits.activate(0, 0, 1000);
  limits.restart(1001);
  limits.activate(0, 0, 1002);
  EXPECT_EQ(limits.broken(), "");
  limits.activate(0, 0, 1003);
  const std::string broken = limits.broken();
  EXPECT_NE(broken, "");
  limits.restart(2000);
  EXPECT_EQ(limits.broken(), broken);
}

}  // namespace
}  // namespace vp::dram
