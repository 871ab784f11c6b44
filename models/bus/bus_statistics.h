#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/common/statistics.h"

namespace vp {

/// Traffic between one initiator and one target.
struct BusTraffic {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t write_bytes = 0;

  void add(bool write, std::uint64_t bytes) {
    ++(write ? writes : reads);
    (write ? write_bytes : read_bytes) += bytes;
  }
  BusTraffic& operator+=(const BusTraffic& other) {
    reads += other.reads;
    writes += other.writes;
    read_bytes += other.read_bytes;
    write_bytes += other.write_bytes;
    return *this;
  }
};

/// What an initiator did through host pointers, which the bus cannot see, in one region.
struct DmiTraffic {
  std::uint64_t address = 0;  ///< any address of the region
  BusTraffic traffic;
};

/// An initiator's account of all its DMI accesses since the start, asked for when a report is written.
using DmiTrafficSource = std::function<std::vector<DmiTraffic>()>;

/// Adds a group an initiator with a group a target inside; matrix[initiator][target]. Pairs without traffic are left
/// out.
void report_traffic(Statistics& statistics, const std::vector<std::string>& initiators,
                    const std::vector<std::string>& targets, const std::vector<std::vector<BusTraffic>>& matrix);

}  // namespace vp
