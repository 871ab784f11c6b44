#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <tuple>
#include <vector>

#include "tests/support/two_initiators.h"

namespace vp {

/// The recipe by which any master is tried: beside a blocking initiator that runs ahead, on a bus of each topology and
/// each order, in both modes, at quanta from 1 ns to 10 ms. Neither order nor quantum may change what happens.
///
///     TEST(MyMaster, does_the_same_in_every_order_and_at_every_quantum) {
///       expect_same_everywhere([](MasterTrial& trial) {
///         auto master = std::make_unique<MyMaster>((trial.name() + "_master").c_str());
///         trial.bus().connect_initiator("master", master->port);
///         return trial.keep(std::move(master), [](const MyMaster& one) { return to_string(one.result()); });
///       });
///     }
class MasterTrial {
 public:
  static constexpr std::uint64_t kMemory = 0x8000'0000, kSize = 1 << 20;

  struct Setting {
    BusTopology topology;
    BusOrder order;
    Fidelity fidelity;
    Picoseconds quantum;
  };
  static std::vector<Setting> every_setting() {
    std::vector<Setting> all;
    for (const BusTopology topology : {BusTopology::crossbar, BusTopology::shared})
      for (const Fidelity fidelity : {Fidelity::functional, Fidelity::timed})
        for (const BusOrder order : {BusOrder::shared, BusOrder::exact})
          for (const Picoseconds quantum : {Picoseconds{1'000}, Picoseconds{1'000'000}, Picoseconds{10'000'000'000}})
            all.push_back({topology, order, fidelity, quantum});
    return all;
  }

  MasterTrial(std::string name, const Setting& setting, const std::string& preset) : name_(std::move(name)) {
    BusConfig config;
    config.topology = setting.topology;
    config.sync = setting.order;
    MemoryConfig memory;
    memory.size = kSize;
    memory.channel.preset = preset;
    memory_ = std::make_unique<Memory>((name_ + "_memory").c_str(), memory, config.clock);
    other_ = std::make_unique<Memory>((name_ + "_other").c_str(), memory, config.clock);
    bus_ = std::make_unique<Bus>(
        (name_ + "_bus").c_str(), config, horizon_, std::vector<std::string>{"cpu", "master"},
        std::vector<BusWindow>{{"memory", kMemory, kSize, true}, {"other", kMemory + kSize, kSize, true}});
    Traffic traffic;
    traffic.base = kMemory;
    traffic.writes = 30;
    cpu_ = std::make_unique<PausingInitiator>((name_ + "_cpu").c_str(), traffic, 1, kSize, setting.quantum, 40'000'000,
                                              &horizon_);
    bus_->connect_initiator("cpu", cpu_->socket);
    bus_->connect_target("memory", memory_->socket);
    bus_->connect_target("other", other_->socket);
    for (Memory* const one : {memory_.get(), other_.get()}) one->set_fidelity(setting.fidelity);
    bus_->set_fidelity(setting.fidelity);
  }

  const std::string& name() const { return name_; }
  Horizon& horizon() { return horizon_; }
  Bus& bus() { return *bus_; }
  Fidelity fidelity() const { return bus_->fidelity(); }
  /// Keeps the master and what tells of its results, after the run, as text.
  template <typename Master, typename Result>
  void keep(std::unique_ptr<Master> master, Result result) {
    const std::shared_ptr<Master> kept = std::move(master);
    result_ = [kept, result] { return result(*kept); };
  }
  /// What the master and the other initiator have to tell, and the bytes that were moved.
  std::string result() const {
    return result_() + "; the other: " + std::to_string(cpu_->latency_sum) + " in " + std::to_string(cpu_->accesses) +
           "; bytes " + std::to_string(memory_->bytes(false)) + ", " + std::to_string(memory_->bytes(true)) + ", " +
           std::to_string(other_->bytes(false)) + ", " + std::to_string(other_->bytes(true)) +
           bus_->broken_conservation();
  }

 private:
  std::string name_;
  Horizon horizon_;
  std::unique_ptr<Memory> memory_, other_;
  std::unique_ptr<Bus> bus_;
  std::unique_ptr<PausingInitiator> cpu_;
  std::function<std::string()> result_;
};

/// add(trial): makes the master, connects it to the trial's bus as "master" and keeps it. SystemC elaborates once, so
/// all trials run side by side; the master has to come to an end by itself.
template <typename Add>
void expect_same_everywhere(Add add, const std::string& preset = "ddr4-2400") {
  std::vector<std::unique_ptr<MasterTrial>> trials;
  const std::vector<MasterTrial::Setting> settings = MasterTrial::every_setting();
  for (const MasterTrial::Setting& setting : settings) {
    trials.push_back(std::make_unique<MasterTrial>("trial" + std::to_string(trials.size()), setting, preset));
    add(*trials.back());
  }
  sc_core::sc_start();
  std::map<std::tuple<BusTopology, Fidelity>, std::string> expected;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    std::string& reference = expected[{settings[i].topology, settings[i].fidelity}];
    if (reference.empty()) reference = trials[i]->result();
    EXPECT_EQ(trials[i]->result(), reference)
        << (settings[i].fidelity == Fidelity::timed ? "timed" : "functional")
        << (settings[i].topology == BusTopology::shared ? ", shared" : ", crossbar")
        << (settings[i].order == BusOrder::exact ? ", sync=true" : ", sync=auto") << ", quantum "
        << settings[i].quantum;
  }
}

}  // namespace vp
