#include "platform/run/region_account.h"

#include <gtest/gtest.h>

namespace vp {
namespace {

/// A run up to some time, in which everything has grown with the time.
Bounds up_to(Picoseconds time) {
  Bounds bounds;
  bounds.timed_time = time;
  bounds.hosts.push_back({"cpu", time, time / 2, time / 4, time / 8, time / 8, time / 100});
  ComputeUse array;
  array.name = "tpu";
  array.mapped_macs = 3 * time;
  array.cycles = time / 10;
  array.held_up_by = {{"multiply", time / 20, false}, {"host_feed", time / 20, true}};
  bounds.computes.push_back(array);
  bounds.memories.push_back({"dram0", 8e8});
  BusUse bus;
  bus.name = "bus";
  if (time >= 2000) bus.carried.push_back({"cdma0", "dram0", time});
  bus.carried.push_back({"cpu", "dram0", 2 * time});
  bounds.buses.push_back(bus);
  bounds.movers.push_back({"cdma0", 1e9, time, time / 5});
  return bounds;
}

TEST(RegionAccount, a_region_has_what_happened_between_its_ends) {
  RegionAccount account;
  ASSERT_TRUE(account.enter("work", up_to(1000)));
  account.leave(up_to(5000));
  ASSERT_EQ(account.regions().size(), 1u);
  const RegionAccount::Region& work = account.regions()[0];
  EXPECT_EQ(work.name, "work");
  EXPECT_EQ(work.entries, 1u);
  EXPECT_EQ(work.first_entered, 1000u);
  EXPECT_EQ(work.use.time(), 4000u);
  EXPECT_EQ(work.use.hosts[0].executing, 2000u);
  EXPECT_EQ(work.use.hosts[0].instructions, 40u);
  EXPECT_EQ(work.use.computes[0].mapped_macs, 12'000u);
  EXPECT_EQ(work.use.computes[0].cycles, 400u);
  EXPECT_EQ(work.use.computes[0].held_up_by[1].cycles, 200u);
  EXPECT_EQ(work.use.movers[0].bytes, 4000u);
  ASSERT_EQ(work.use.buses[0].carried.size(), 2u);
  EXPECT_EQ(work.use.buses[0].carried[0].bytes, 5000u) << "it began within the region";
  EXPECT_EQ(work.use.buses[0].carried[1].bytes, 8000u);
  EXPECT_DOUBLE_EQ(work.use.memories[0].peak_bytes_per_second, 8e8);
}

TEST(RegionAccount, one_that_is_entered_again_is_the_sum_and_another_ends_it) {
  RegionAccount account;
  account.enter("a", up_to(0));
  account.enter("b", up_to(1000));
  account.enter("a", up_to(3000));
  account.leave(up_to(3500));
  account.leave(up_to(9000));
  ASSERT_EQ(account.regions().size(), 2u);
  EXPECT_EQ(account.regions()[0].entries, 2u);
  EXPECT_EQ(account.regions()[0].use.time(), 1500u);
  EXPECT_EQ(account.regions()[0].use.computes[0].mapped_macs, 4500u);
  EXPECT_EQ(account.regions()[1].use.time(), 2000u);
  ASSERT_EQ(account.visits().size(), 3u);
  EXPECT_EQ(account.visits()[1].region, 1u);
  EXPECT_EQ(account.visits()[2].region, 0u);
  EXPECT_EQ(account.visits()[2].begin, 3000u);
  EXPECT_EQ(account.visits()[2].end, 3500u);
}

TEST(RegionAccount, a_peak_that_is_a_mean_over_time_is_that_of_the_region) {
  // A memory that was slow for the first 1000 ps and fast for the next 1000: half of the time its mean is between.
  Bounds begin = up_to(1000), end = up_to(2000);
  begin.memories[0].peak_bytes_per_second = 1e9;
  end.memories[0].peak_bytes_per_second = 3e9;
  EXPECT_DOUBLE_EQ(between(begin, end).memories[0].peak_bytes_per_second, 5e9);
  EXPECT_DOUBLE_EQ(sum(begin, between(begin, end)).memories[0].peak_bytes_per_second, 3e9);
}

TEST(RegionAccount, there_are_only_so_many) {
  RegionAccount account;
  for (std::size_t i = 0; i < RegionAccount::kMost; ++i)
    EXPECT_TRUE(account.enter("region" + std::to_string(i), up_to(100 * i)));
  EXPECT_FALSE(account.enter("another", up_to(100'000)));
  EXPECT_TRUE(account.enter("region0", up_to(200'000))) << "a known one may be entered again";
  EXPECT_EQ(account.regions().size(), RegionAccount::kMost);
}

TEST(RegionAccount, names_are_words_joined_by_dots) {
  for (const char* good : {"a", "inference", "layer_1.load", "A.b.C9", "0"}) EXPECT_TRUE(RegionAccount::is_name(good));
  EXPECT_TRUE(RegionAccount::is_name(std::string(64, 'x')));
  EXPECT_FALSE(RegionAccount::is_name(std::string(65, 'x')));
  for (const char* bad : {"", ".", "a.", ".a", "a..b", "a b", "a-b", "</script>", "=cmd", "\xc3\xa4"})
    EXPECT_FALSE(RegionAccount::is_name(bad)) << bad;
}

}  // namespace
}  // namespace vp
