#pragma once

#include <cstdint>

#include "models/common/hit_figures.h"
#include "models/common/latency_figures.h"
#include "models/memory/dram/energy.h"

namespace vp::dram {

/// Transactions of one direction.
struct DirectionFigures {
  std::uint64_t transactions = 0;
  std::uint64_t bytes = 0;
  std::uint64_t bursts = 0;
  LatencySummary latency;

  template <typename List>
  void list(List& list) const {
    list.figure("transactions", transactions, "1", "calls of an initiator");
    list.figure("bytes", bytes, "bytes", "asked for by initiators");
    list.figure("bursts", bursts, "1", "column commands");
    latency.list(list);
  }
};

/// All of a DRAM channel.
struct ChannelFigures {
  struct Rows {
    std::uint64_t hits = 0;
    std::uint64_t closed = 0;
    std::uint64_t conflicts = 0;

    template <typename List>
    void list(List& list) const {
      list.figure(hit_figures::kHits, hits, "1", "row open");
      list.figure("closed", closed, "1", "no row open");
      list.figure("conflicts", conflicts, "1", "another row open");
    }
  };
  /// Nanoseconds.
  struct Parts {
    double front_end = 0;
    double refresh = 0;
    double bank = 0;
    double row = 0;
    double activate_window = 0;
    double data_bus = 0;
    double data = 0;
    double queue = 0;

    template <typename List>
    void list(List& list) const {
      list.figure("front_end", front_end, "ns", "controller");
      list.figure("refresh", refresh, "ns", "waiting for a refresh to end");
      list.figure("bank", bank, "ns", "waiting for the bank: tRAS, tRTP, tWR, tRC");
      list.figure("row", row, "ns", "closing and opening rows: tRP, tRCD");
      list.figure("activate_window", activate_window, "ns", "waiting for tRRD, tFAW");
      list.figure("data_bus", data_bus, "ns", "waiting for the data bus: tCCD, turnarounds");
      list.figure("data", data, "ns", "column latency and the burst itself");
      list.figure("queue", queue, "ns", "behind other requests, in the queues and at their input");
    }
  };
  DirectionFigures read;
  DirectionFigures write;
  double bandwidth = 0;          ///< GB/s
  double bandwidth_of_peak = 0;  ///< percent
  double data_bus_busy = 0;      ///< percent
  Rows rows;
  std::uint64_t refreshes = 0;
  std::uint64_t refresh_stalls = 0;
  std::uint64_t order_violations = 0;
  Parts latency_parts;
  std::optional<EnergyFigures> energy;
  std::optional<std::string> no_energy;

  template <typename List>
  void list(List& list) const {
    list.group("read", "reads", read);
    list.group("write", "writes", write);
    list.figure("bandwidth", bandwidth, "GB/s", "bytes / (end of the last data beat - first arrival), 10^9 bytes");
    list.figure("bandwidth_of_peak", bandwidth_of_peak, "%", "of 2 x bus width / tCK");
    list.figure("data_bus_busy", data_bus_busy, "%", "bursts x BL/2 x tCK / the same time");
    list.group("rows", "bursts by the state in which they found their row", rows);
    list.figure("refreshes", refreshes, "1", "refresh commands");
    list.figure("refresh_stalls", refresh_stalls, "1", "bursts that waited for a refresh");
    list.figure("order_violations", order_violations, "1",
                "requests earlier than one answered before; many mean a quantum too long for exact timing");
    list.group("latency_parts", "where the bursts' latency went; the parts add up to it", latency_parts);
    list.group("energy", "energy of the devices, estimated from currents", energy);
    list.figure("no_energy", no_energy, "", "why no energy is given");
  }
};

}  // namespace vp::dram
