#include "models/memory/dram/energy.h"

#include <gmock/gmock.h>

#include "models/memory/dram/dram_controller.h"
#include "models/memory/dram/presets.h"
#include "tests/support/dice.h"

namespace vp::dram {
namespace {

using testing::HasSubstr;

/// DDR4-2400 with clock periods of 1 ns, so that DRAMsim3's figures (volts × milliamperes × cycles) are picojoules.
ChannelConfig in_nanoseconds() {
  ChannelConfig config = preset("ddr4-2400");
  config.clock_period = 1000;
  return config;
}

TEST(Energy, each_command_costs_what_dramsim3_charges_for_it) {
  // 8 devices; by hand: VDD 1.2, IDD0 48, IDD2N 34, IDD3N 43, IDD4W 123, IDD4R 135, IDD5AB 250; tRAS 39, tRP 17, BL 8,
  // tRFC 420.
  const EnergyFigures energy = *energy_figures(in_nanoseconds(), {1, 1, 1, 1, 100, 1000});
  EXPECT_NEAR(energy.activate, 1.2 * (48 * 56 - (43 * 39 + 34 * 17)) * 8, 1e-6);
  EXPECT_NEAR(energy.read, 1.2 * (135 - 43) * 4 * 8, 1e-6);
  EXPECT_NEAR(energy.write, 1.2 * (123 - 43) * 4 * 8, 1e-6);
  EXPECT_NEAR(energy.refresh, 1.2 * (250 - 43) * 420 * 8, 1e-6);
  EXPECT_NEAR(energy.active_standby, 1.2 * 43 * 100 * 8, 1e-6);
  EXPECT_NEAR(energy.precharge_standby, 1.2 * 34 * 900 * 8, 1e-6);
  EXPECT_NEAR(
      energy.total,
      energy.activate + energy.read + energy.write + energy.refresh + energy.active_standby + energy.precharge_standby,
      1e-6);
  EXPECT_EQ(energy.covered_time, 1000);
}

TEST(Energy, a_faster_clock_takes_less_of_it) {
  ChannelConfig fast = in_nanoseconds();
  fast.clock_period = 500;
  const CommandCounts counts{5, 6, 7, 8, 90, 100};
  EXPECT_NEAR(energy_figures(fast, counts)->total * 2, energy_figures(in_nanoseconds(), counts)->total, 1e-6);
}

TEST(Energy, what_is_not_told_is_named_instead_of_guessed) {
  ChannelConfig config = in_nanoseconds();
  config.power.idd5ab.reset();
  config.power.vdd.reset();
  EXPECT_FALSE(energy_figures(config, {}));
  EXPECT_EQ(why_no_energy(config), "ddr4-2400 does not tell VDD, IDD5AB");
  EXPECT_THAT(why_no_energy(preset("lpddr4-3200")), HasSubstr("does not tell VDD, IDD0"));
  config = in_nanoseconds();
  config.power.idd4r = 1;
  EXPECT_THAT(why_no_energy(config), HasSubstr("negative energy"));
}

TEST(Energy, a_channel_counts_its_commands_and_the_cycles_with_open_rows) {
  QueuedChannel channel(preset("ddr4-2400"));
  channel.present(0, 0, false, 10);
  while (channel.unfinished() != 0) channel.step(kNoCycle);
  channel.step(1000);
  // Activated in the cycle of its first command and left open.
  const CommandCounts counts = channel.commands(0);
  EXPECT_EQ(counts.activates, 1u);
  EXPECT_EQ(counts.reads, 1u);
  EXPECT_EQ(counts.writes, 0u);
  EXPECT_EQ(counts.cycles, 1000u);
  EXPECT_EQ(counts.active, 1000u - 11u);
}

TEST(Energy, active_cycles_are_those_that_the_commands_leave_rows_open) {
  for (const PagePolicy page : {PagePolicy::open, PagePolicy::closed}) {
    ChannelConfig config = preset("ddr3-1600");
    config.controller.page = page;
    QueuedChannel channel(config);
    std::vector<bool> open(config.ranks() * config.banks_per_rank());
    std::vector<std::pair<Cycle, int>> changes;  // of the number of open banks
    channel.on_command([&](Command command, unsigned where, Cycle now) {
      const bool closes = command == Command::precharge || (command == Command::column && page == PagePolicy::closed);
      if (command == Command::activate && !open[where]) changes.emplace_back(now, 1);
      if (closes && open[where]) changes.emplace_back(now, -1);
      if (command == Command::activate) open[where] = true;
      if (closes) open[where] = false;
    });
    Dice dice(5);
    for (Cycle now = 0, id = 0; now < 40'000; now += dice.from_to(1, 200)) {
      while (channel.step(now)) continue;
      if (channel.now() <= now && channel.can_accept())
        channel.present(id++, dice.from_to(0, 1u << 24) & ~63u, dice.from_to(0, 1) != 0, now);
    }
    while (channel.step(50'000)) continue;
    Cycle active = 0, since = 0;
    int count = 0;
    ASSERT_EQ(config.ranks(), 1u);
    for (const auto& [now, change] : changes) {
      if (count == 0) since = now;
      count += change;
      if (count == 0) active += now - since;
    }
    if (count != 0) active += 50'000 - since;
    EXPECT_GT(active, 0u);
    EXPECT_EQ(channel.commands(0).active, active);
  }
}

}  // namespace
}  // namespace vp::dram
