#include "models/memory/dram/energy.h"

namespace vp::dram {
namespace {

/// Picojoules of one command, and of one cycle of a rank's standby.
struct Increments {
  double activate, read, write, refresh, active_cycle, idle_cycle;
};

Increments increments(const ChannelConfig& config) {
  const Power& p = config.power;
  const Timing& t = config.timing;
  const double devices = static_cast<double>(config.bus_width) / config.structure.device_width;
  // volts × milliamperes × nanoseconds
  const double scale = *p.vdd * static_cast<double>(config.clock_period) * 1e-3 * devices;
  return {scale * (*p.idd0 * (t.ras + t.rp) - (*p.idd3n * t.ras + *p.idd2n * t.rp)),
          scale * (*p.idd4r - *p.idd3n) * config.burst_cycles(),
          scale * (*p.idd4w - *p.idd3n) * config.burst_cycles(),
          scale * (*p.idd5ab - *p.idd3n) * t.rfc,
          scale * *p.idd3n,
          scale * *p.idd2n};
}

}  // namespace

std::string why_no_energy(const ChannelConfig& config) {
  const Power& p = config.power;
  const std::pair<const char*, const std::optional<double>*> needed[] = {
      {"VDD", &p.vdd},     {"IDD0", &p.idd0},   {"IDD2N", &p.idd2n},  {"IDD3N", &p.idd3n},
      {"IDD4W", &p.idd4w}, {"IDD4R", &p.idd4r}, {"IDD5AB", &p.idd5ab}};
  std::string missing;
  for (const auto& [name, value] : needed)
    if (!*value) missing += (missing.empty() ? "" : ", ") + std::string(name);
  if (!missing.empty()) return config.name + " does not tell " + missing;
  const Increments one = increments(config);
  for (const double energy : {one.activate, one.read, one.write, one.refresh})
    if (energy < 0) return "the currents of " + config.name + " give a command a negative energy";
  return "";
}

std::optional<EnergyFigures> energy_figures(const ChannelConfig& config, const CommandCounts& counts) {
  if (!why_no_energy(config).empty()) return std::nullopt;
  const Increments one = increments(config);
  const Cycle idle = counts.cycles * config.ranks() - counts.active;
  EnergyFigures energy;
  energy.activate = one.activate * static_cast<double>(counts.activates);
  energy.read = one.read * static_cast<double>(counts.reads);
  energy.write = one.write * static_cast<double>(counts.writes);
  energy.refresh = one.refresh * static_cast<double>(counts.refreshes);
  energy.active_standby = one.active_cycle * static_cast<double>(counts.active);
  energy.precharge_standby = one.idle_cycle * static_cast<double>(idle);
  energy.total =
      energy.activate + energy.read + energy.write + energy.refresh + energy.active_standby + energy.precharge_standby;
  energy.covered_time = static_cast<double>(counts.cycles * config.clock_period) * 1e-3;
  return energy;
}

}  // namespace vp::dram
