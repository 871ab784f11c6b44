#include "models/drra/work_tracks.h"

#include <algorithm>
#include <array>
#include <string>

namespace vp::drra {
namespace {

/// Ports of the REFIs in a cell's program.
std::array<bool, kPorts> named_ports(const Cell& cell) {
  std::array<bool, kPorts> named{};
  for (unsigned pc = 0; pc < cell.sequencer.length(); ++pc) {
    const Instruction& in = cell.sequencer.at(pc);
    if (in.operation != Operation::refi) continue;
    const unsigned port = in[refi::port_no];
    if (in[refi::dimarch] == 0)
      named[port] = true;
    else if (port == w0 || port == r0)
      named[port == w0 ? block_write : block_read] = true;
  }
  return named;
}

}  // namespace

WorkTracks::WorkTracks(Core& core, TimelineSink& timeline)
    : timeline_(timeline), period_(core.config().clock_period), units_(core.cells() * kUnits) {
  for (unsigned i = 0; i < core.cells(); ++i) {
    const Cell& cell = core.cell(i);
    if (cell.sequencer.length() == 0) continue;
    const std::string name = "cell " + std::to_string(cell.row) + "," + std::to_string(cell.column) + " ";
    unit(i, kSequencer).track = timeline.add_track(name + "sequencer");
    unit(i, kDpu).track = timeline.add_track(name + "DPU");
    const std::array<bool, kPorts> named = named_ports(cell);
    for (unsigned port = 0; port < kPorts; ++port)
      if (named[port]) unit(i, port).track = timeline.add_track(name + name_of(static_cast<Port>(port)));
  }
  core.set_work_observer(this);
}

void WorkTracks::on_decode(unsigned cell, Cycle cycle) { add(unit(cell, kSequencer), cycle, cycle, "busy"); }

void WorkTracks::on_wait(unsigned cell, Cycle first, Cycle last) { add(unit(cell, kSequencer), first, last, "wait"); }

void WorkTracks::on_dpu(unsigned cell, Cycle cycle) { add(unit(cell, kDpu), cycle, cycle, "busy"); }

void WorkTracks::on_stream(unsigned cell, Port port, Cycle first, Cycle last) {
  add(unit(cell, port), first, last, "busy");
}

void WorkTracks::add(Unit& unit, Cycle first, Cycle last, const char* state) {
  if (unit.first != 0 && first == unit.last + 1 && state == unit.state) {
    unit.last = last;
    return;
  }
  draw(unit, kNever);
  unit.first = first;
  unit.last = last;
  unit.state = state;
}

void WorkTracks::draw(const Unit& unit, Cycle end) {
  const Cycle last = std::min(unit.last, end);
  if (unit.first == 0 || unit.first > last) return;
  if (unit.track) timeline_.add(*unit.track, (unit.first - 1) * period_, last * period_, unit.state);
}

void WorkTracks::finish(Cycle end) {
  for (Unit& unit : units_) {
    draw(unit, end);
    unit.first = 0;
  }
  timeline_.set_end(end * period_);
}

}  // namespace vp::drra
