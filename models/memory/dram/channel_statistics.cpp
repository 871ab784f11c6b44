#include "models/memory/dram/channel_statistics.h"

#include <string>

#include "models/common/statistics.h"

namespace vp::dram {
namespace {

void report_direction(Statistics& tree, const ChannelStatistics::Direction& d) {
  tree.add("transactions", d.transactions, "1", "calls of an initiator");
  tree.add("bytes", d.bytes, "bytes", "asked for by initiators");
  tree.add("bursts", d.bursts, "1", "column commands");
  d.latency.report(tree, "arrival to the end of the last data beat");
}

}  // namespace

void ChannelStatistics::report(Statistics& tree, const ChannelConfig& config) const {
  report_direction(tree.group("read", "reads"), direction[0]);
  report_direction(tree.group("write", "writes"), direction[1]);
  const double seconds = last_data > first_arrival ? double(last_data - first_arrival) * 1e-12 : 0;
  const std::uint64_t bytes = direction[0].bytes + direction[1].bytes;
  const std::uint64_t bursts = direction[0].bursts + direction[1].bursts;
  const double rate = seconds > 0 ? double(bytes) / seconds : 0;
  const double burst_time = double(config.burst_cycles() * config.clock_period) * 1e-12;
  tree.add("bandwidth", rate * 1e-9, "GB/s", "bytes / (end of the last data beat - first arrival), 10^9 bytes");
  tree.add("bandwidth_of_peak", 100 * rate / config.peak_bytes_per_second(), "%", "of 2 x bus width / tCK");
  tree.add("data_bus_busy", seconds > 0 ? 100 * double(bursts) * burst_time / seconds : 0, "%",
           "bursts x BL/2 x tCK / the same time");
  Statistics& row = tree.group("rows", "bursts by the state in which they found their row");
  row.add("hits", rows[static_cast<unsigned>(RowOutcome::hit)], "1", "row open");
  row.add("closed", rows[static_cast<unsigned>(RowOutcome::closed)], "1", "no row open");
  row.add("conflicts", rows[static_cast<unsigned>(RowOutcome::conflict)], "1", "another row open");
  tree.add("refreshes", refreshes, "1", "refresh commands");
  tree.add("refresh_stalls", refresh_stalls, "1", "bursts that waited for a refresh");
  tree.add("order_violations", order_violations, "1",
           "requests earlier than one answered before; many mean a quantum too long for exact timing");
  Statistics& wait = tree.group("latency_parts", "where the bursts' latency went; the parts add up to it");
  const std::pair<const char*, Cycle> shares[] = {
      {"front_end", parts.front_end},      {"refresh", parts.refresh}, {"bank", parts.bank}, {"row", parts.row},
      {"activate_window", parts.activate}, {"data_bus", parts.bus},    {"data", parts.data}, {"queue", parts.queue}};
  const char* const meanings[] = {"controller",
                                  "waiting for a refresh to end",
                                  "waiting for the bank: tRAS, tRTP, tWR, tRC",
                                  "closing and opening rows: tRP, tRCD",
                                  "waiting for tRRD, tFAW",
                                  "waiting for the data bus: tCCD, turnarounds",
                                  "column latency and the burst itself",
                                  "behind other requests, in the queues and at their input"};
  for (unsigned i = 0; i < 8; ++i)
    wait.add(shares[i].first, double(shares[i].second * config.clock_period) * 1e-3, "ns", meanings[i]);
}

}  // namespace vp::dram
