// Generators are saved in the middle of their work, with what is under way, and go on elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/common/archive.h"
#include "models/common/error.h"
#include "tests/support/saved_state.h"
#include "tests/traffic/traffic_system.h"

namespace vp {
namespace {

/// A machine of memory, bus and generators, which rest until somebody else is alive.
class SavedSystem : public TrafficSystem {
 public:
  SavedSystem(const std::string& name, const BusConfig& bus_config, const std::vector<TrafficConfig>& configs,
              Fidelity fidelity)
      : TrafficSystem(name, bus_config, configs, fidelity) {
    for (const auto& generator : generators) {
      generator->fill_only(liveness_);
      generator->on_transaction([this](Picoseconds start, Picoseconds end) {
        seen += std::to_string(start) + " to " + std::to_string(end) + "\n";
      });
    }
  }
  void work() { somebody_.set(true); }
  void persist(Archive& archive) {
    archive("bus", *bus)("memory", *memory);
    for (const auto& generator : generators) archive("generator", *generator);
    bool alive = somebody_.alive();
    archive("alive", alive);
    if (archive.loading()) somebody_.restore(alive);
  }
  /// Steps to a moment at which all accesses have been answered.
  void calm_down() const {
    for (unsigned i = 0; i < 10'000 && !bus->quiet(); ++i) sc_core::sc_start(1, sc_core::SC_NS);
    ASSERT_TRUE(bus->quiet());
  }
  std::string figures() const {
    std::string all;
    for (const auto& generator : generators) all += text_of(generator->figures());
    BusFigures carried = bus->figures();
    carried.ordered.reset();  // who of one instant is called first is no state
    return all + text_of(carried) + text_of(memory->figures());
  }

  std::string seen;

 private:
  Liveness liveness_{horizon};
  Liveness::Member somebody_{liveness_};
};

TrafficConfig random_traffic(unsigned outstanding, std::uint64_t rate) {
  TrafficConfig config = traffic(rate, outstanding);
  config.pattern = TrafficPattern::random;
  config.burst = 600;  // some cross 4 KiB
  config.writes = 40;
  return config;
}

/// Saved in every round, and loaded into another one that goes on beside it.
void expect_going_on(const std::vector<TrafficConfig>& generators, Fidelity fidelity) {
  BusConfig config;
  SavedSystem system("one", config, generators, fidelity), copy("two", config, generators, fidelity);
  system.work();
  unsigned with_accesses_under_way = 0;
  for (unsigned round = 0; round < 12; ++round) {
    sc_core::sc_start(3'217, sc_core::SC_NS);
    system.calm_down();
    for (const auto& generator : system.generators)
      with_accesses_under_way += generator->master.under_way(false) + generator->master.under_way(true) != 0;
    const std::string state = save_state(system);
    load_state(copy, state);
    ASSERT_EQ(state_difference(copy, state), "") << round;
    system.seen = copy.seen = "";
    sc_core::sc_start(2'003, sc_core::SC_NS);
    EXPECT_NE(system.seen, "");
    EXPECT_EQ(copy.seen, system.seen) << round;
    EXPECT_EQ(copy.figures(), system.figures());
    EXPECT_EQ(copy.bus->broken_conservation(), "");
  }
  EXPECT_GT(with_accesses_under_way, 3u) << "not between its accesses only";
  sc_core::sc_start();
  EXPECT_EQ(copy.seen, system.seen);
}

TEST(TrafficState, a_generator_goes_on_in_functional_mode) {
  expect_going_on({random_traffic(4, 0)}, Fidelity::functional);
}
TEST(TrafficState, a_generator_goes_on_in_timed_mode) { expect_going_on({random_traffic(4, 0)}, Fidelity::timed); }
TEST(TrafficState, two_go_on_in_timed_mode) {
  expect_going_on({random_traffic(4, 300'000'000), traffic(200'000'000, 2)}, Fidelity::timed);
}
TEST(TrafficState, two_that_fill_the_link_go_on) {
  expect_going_on({random_traffic(8, 0), traffic(0, 64)}, Fidelity::timed);
}

TEST(TrafficState, an_access_without_its_answer_is_no_state) {
  BusConfig config;
  config.arbitration = Arbitration::round_robin;
  SavedSystem system("one", config, {traffic(0, 8), traffic(0, 8)}, Fidelity::timed);
  system.work();
  sc_core::sc_start(1, sc_core::SC_US);
  std::string sentence;
  try {
    save_state(system);
  } catch (const UserError& error) {
    sentence = error.what();
  }
  EXPECT_EQ(sentence,
            "one0.master has accesses under way that have not been answered yet, which is no state that can be kept.");
}

}  // namespace
}  // namespace vp
