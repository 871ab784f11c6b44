#include "models/traffic/traffic_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/any_master.h"
#include "tests/support/saved_state.h"
#include "tests/traffic/traffic_system.h"

namespace vp {
namespace {

BusConfig ordered(BusOrder order) {
  BusConfig config;
  config.sync = order;
  return config;
}
BusConfig exact_order() { return ordered(BusOrder::exact); }

TEST(TrafficGenerator, OneAtATimeTakesTheLatencyOfItsTransactions) {
  TrafficSystem timed("timed", {}, {traffic(0, 1)}),
      functional("functional", {}, {traffic(0, 1)}, Fidelity::functional);
  sc_core::sc_start();
  for (const TrafficSystem* system : {&timed, &functional}) {
    EXPECT_EQ(system->figures(0).read.transactions, 770u) << "100 us / 130 ns: hop, latency and seven further beats";
    EXPECT_EQ(system->memory->bytes(false), 770u * 64);
  }
  EXPECT_EQ(timed.figures(0).read.latency.value().least, 130.0);
  EXPECT_EQ(timed.figures(0).read.latency.value().greatest, 130.0);
  EXPECT_NEAR(timed.figures(0).bandwidth.value(), 64 / 130.0, 1e-3);
}

TEST(TrafficGenerator, measures_nothing_in_functional_mode_in_which_nobody_waits) {
  TrafficSystem system("system", {}, {traffic(0, 64)}, Fidelity::functional);
  sc_core::sc_start();
  const TrafficFigures figures = system.figures(0);
  EXPECT_GT(figures.read.bytes, 2 * 800u * 100) << "more than the link can carry in 100 us";
  EXPECT_FALSE(figures.bandwidth);
  EXPECT_FALSE(figures.read.latency);
  EXPECT_EQ(figures.not_measured, "bandwidth, latency");
}

TEST(TrafficGenerator, measures_the_timed_part_of_a_run) {
  TrafficConfig config = traffic(400'000'000, 16);
  config.begin = 5 * kMicrosecond;
  config.end = 60 * kMicrosecond;
  TrafficSystem timed("timed", {}, {config}), mixed("mixed", {}, {config}, Fidelity::functional);
  sc_core::sc_start(20, sc_core::SC_US);
  mixed.set_fidelity(Fidelity::timed);
  sc_core::sc_start(60, sc_core::SC_US);
  mixed.set_fidelity(Fidelity::functional);
  sc_core::sc_start();
  EXPECT_EQ(mixed.figures(0).read.transactions, timed.figures(0).read.transactions) << "it is paced in both";
  EXPECT_NEAR(mixed.figures(0).bandwidth.value(), 0.4, 0.005) << "in the 40 us that were timed";
  EXPECT_NEAR(mixed.figures(0).bandwidth_of_offered.value(), 100, 1.2);
  EXPECT_NEAR(mixed.figures(0).read.latency.value().mean, timed.figures(0).read.latency.value().mean, 1);
}

TEST(TrafficGenerator, SeveralUnderWayFillTheLink) {
  TrafficSystem system("system", {}, {traffic(0, 4)});
  sc_core::sc_start();
  EXPECT_NEAR(system.figures(0).bandwidth.value(), 0.8, 0.004) << "8 bytes in 10 ns";
  EXPECT_NEAR(system.figures(0).read.latency.value().mean, 320, 5) << "four beats of 80 ns";
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
  EXPECT_EQ(named(figures.initiators, "traffic0").timed.value().time.overtaken, 0) << "it had announced itself";
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
  const double first = system.figures(0).bandwidth.value(), second = system.figures(1).bandwidth.value();
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
  EXPECT_EQ(exact.figures(0).write.latency.value().mean, ahead.figures(0).write.latency.value().mean);
  EXPECT_EQ(exact.bus->broken_conservation(), "");
}

TEST(TrafficGenerator, ManyMayBeInTheMiddleOfAnAccessWhenTheSimulationEnds) {
  TrafficSystem system("system", exact_order(), {traffic(0, 8), traffic(0, 8)});
  sc_core::sc_start(5, sc_core::SC_US);
  EXPECT_GT(system.memory->bytes(false), 3'000u);
}

TEST(TrafficGenerator, what_is_on_its_way_at_the_end_of_a_run_counts_in_every_order) {
  TrafficSystem exact("exact", exact_order(), {traffic(0, 4)}), ahead("ahead", {}, {traffic(0, 4)});
  sc_core::sc_start(5, sc_core::SC_US);
  for (const TrafficSystem* system : {&exact, &ahead}) system->bus->settle();
  EXPECT_EQ(exact.memory->bytes(false), ahead.memory->bytes(false));
  EXPECT_EQ(exact.generators[0]->bytes(false), ahead.generators[0]->bytes(false));
  EXPECT_EQ(exact.bus->broken_conservation() + ahead.bus->broken_conservation(), "");
}

TEST(TrafficGenerator, TwoShareAFullLinkAsInExactOrder) {
  const std::vector<TrafficConfig> two = {traffic(0, 4), traffic(300'000'000, 2)};
  TrafficSystem exact("exact", exact_order(), two), ahead("ahead", {}, two);
  sc_core::sc_start();
  for (const std::size_t generator : {0, 1}) {
    EXPECT_EQ(ahead.figures(generator).bandwidth.value(), exact.figures(generator).bandwidth) << generator;
    EXPECT_EQ(ahead.figures(generator).read.latency.value().mean, exact.figures(generator).read.latency.value().mean)
        << generator;
  }
}

TEST(TrafficGenerator, GoesOnWhenTheModeChanges) {
  TrafficSystem exact("exact", exact_order(), {traffic(0, 4), traffic(0, 2)});
  TrafficSystem ahead("ahead", {}, {traffic(0, 4), traffic(0, 2)});
  for (const Fidelity fidelity : {Fidelity::functional, Fidelity::timed, Fidelity::functional}) {
    sc_core::sc_start(20, sc_core::SC_US);
    for (TrafficSystem* system : {&exact, &ahead}) {
      system->set_fidelity(fidelity);
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
    generator->set_fidelity(trial.fidelity());
    trial.bus().connect_initiator("master", generator->master);
    trial.keep(std::move(generator), [](const TrafficGenerator& one) {
      const TrafficFigures figures = one.figures();
      return std::to_string(figures.bandwidth.value_or(0)) + " " + text_of(figures);
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
