// What a bus contributes to the question what bounds a run.
#include "models/bus/bus_ports.h"

namespace vp {

void Bus::bounds(Bounds& bounds) const {
  BusUse use;
  use.name = basename();
  use.peak_bytes_per_second = config_.width / 8.0 * 1e12 / static_cast<double>(config_.clock);
  use.port_each = config_.topology == BusTopology::crossbar;
  const std::vector<std::vector<BusTraffic>> traffic = all_traffic();
  for (std::size_t from = 0; from < initiators_.size(); ++from) {
    use.initiators.push_back(initiators_[from]->label);
    for (std::size_t to = 0; to < traffic[from].size(); ++to) {
      const std::uint64_t bytes = traffic[from][to].read_bytes + traffic[from][to].write_bytes;
      if (bytes != 0) use.carried.push_back({initiators_[from]->label, map_.windows()[to].name, bytes});
    }
  }
  bounds.cost.bus_width += config_.width;
  bounds.buses.push_back(std::move(use));
}

}  // namespace vp
