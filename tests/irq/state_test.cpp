#include <gtest/gtest.h>

#include "models/irq/clint_core.h"
#include "models/irq/plic_core.h"
#include "tests/support/register_access.h"
#include "tests/support/saved_state.h"

namespace vp {
namespace {

struct PlicBench {
  explicit PlicBench(const PlicConfig& c) : config(c), plic(c) {}
  void step(Dice& dice) {
    const unsigned context = dice.from_to(0, config.contexts - 1), source = dice.from_to(1, config.sources);
    const std::uint64_t claim = 0x20'0004 + 0x1000ull * context;
    switch (dice.from_to(0, 9)) {
      case 0:
        return bus.write(4ull * source, dice.source()(), 4);
      case 1:
        return bus.write(0x2000 + 0x80ull * context + source / 32 * 4, dice.source()(), 4);
      case 2:
        return bus.write(0x20'0000 + 0x1000ull * context, dice.from_to(0, 3), 4);
      case 3:
        return bus.write(claim, source, 4);
      case 4:
      case 5:
        claimed = bus.read(claim, 4);
        seen << "claims " << claimed << '\n';
        return bus.write(claim, dice.one_in(3) ? source : claimed, 4);
      case 6:
        if (dice.one_in(40)) plic.reset();
        break;
      default:
        plic.set_input(source, dice.one_in(2));
    }
    for (unsigned i = 0; i < config.contexts; ++i) seen << plic.output(i).level();
    for (const RegisterListing& entry : plic.registers().list(0)) seen << ' ' << entry.value;
    seen << text_of(plic.figures());
  }
  void persist(Archive& archive) { archive("plic", plic); }

  PlicConfig config;
  PlicCore plic;
  RegisterAccess bus{plic};
  std::uint64_t claimed = 0;
  std::ostringstream seen;
};

TEST(PlicState, a_loaded_controller_goes_on_as_the_saved_one) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    PlicConfig config;
    config.sources = 5 + 13 * (seed % 6);
    config.contexts = 1 + seed % 3;
    config.edge_sources = {1, 4};
    expect_equal_after_loading([&] { return std::make_unique<PlicBench>(config); }, seed, 10, 60);
  }
}

struct ClintBench {
  void step(Dice& dice) {
    bus.now += dice.from_to(0, 1'000'000);
    while (timer.when <= bus.now) {
      const Picoseconds due = timer.when;
      timer.when = kNever;
      clint.timer_due(due);
    }
    switch (dice.from_to(0, 5)) {
      case 0:
        bus.write(0, dice.source()(), 4);
        break;
      case 1:
        bus.write(0x4000, clint.mtime(bus.now) + dice.from_to(0, 20) - 5, 8);
        break;
      case 2:
        bus.write(0xBFF8 + 4 * dice.from_to(0, 1), dice.source()(), 4);
        break;
      case 3:
        if (dice.one_in(20)) clint.reset(bus.now);
        break;
      default:
        seen << bus.read(0xBFF8, 8) << '\n';
    }
    seen << timer.when << ' ' << supervisor_timer.when << ' ' << clint.supervisor_timer.level() << ' '
         << clint.timer.level() << clint.software.level() << ' ' << bus.read(0x4000, 8) << text_of(clint.figures());
  }
  void persist(Archive& archive) {
    archive("clint", clint)("timer", timer.when)("supervisor", supervisor_timer.when)("now", bus.now);
  }

  RecordingTimer timer, supervisor_timer;
  ClintCore clint{ClintConfig{}, timer, supervisor_timer, [] { return Picoseconds{0}; }};
  RegisterAccess bus{clint};
  std::ostringstream seen;
};

TEST(ClintState, a_loaded_clint_goes_on_as_the_saved_one) {
  for (unsigned seed = 0; seed < 20; ++seed)
    expect_equal_after_loading([] { return std::make_unique<ClintBench>(); }, seed, 10, 60);
}

}  // namespace
}  // namespace vp
