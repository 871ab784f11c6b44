#include "models/traffic/traffic_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "models/bus/bus.h"
#include "models/common/tlm_time.h"
#include "models/memory/memory.h"
#include "tests/support/any_master.h"

namespace vp {
namespace {

constexpr Picoseconds kMicrosecond = 1'000'000;
constexpr std::uint64_t kBase = 0x8000'0000;

/// A bus of 10 ns and 8 bytes, a memory of 50 ns, and generators.
struct TrafficSystem {
  TrafficSystem(const std::string& name, const BusConfig& bus_config, const std::vector<TrafficConfig>& configs,
                Fidelity fidelity = Fidelity::timed) {
    MemoryConfig memory_config;
    memory_config.size = 1 << 20;
    memory = std::make_unique<Memory>((name + "_memory").c_str(), memory_config, bus_config.clock);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < configs.size(); ++i) names.push_back(name + std::to_string(i));
    bus = std::make_unique<Bus>((name + "_bus").c_str(), bus_config, horizon, names,
                                std::vector<BusWindow>{{"memory", kBase, memory_config.size, true}});
    for (std::size_t i = 0; i < configs.size(); ++i) {
      generators.push_back(std::make_unique<TrafficGenerator>(names[i].c_str(), configs[i], bus_config.clock));
      bus->connect_initiator(names[i], generators[i]->master);
    }
    bus->connect_target("memory", memory->socket);
    bus->set_fidelity(fidelity);
    memory->set_fidelity(fidelity);
  }
  TrafficFigures figures(std::size_t generator) const { return generators[generator]->figures(); }

