#include "models/memory/dram/config.h"

#include <gmock/gmock.h>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "models/memory/dram/presets.h"

namespace vp::dram {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Presets, AreAllPossible) {
  for (const std::string& name : preset_names()) {
    SCOPED_TRACE(name);
    const ChannelConfig config = preset(name);
    EXPECT_NO_THROW(config.validate());
    EXPECT_EQ(config.name, name);
    EXPECT_EQ(config.ranks(), 1u);
  }
}

TEST(Presets, HaveThePeakBandwidthOfTheirNames) {
  const auto peak = [](const char* name) { return preset(name).peak_bytes_per_second() * 1e-9; };
  EXPECT_NEAR(peak("ddr3-1600"), 12.8, 0.01);
  EXPECT_NEAR(peak("ddr4-2400"), 19.28, 0.01);  // tCK is 0.83 ns, not 0.8333
  EXPECT_NEAR(peak("ddr4-3200"), 25.6, 0.01);
  EXPECT_NEAR(peak("lpddr4-3200"), 6.4, 0.01);  // 16 bits
}

TEST(Presets, NameTheNearestForAnUnknownOne) {
  EXPECT_THAT([] { preset("ddr4-2401"); }, ThrowsMessage<UserError>(HasSubstr("did you mean 'ddr4-2400'?")));
}

TEST(ChannelConfig, RefusesImpossibleTiming) {
  const auto refused = [](auto change) {
    ChannelConfig config = preset("ddr4-2400");
    change(config);
    EXPECT_THROW(config.validate(), UserError);
  };
  refused([](ChannelConfig& c) { c.timing.ras = 5; });
  refused([](ChannelConfig& c) { c.timing.ccd_l = 2; });
  refused([](ChannelConfig& c) { c.timing.wtr_l = 1; });
  refused([](ChannelConfig& c) { c.timing.rrd_l = 1; });
  refused([](ChannelConfig& c) { c.timing.refi = 400; });
  refused([](ChannelConfig& c) { c.timing.refi = c.timing.rfc + c.timing.ras + c.timing.rp + 20; });  // no write
  refused([](ChannelConfig& c) { c.timing.rcd = 0; });
  refused([](ChannelConfig& c) { c.timing.al = 30; });
  refused([](ChannelConfig& c) { c.clock_period = 0; });
}

TEST(ChannelConfig, RefusesImpossibleStructure) {
  const auto refused = [](auto change) {
    ChannelConfig config = preset("ddr4-2400");
    change(config);
    EXPECT_THROW(config.validate(), UserError);
  };
  refused([](ChannelConfig& c) { c.structure.rows = 1000; });
  refused([](ChannelConfig& c) { c.structure.bank_groups = 0; });
  refused([](ChannelConfig& c) { c.structure.burst_length = 0; });
  refused([](ChannelConfig& c) { c.size_mib = 5000; });
  refused([](ChannelConfig& c) { c.size_mib = 8192 * 16; });
  refused([](ChannelConfig& c) { c.bus_width = 4; });
  refused([](ChannelConfig& c) { c.controller.bank_queue = 0; });
  refused([](ChannelConfig& c) { c.address_mapping = "rochrabacoco"; });
}

TEST(ChannelOptions, ChangeWhatThePresetSays) {
  ChannelOptions options;
  ParameterTable table;
  options.declare(ParameterGroup(table, "dram1"));
  table.set("dram1.preset", "ddr3-1600", "test");
  table.set("dram1.page_policy", "closed", "test");
  table.set("dram1.scheduling", "in-order", "test");
  table.set("dram1.address_mapping", "rochrabacobg", "test");
  table.set("dram1.posted_writes", "true", "test");
  const ChannelConfig config = options.resolve();
  EXPECT_EQ(config.clock_period, 1250u);
  EXPECT_EQ(config.controller.page, PagePolicy::closed);
  EXPECT_EQ(config.controller.scheduling, SchedulingPolicy::in_order);
  EXPECT_EQ(config.address_mapping, "rochrabacobg");
  EXPECT_TRUE(config.controller.posted_writes);
}

TEST(ChannelOptions, RefuseAMappingBeforeAnythingRuns) {
  ChannelOptions options;
  options.address_mapping = "abc";
  EXPECT_THROW(options.check(), UserError);  // also where no channel uses it
  options.preset = "ddr4-2400";
  EXPECT_THROW(options.resolve(), UserError);
}

}  // namespace
}  // namespace vp::dram
