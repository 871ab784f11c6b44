#include "models/cdma/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/error.h"

namespace vp::cdma {
namespace {

using ::testing::ThrowsMessage;

TEST(CdmaSettings, must_be_powers_of_two_where_the_bus_asks_for_it) {
  CdmaConfig config;
  config.data_width = 96;
  EXPECT_THAT([&] { config.check("cdma0"); }, ThrowsMessage<UserError>("cdma0: data_width 96 is not a power of two."));
  config.data_width = 128;
  config.max_burst = 24;
  EXPECT_THAT([&] { config.check("cdma0"); }, ThrowsMessage<UserError>("cdma0: max_burst 24 is not a power of two."));
  config.max_burst = 32;
  EXPECT_NO_THROW(config.check("cdma0"));
}

TEST(CdmaSettings, limit_a_burst_to_4_KiB) {
  CdmaConfig config;
  EXPECT_EQ(config.burst_bytes(), 128u);
  config.data_width = 1024;
  config.max_burst = 256;
  EXPECT_EQ(config.burst_bytes(), 4096u);
}

}  // namespace
}  // namespace vp::cdma
