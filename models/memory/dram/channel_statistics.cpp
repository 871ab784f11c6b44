#include "models/memory/dram/channel_statistics.h"

namespace vp::dram {
namespace {

DirectionFigures figures_of(const ChannelStatistics::Direction& direction) {
  return {direction.transactions, direction.bytes, direction.bursts,
          direction.latency.summary("arrival to the end of the last data beat")};
}

}  // namespace

ChannelFigures ChannelStatistics::figures(const ChannelConfig& config) const {
  const double seconds = last_data > first_arrival ? double(last_data - first_arrival) * 1e-12 : 0;
  const std::uint64_t bytes = direction[0].bytes + direction[1].bytes;
  const std::uint64_t bursts = direction[0].bursts + direction[1].bursts;
  const double rate = seconds > 0 ? double(bytes) / seconds : 0;
  const double burst_time = double(config.burst_cycles() * config.clock_period) * 1e-12;
  const auto nanoseconds = [&config](Cycle cycles) { return double(cycles * config.clock_period) * 1e-3; };
  ChannelFigures figures;
  figures.read = figures_of(direction[0]);
  figures.write = figures_of(direction[1]);
  figures.bandwidth = rate * 1e-9;
  figures.bandwidth_of_peak = 100 * rate / config.peak_bytes_per_second();
  figures.data_bus_busy = seconds > 0 ? 100 * double(bursts) * burst_time / seconds : 0;
  figures.rows = {rows[static_cast<unsigned>(RowOutcome::hit)], rows[static_cast<unsigned>(RowOutcome::closed)],
                  rows[static_cast<unsigned>(RowOutcome::conflict)]};
  figures.refreshes = refreshes;
  figures.refresh_stalls = refresh_stalls;
  figures.order_violations = order_violations;
  figures.latency_parts = {nanoseconds(parts.front_end), nanoseconds(parts.refresh),  nanoseconds(parts.bank),
                           nanoseconds(parts.row),       nanoseconds(parts.activate), nanoseconds(parts.bus),
                           nanoseconds(parts.data),      nanoseconds(parts.queue)};
  return figures;
}

}  // namespace vp::dram
