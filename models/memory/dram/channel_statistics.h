#pragma once

#include <cstdint>

#include "models/common/latency_figures.h"
#include "models/memory/dram/config.h"
#include "models/memory/dram/figures.h"

namespace vp {
class Archive;
}

namespace vp::dram {

/// Why a burst did not get its data at once. The parts of a burst's latency, in cycles, add up to it.
struct LatencyParts {
  Cycle front_end = 0;  ///< controller
  Cycle refresh = 0;    ///< waiting for a refresh to end
  Cycle bank = 0;       ///< waiting for the bank to recover (tRAS, tRTP, tWR, tRC, an earlier activate)
  Cycle row = 0;        ///< closing and opening the row (tRP, tRCD)
  Cycle activate = 0;   ///< waiting for tRRD, tFAW
  Cycle bus = 0;        ///< waiting for the data bus (tCCD, turnarounds)
  Cycle data = 0;       ///< column latency and the burst itself
  Cycle queue = 0;      ///< behind other requests, in the queues and at their input

  Cycle total() const { return front_end + refresh + bank + row + activate + bus + data + queue; }
  void persist(Archive& archive);
  LatencyParts& operator+=(const LatencyParts& other) {
    front_end += other.front_end, refresh += other.refresh, bank += other.bank, row += other.row;
    activate += other.activate, bus += other.bus, data += other.data, queue += other.queue;
    return *this;
  }
};

enum class RowOutcome { hit, closed, conflict };

/// What happened on a channel, kept as it happens.
struct ChannelStatistics {
  /// Transactions of one direction. Latencies are those the caller sees, in picoseconds.
  struct Direction {
    std::uint64_t transactions = 0;
    std::uint64_t bytes = 0;
    std::uint64_t bursts = 0;
    LatencyFigures latency;

    void add(std::uint64_t transferred, std::uint64_t burst_count, Picoseconds time) {
      ++transactions;
      bytes += transferred;
      bursts += burst_count;
      latency.add(time);
    }
    void persist(Archive& archive);
  };

  Direction direction[2];      ///< read, write
  std::uint64_t rows[3] = {};  ///< bursts by RowOutcome
  std::uint64_t refreshes = 0;
  std::uint64_t refresh_stalls = 0;    ///< bursts that waited for a refresh
  std::uint64_t order_violations = 0;  ///< requests with an earlier time than one answered before
  LatencyParts parts;                  ///< sum over all bursts
  Picoseconds first_arrival = kNever;
  Picoseconds last_data = 0;

  /// As a report shows them; percent of peak and such need the configuration.
  void persist(Archive& archive);
  ChannelFigures figures(const ChannelConfig& config) const;
};

}  // namespace vp::dram
