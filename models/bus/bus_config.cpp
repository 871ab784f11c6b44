#include "models/bus/bus_config.h"

namespace vp {

void BusConfig::declare(ParameterGroup g) {
  g.clock("clock", clock, "clock of the bus");
  g.choice("width", width, {{"32", 32u}, {"64", 64u}, {"128", 128u}, {"256", 256u}, {"512", 512u}},
           "bits moved in a cycle");
  g.integer("latency_cycles", latency_cycles, 0, 1000, "cycles", "from an initiator to its target");
  g.time("timeout", timeout, 1000, 1'000'000'000'000, "after which an access that is never answered ends the run");
}

}  // namespace vp
