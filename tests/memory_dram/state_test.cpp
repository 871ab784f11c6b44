#include <gtest/gtest.h>

#include <memory>

#include "models/memory/dram/dram_controller.h"
#include "models/memory/dram/presets.h"
#include "tests/support/saved_state.h"

namespace vp::dram {
namespace {

/// A caller with one access under way, and batches of pushed ones that it waits for.
struct Bench {
  explicit Bench(const ChannelConfig& config) : controller(config, {5'000, 16}) {}

  void step(Dice& dice) {
    now += dice.one_in(4) ? dice.from_to(0, 400'000) : 0;
    if (dice.one_in(200)) now += 100'000'000;
    if (dice.one_in(3)) {
      for (unsigned i = dice.from_to(1, 40); i > 0; --i) controller.push(i, now, address(dice), 64, dice.one_in(3));
      std::vector<DramController::Answered> answered;
      while (!controller.idle()) {
        now = std::max(now, controller.next_event());
        controller.advance_to(now);
        controller.take_answered(answered);
        for (const auto& one : answered) seen << one.token << ' ' << one.times.complete << '\n';
      }
    } else {
      const auto times = controller.access(now, address(dice), 64u << dice.from_to(0, 3), dice.one_in(3));
      seen << times.first << ' ' << times.complete << '\n';
      now = times.complete;
    }
    if (dice.one_in(300)) controller.reset(now);
    if (dice.one_in(10)) seen << text_of(controller.figures()) << controller.broken_conservation();
  }
  static std::uint64_t address(Dice& dice) {
    return 64 * (dice.one_in(2) ? dice.from_to(0, 127) : dice.from_to(0, 1u << 18));
  }
  void persist(Archive& archive) { archive("controller", controller)("now", now); }

  DramController controller;
  Picoseconds now = 0;
  std::ostringstream seen;
};

TEST(DramControllerState, a_loaded_controller_goes_on_as_the_saved_one) {
  unsigned seed = 0;
  for (const std::string name : {"ddr3-1600", "ddr4-2400", "lpddr4-3200"})
    for (const SchedulingPolicy policy :
         {SchedulingPolicy::first_ready, SchedulingPolicy::in_order, SchedulingPolicy::oldest_ready})
      for (int round = 0; round < 4; ++round) {
        ChannelConfig config = preset(name);
        config.controller.scheduling = policy;
        config.controller.page = round % 2 == 0 ? PagePolicy::open : PagePolicy::closed;
        config.controller.posted_writes = round >= 2;
        expect_equal_after_loading([&] { return std::make_unique<Bench>(config); }, ++seed, 4, 200);
      }
}

}  // namespace
}  // namespace vp::dram
