#include <gtest/gtest.h>

#include "models/memory/dram/channel.h"
#include "models/memory/dram/presets.h"
#include "tests/support/saved_state.h"

namespace vp::dram {
namespace {

/// Callers that run ahead of the kernel, with pauses and bursts, alone and together.
struct Bench {
  explicit Bench(const ChannelConfig& config) : channel(config) {}
  void step(Dice& dice) {
    if (dice.one_in(20)) kernel += dice.from_to(0, 3'000'000);
    const unsigned caller = dice.from_to(0, 2);
    Picoseconds& local = times[caller];
    local = std::max(local, kernel) + (dice.one_in(4) ? dice.from_to(0, 400'000) : 0);
    const std::uint64_t address = 64 * (dice.one_in(2) ? dice.from_to(0, 127) : dice.from_to(0, 1u << 18));
    const Channel::Times answer = channel.access(local, address, 64u << dice.from_to(0, 3), dice.one_in(3),
                                                 dice.from_to(0, 1) * 5'000, {caller, kernel});
    if (dice.one_in(2)) local = answer.complete;
    if (dice.one_in(500)) channel.reset();
    seen << answer.first << ' ' << answer.complete << '\n';
    if (dice.one_in(10)) seen << text_of(channel.statistics().figures(channel.config()));
  }
  void persist(Archive& archive) { archive("channel", channel)("kernel", kernel)("times", times); }

  Channel channel;
  Picoseconds kernel = 0;
  std::array<Picoseconds, 3> times{};
  std::ostringstream seen;
};

TEST(ChannelState, a_loaded_channel_goes_on_as_the_saved_one) {
  unsigned seed = 0;
  for (const std::string name : {"ddr3-1600", "ddr4-2400", "lpddr4-3200"})
    for (const SchedulingPolicy policy : {SchedulingPolicy::first_ready, SchedulingPolicy::in_order})
      for (int round = 0; round < 4; ++round) {
        ChannelConfig config = preset(name);
        config.controller.scheduling = policy;
        config.controller.page = round % 2 == 0 ? PagePolicy::open : PagePolicy::closed;
        expect_equal_after_loading([&] { return std::make_unique<Bench>(config); }, ++seed, 4, 200);
      }
}

}  // namespace
}  // namespace vp::dram
