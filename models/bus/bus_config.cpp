#include "models/bus/bus_config.h"

#include "models/common/error.h"

namespace vp {

void BusConfig::declare(ParameterGroup g) {
  g.clock("clock", clock, "clock of the bus");
  g.choice("width", width, {{"32", 32u}, {"64", 64u}, {"128", 128u}, {"256", 256u}, {"512", 512u}},
           "bits moved in a cycle");
  g.integer("latency_cycles", latency_cycles, 0, 1000, "cycles", "from an initiator to its target");
  g.time("timeout", timeout, 1000, 1'000'000'000'000, "after which an access that is never answered ends the run");
  g.choice("topology", topology, {{"crossbar", BusTopology::crossbar}, {"shared", BusTopology::shared}},
           "a link to each target, or one link for all (timed mode)");
  g.choice("arbitration", arbitration,
           {{"first-come", Arbitration::first_come},
            {"fixed-priority", Arbitration::fixed_priority},
            {"round-robin", Arbitration::round_robin}},
           "who goes first on a link (timed mode)");
  g.text("priority", priority,
         "initiators in the order of their priority, the highest first, separated by commas; others follow");
  g.integer("outstanding", outstanding, 0, 64, "accesses", "under way on a link at a time, 0: any number (timed mode)");
  g.choice("sync", sync, {{"auto", BusOrder::shared}, {"true", BusOrder::exact}, {"false", BusOrder::decoupled}},
           "accesses wait in the kernel for their turn: where another master may come first, or all; false is refused "
           "(timed mode)");
}

void BusConfig::check() const {
  if (sync == BusOrder::decoupled)
    throw UserError(
        "bus.sync=false is no longer offered: masters that run ahead of each other would get results that depend on "
        "the "
        "quantum; allowed are auto and true.");
}

}  // namespace vp