  Horizon horizon;
  std::unique_ptr<Memory> memory;
  std::unique_ptr<Bus> bus;
  std::vector<std::unique_ptr<TrafficGenerator>> generators;
};

BusConfig ordered(BusOrder order) {
  BusConfig config;
  config.sync = order;
  return config;
}
BusConfig exact_order() { return ordered(BusOrder::exact); }

TrafficConfig traffic(std::uint64_t rate, unsigned outstanding) {
  TrafficConfig config;
  config.base = kBase;
  config.size = 1 << 20;
  config.rate = rate;
  config.outstanding = outstanding;
  config.end = 100 * kMicrosecond;
  return config;
}

TEST(TrafficGenerator, OneAtATimeTakesTheLatencyOfItsTransactions) {
  TrafficSystem timed("timed", {}, {traffic(0, 1)}),
      functional("functional", {}, {traffic(0, 1)}, Fidelity::functional);
  sc_core::sc_start();
  for (const TrafficSystem* system : {&timed, &functional}) {
    EXPECT_EQ(system->figures(0).read.latency.least, 130.0) << "hop, latency and seven further beats";
    EXPECT_EQ(system->figures(0).read.latency.greatest, 130.0);
    EXPECT_EQ(system->figures(0).read.transactions, 770u) << "100 us / 130 ns";
    EXPECT_NEAR(system->figures(0).bandwidth, 64 / 130.0, 1e-3);
    EXPECT_EQ(system->memory->bytes(false), 770u * 64);
  }
}

TEST(TrafficGenerator, SeveralUnderWayFillTheLink) {
  TrafficSystem system("system", {}, {traffic(0, 4)});
  sc_core::sc_start();
  EXPECT_NEAR(system.figures(0).bandwidth, 0.8, 0.004) << "8 bytes in 10 ns";
  EXPECT_NEAR(system.figures(0).read.latency.mean, 320, 5) << "four beats of 80 ns";
  EXPECT_EQ(system.bus->broken_conservation(), "");
}

TEST(TrafficGenerator, FiguresAddUpAtAnyTimeAfterOneHasJoined) {
  TrafficConfig alone = traffic(0, 4), joins = traffic(0, 4);
  joins.begin = 150 * kMicrosecond;
  alone.end = joins.end = 160 * kMicrosecond;
  TrafficSystem system("system", {}, {alone, joins});
  while (kernel_time() < joins.end) {
    sc_core::sc_start(10, sc_core::SC_NS);
    EXPECT_EQ(system.bus->broken_conservation(), "") << kernel_time();
  }
  const BusFigures figures = system.bus->figures();
  EXPECT_EQ(named(figures.initiators, "system0").timed.value().time.overtaken, 0) << "it had announced itself";
  EXPECT_FALSE(named(figures.links.value().used, "memory").late_arrivals);
}

TEST(TrafficGenerator, OffersItsRateAndReachesIt) {
  TrafficSystem system("system", {}, {traffic(200'000'000, 4)});
  sc_core::sc_start();
  EXPECT_EQ(system.figures(0).offered.value(), 0.2);
  EXPECT_NEAR(system.figures(0).bandwidth_of_offered.value(), 100, 1);
}

TEST(TrafficGenerator, ReachesLessThanItOffersWhereTheLinkIsFull) {
  TrafficSystem system("system", exact_order(), {traffic(700'000'000, 8), traffic(700'000'000, 8)});
  sc_core::sc_start();
  const double first = system.figures(0).bandwidth, second = system.figures(1).bandwidth;
  EXPECT_NEAR(first, 0.4, 0.01);
  EXPECT_NEAR(second, 0.4, 0.01);
  EXPECT_NEAR(system.figures(0).bandwidth_of_offered.value(), 100 * 4 / 7.0, 1);
  EXPECT_EQ(system.bus->broken_conservation(), "");
  EXPECT_EQ(system.generators[0]->bytes(false) + system.generators[1]->bytes(false), system.memory->bytes(false));
}

TEST(TrafficGenerator, WritesLeaveTheBytesAsTheyAre) {
  TrafficConfig config = traffic(0, 2);
  config.writes = 60;
  TrafficSystem system("system", {}, {config});
  for (unsigned i = 0; i < system.memory->size(); ++i) system.memory->data()[i] = static_cast<std::uint8_t>(i * 7);
  sc_core::sc_start();
  for (unsigned i = 0; i < system.memory->size(); ++i)
    ASSERT_EQ(system.memory->data()[i], static_cast<std::uint8_t>(i * 7)) << i;
  EXPECT_GT(system.generators[0]->bytes(true), system.generators[0]->bytes(false));
  EXPECT_EQ(system.memory->bytes(true), system.generators[0]->bytes(true));
}

TEST(TrafficGenerator, WorksFromItsBeginToItsEnd) {
  TrafficConfig config = traffic(0, 2);
  config.begin = 30 * kMicrosecond;
  config.end = 40 * kMicrosecond;
  TrafficSystem system("system", {}, {config});
  std::vector<Picoseconds> starts;
  system.generators[0]->on_transaction([&](Picoseconds start, Picoseconds) { starts.push_back(start); });
  sc_core::sc_start();
  EXPECT_EQ(starts.front(), config.begin);
  EXPECT_LT(starts.back(), config.end);
  EXPECT_GT(starts.back(), config.end - kMicrosecond);
  EXPECT_TRUE(std::is_sorted(starts.begin(), starts.end()));
  EXPECT_LT(kernel_time(), config.end + kMicrosecond) << "then it lets the simulation end";
}

TEST(TrafficGenerator, AloneItDoesTheSameInExactOrder) {
  TrafficConfig config = traffic(0, 4);
  config.writes = 20;
  TrafficSystem exact("exact", exact_order(), {config}), ahead("ahead", {}, {config});
  std::vector<Picoseconds> starts[2];
  exact.generators[0]->on_transaction([&](Picoseconds start, Picoseconds) { starts[0].push_back(start); });
  ahead.generators[0]->on_transaction([&](Picoseconds start, Picoseconds) { starts[1].push_back(start); });
  sc_core::sc_start();
  EXPECT_EQ(starts[0], starts[1]);
  EXPECT_EQ(exact.figures(0).write.latency.mean, ahead.figures(0).write.latency.mean);
  EXPECT_EQ(exact.bus->broken_conservation(), "");
}

TEST(TrafficGenerator, ManyMayBeInTheMiddleOfAnAccessWhenTheSimulationEnds) {
  TrafficSystem system("system", exact_order(), {traffic(0, 8), traffic(0, 8)});
  sc_core::sc_start(5, sc_core::SC_US);
  EXPECT_GT(system.memory->bytes(false), 3'000u);
}

TEST(TrafficGenerator, TwoShareAFullLinkAsInExactOrder) {
  const std::vector<TrafficConfig> two = {traffic(0, 4), traffic(300'000'000, 2)};
  TrafficSystem exact("exact", exact_order(), two), ahead("ahead", {}, two);
  sc_core::sc_start();
  for (const std::size_t generator : {0, 1}) {
    EXPECT_EQ(ahead.figures(generator).bandwidth, exact.figures(generator).bandwidth) << generator;
    EXPECT_EQ(ahead.figures(generator).read.latency.mean, exact.figures(generator).read.latency.mean) << generator;
  }
}

TEST(TrafficGenerator, GoesOnWhenTheModeChanges) {
  TrafficSystem exact("exact", exact_order(), {traffic(0, 4), traffic(0, 2)});
  TrafficSystem ahead("ahead", {}, {traffic(0, 4), traffic(0, 2)});
  for (const Fidelity fidelity : {Fidelity::functional, Fidelity::timed, Fidelity::functional}) {
    sc_core::sc_start(20, sc_core::SC_US);
    for (const TrafficSystem* system : {&exact, &ahead}) {
      system->bus->set_fidelity(fidelity);
      system->memory->set_fidelity(fidelity);
    }
  }
  sc_core::sc_start();
  for (const TrafficSystem* system : {&exact, &ahead}) {
    system->bus->settle();
    EXPECT_EQ(system->bus->broken_conservation(), "");
    EXPECT_EQ(system->generators[0]->bytes(false) + system->generators[1]->bytes(false), system->memory->bytes(false));
  }
}

TEST(TrafficGenerator, does_the_same_in_every_order_and_at_every_quantum) {
  expect_same_everywhere([](MasterTrial& trial) {
    TrafficConfig config = traffic(300'000'000, 8);
    config.pattern = TrafficPattern::random;
    config.writes = 40;
    config.end = 40 * kMicrosecond;
    auto generator = std::make_unique<TrafficGenerator>((trial.name() + "_traffic").c_str(), config, 10'000);
    trial.bus().connect_initiator("master", generator->master);
    trial.keep(std::move(generator), [](const TrafficGenerator& one) {
      const TrafficFigures figures = one.figures();
      return std::to_string(figures.bandwidth) + " " + std::to_string(figures.read.latency.mean) + " " +
             std::to_string(figures.write.latency.mean);
    });
  });
}

TEST(TrafficGenerator, RestsWhileNobodyElseIsThere) {
  TrafficConfig config = traffic(100'000'000, 1);
  config.end = 0;
  TrafficSystem system("system", {}, {config, config});
  Liveness liveness(system.horizon);
  Liveness::Member cpu(liveness);
  cpu.set(true);
  for (const auto& generator : system.generators) generator->fill_only(liveness);
  sc_core::sc_start(10, sc_core::SC_US);
  const std::uint64_t before = system.memory->bytes(false);
  EXPECT_GT(before, 1'500u);
  cpu.set(false);
  sc_core::sc_start();
  EXPECT_LE(kernel_time(), 11 * kMicrosecond) << "the simulation has run out of events";
  cpu.set(true);
  sc_core::sc_start(10, sc_core::SC_US);
  EXPECT_GT(system.memory->bytes(false), before + 1'500u);
}

}  // namespace
}  // namespace vp
