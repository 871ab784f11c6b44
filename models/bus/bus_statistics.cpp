#include "models/bus/bus_statistics.h"

namespace vp {

void report_traffic(Statistics& statistics, const std::vector<std::string>& initiators,
                    const std::vector<std::string>& targets, const std::vector<std::vector<BusTraffic>>& matrix) {
  for (std::size_t i = 0; i < initiators.size(); ++i) {
    Statistics& from = statistics.group(initiators[i], "accesses of this initiator by target, host pointers included");
    for (std::size_t t = 0; t < targets.size(); ++t) {
      const BusTraffic& traffic = matrix[i][t];
      if (traffic.reads + traffic.writes == 0) continue;
      Statistics& to = from.group(targets[t]);
      to.add("transactions", traffic.reads + traffic.writes, "1", "reads and writes");
      to.add("bytes", traffic.read_bytes + traffic.write_bytes, "bytes", "moved both ways");
      to.add("reads", traffic.reads, "1", "read transactions");
      to.add("writes", traffic.writes, "1", "write transactions");
      to.add("read_bytes", traffic.read_bytes, "bytes", "read");
      to.add("write_bytes", traffic.write_bytes, "bytes", "written");
    }
  }
}

}  // namespace vp
