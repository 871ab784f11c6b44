#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>

#include "models/common/latency_figures.h"
#include "models/common/statistics.h"
#include "models/common/tlm_initiator.h"
#include "models/traffic/schedule.h"
#include "models/traffic/transactions.h"

namespace vp {

/// An initiator that loads the bus: it stands for a DMA engine, a camera, another master. Its transactions take time
/// and move no bytes: they carry the memory's own, so a write leaves what it finds.
///
/// Temporally decoupled: it runs ahead of the kernel by less than a quantum, with one kernel event a quantum. All its
/// accesses go through the bus; it asks for host pointers to the contents only. Where the bus keeps exact order, an
/// access waits in the kernel, so there is a thread for each that may be under way.
class TrafficGenerator : public sc_core::sc_module {
 public:
  using Observer = std::function<void(Picoseconds start, Picoseconds end)>;

  /// What it must know of the machine.
  struct Surroundings {
    Picoseconds bus_cycle = 10'000;  ///< it issues one transaction in it at most
    Picoseconds quantum = 10'000'000;
    bool accesses_wait = true;  ///< whether the bus may keep exact order (BusConfig::sync)
  };

  /// The window of the configuration must lie inside one memory.
  TrafficGenerator(sc_core::sc_module_name name, const TrafficConfig& config, const Surroundings& surroundings);

  TlmInitiator socket{"socket"};

  /// While `nobody_else()` holds, that is while nothing but generators would go on, it rests, so that the simulation
  /// can run out of events; it looks again when `revival` is notified.
  void rest_while(std::function<bool()> nobody_else, const sc_core::sc_event& revival);
  /// Is told the time of each transaction, from issue to answer; the starts are in order.
  void on_transaction(Observer observer) { observer_ = std::move(observer); }

  std::uint64_t bytes(bool write) const { return latency_[write].count() * config_.burst; }
  void report(Statistics& statistics) const;

 private:
  void run();
  Picoseconds decide();
  void transact(Picoseconds at);
  std::uint8_t* contents(std::uint64_t address);

  const TrafficConfig config_;
  const Picoseconds quantum_;
  const Picoseconds end_;
  TrafficTransactions transactions_;
  TrafficSchedule schedule_;
  std::optional<DmiRegion> memory_;
  bool deciding_ = false;  // a thread sees to the next transaction
  sc_core::sc_event decided_;
  sc_core::sc_event answered_;
  std::function<bool()> nobody_else_;
  const sc_core::sc_event* revival_ = nullptr;
  Observer observer_;
  LatencyFigures latency_[2];  // read, write
  Picoseconds last_answer_ = 0;
};

}  // namespace vp
