#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/common/latency_figures.h"
#include "models/common/master_port.h"
#include "models/common/statistics.h"
#include "models/traffic/schedule.h"
#include "models/traffic/transactions.h"

namespace vp {

/// The generator without SystemC: asks its port for one transfer after the other, at the times of its schedule.
class TrafficSource {
 public:
  using Observer = std::function<void(Picoseconds start, Picoseconds end)>;

  /// bus_cycle: it issues one transaction in it at most.
  TrafficSource(const TrafficConfig& config, Picoseconds bus_cycle);

  /// While this is false it asks for nothing.
  void work_while(std::function<bool()> somebody_else) { somebody_else_ = std::move(somebody_else); }
  /// Is told the time of each transaction, from issue to answer, when it is answered.
  void on_transaction(Observer observer) { observer_ = std::move(observer); }

  /// Asks for what is due soon. Returns when to call it again; kNever: after a completion, or when somebody else is
  /// there again.
  Picoseconds plan(MasterPort& port);
  void issued(MasterPort::Tag tag, Picoseconds time) { under_way_[tag].issued = time; }
  void completed(MasterPort::Tag tag, Picoseconds time);

  std::uint64_t bytes(bool write) const { return latency_[write].count() * config_.burst; }
  void report(Statistics& statistics, Picoseconds now) const;

 private:
  struct Transaction {
    bool write = false;
    Picoseconds issued = 0;
  };

  const TrafficConfig config_;
  const Picoseconds end_;
  TrafficTransactions transactions_;
  TrafficSchedule schedule_;
  std::vector<Transaction> under_way_;  // by place in the schedule, which is a transfer's tag
  std::function<bool()> somebody_else_;
  Observer observer_;
  LatencyFigures latency_[2];  // read, write
  Picoseconds last_answer_ = 0;
};

}  // namespace vp
