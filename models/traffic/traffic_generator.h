#pragma once

#include <cstdint>
#include <systemc>
#include <utility>

#include "models/common/liveness.h"
#include "models/common/overlapping_master.h"
#include "models/common/statistics.h"
#include "models/traffic/source.h"

namespace vp {

/// An initiator that loads the bus: it stands for a DMA engine, a camera, another master. Its transactions take time
/// and move no bytes. All of them go through the bus, by an OverlappingMaster: no threads, one kernel event or two a
/// transaction.
class TrafficGenerator : public sc_core::sc_module, private MasterPort::Client {
 public:
  /// The window of the configuration must lie inside one memory. bus_cycle: it issues one transaction in it at most.
  TrafficGenerator(sc_core::sc_module_name name, const TrafficConfig& config, Picoseconds bus_cycle);

  OverlappingMaster master;

  /// While nobody else is alive it rests, so that the simulation can run out of events.
  void fill_only(Liveness& liveness);
  /// Is told the time of each transaction, from issue to answer, when it is answered.
  void on_transaction(TrafficSource::Observer observer) { source_.on_transaction(std::move(observer)); }

  /// Moved by the bus for it, those of transactions still under way, too.
  std::uint64_t bytes(bool write) const { return master.bytes(write); }
  /// At first functional.
  void set_fidelity(Fidelity fidelity);
  TrafficFigures figures() const;
  void persist(Archive& archive);
  void report(Statistics& statistics) const;

 private:
  void start_of_simulation() override { plan(); }
  void plan();
  void look_again();
  void look_again_at(Picoseconds time);
  void issued(MasterPort::Tag tag, Picoseconds time) override { source_.issued(tag, time); }
  void completed(MasterPort::Tag tag, const Answer& answer) override;

  TrafficSource source_;
  Picoseconds look_again_at_ = kNever;
  sc_core::sc_event look_again_due_;
};

}  // namespace vp
