#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/common/fidelity.h"
#include "models/common/latency_figures.h"
#include "models/common/master_port.h"
#include "models/traffic/figures.h"
#include "models/traffic/schedule.h"
#include "models/traffic/transactions.h"

namespace vp {

class Archive;

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

  /// From now on; at first functional. It measures in timed mode only: in functional mode nobody waits for anybody.
  void set_fidelity(Fidelity fidelity, Picoseconds now);

  TrafficFigures figures(Picoseconds now) const;
  void persist(Archive& archive);

 private:
  struct Transaction {
    bool write = false;
    Picoseconds issued = 0;
    void persist(Archive& archive);
  };

  Picoseconds working_time(Picoseconds since, Picoseconds now) const;
  std::uint64_t measured_bytes() const { return (latency_[0].count() + latency_[1].count()) * config_.burst; }
  TrafficFigures::Direction direction(bool write, bool measured) const;

  const TrafficConfig config_;
  const Picoseconds end_;
  TrafficTransactions transactions_;
  TrafficSchedule schedule_;
  std::vector<Transaction> under_way_;  // by place in the schedule, which is a transfer's tag
  std::function<bool()> somebody_else_;
  Observer observer_;
  std::uint64_t answered_[2] = {};  // reads, writes
  LatencyFigures latency_[2];       // of those that were issued and answered in timed mode
  Picoseconds last_answer_ = 0;
  Picoseconds timed_since_ = kNever;  // kNever: it is functional
  Picoseconds timed_before_ = 0;      // it worked in the timed parts of the run before
};

}  // namespace vp
