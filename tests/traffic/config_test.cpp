#include "models/traffic/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/error.h"

namespace vp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(TrafficConfig, AWindowHoldsABurst) {
  TrafficConfig config;
  config.size = 64;
  EXPECT_NO_THROW(config.check("traffic0"));
  config.size = 63;
  EXPECT_THAT([&] { config.check("traffic0"); },
              ThrowsMessage<UserError>("traffic0: its window of 63 bytes is smaller than a burst of 64."));
}

TEST(TrafficConfig, TheEndIsAfterTheBegin) {
  TrafficConfig config;
  config.begin = 2'000;
  EXPECT_NO_THROW(config.check("traffic1")) << "0: with the run";
  config.end = 2'000;
  EXPECT_THAT([&] { config.check("traffic1"); },
              ThrowsMessage<UserError>("traffic1: it ends at 2ns, not after its begin at 2ns."));
  config.end = 2'001;
  EXPECT_NO_THROW(config.check("traffic1"));
}

TEST(TrafficConfig, ParametersNameWhatIsAllowed) {
  TrafficConfig config;
  ParameterTable table;
  config.declare(ParameterGroup(table).group("traffic0"));
  const auto set = [&](const char* name, const char* value) { table.set(name, value, "test"); };
  set("traffic0.pattern", "random");
  EXPECT_EQ(config.pattern, TrafficPattern::random);
  EXPECT_THAT([&] { set("traffic0.pattern", "spiral"); }, ThrowsMessage<UserError>(HasSubstr("sequential, strided")));
  EXPECT_THAT([&] { set("traffic0.writes", "101"); }, ThrowsMessage<UserError>(HasSubstr("0 to 100")));
  EXPECT_THAT([&] { set("traffic0.outstanding", "0"); }, ThrowsMessage<UserError>(HasSubstr("1 to 64")));
  EXPECT_THAT([&] { set("traffic0.burst", "0"); }, ThrowsMessage<UserError>(HasSubstr("1 to 4096")));
  EXPECT_THAT([&] { set("traffic0.rat", "0"); }, ThrowsMessage<UserError>(HasSubstr("traffic0.rate")));
}

}  // namespace
}  // namespace vp
