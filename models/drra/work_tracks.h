#pragma once

#include <optional>
#include <vector>

#include "models/common/timeline_sink.h"
#include "models/drra/core.h"

namespace vp::drra {

/// Draws into a timeline what each cell of a fabric does: its sequencer, its DPU, its streams by port. Cells without a
/// program and ports that no program names have no track. Cycle 1 begins at time 0.
class WorkTracks : public WorkObserver {
 public:
  /// The programs are loaded. timeline and core must outlive this object.
  WorkTracks(Core& core, TimelineSink& timeline);

  void on_decode(unsigned cell, Cycle cycle) override;
  void on_wait(unsigned cell, Cycle first, Cycle last) override;
  void on_dpu(unsigned cell, Cycle cycle) override;
  void on_stream(unsigned cell, Port port, Cycle first, Cycle last) override;
  /// The run has ended in this cycle: what is drawn ends there.
  void finish(Cycle end);

 private:
  static constexpr unsigned kSequencer = kPorts, kDpu = kPorts + 1, kUnits = kPorts + 2;
  /// A span that may grow still.
  struct Unit {
    std::optional<TimelineSink::Track> track;
    Cycle first = 0, last = 0;  // 0: none
    const char* state = "";
  };

  Unit& unit(unsigned cell, unsigned number) { return units_[cell * kUnits + number]; }
  void add(Unit& unit, Cycle first, Cycle last, const char* state);
  void draw(const Unit& unit, Cycle end);

  TimelineSink& timeline_;
  const Picoseconds period_;
  std::vector<Unit> units_;
};

}  // namespace vp::drra
