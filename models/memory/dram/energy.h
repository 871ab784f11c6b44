#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/memory/dram/config.h"

namespace vp::dram {

/// What the devices of a channel were told to do from cycle 0 to `cycles`.
struct CommandCounts {
  std::uint64_t activates = 0;
  std::uint64_t reads = 0;      ///< column commands
  std::uint64_t writes = 0;     ///< column commands
  std::uint64_t refreshes = 0;  ///< of a rank each
  Cycle active = 0;             ///< sum over the ranks of the cycles in which one of its rows was open
  Cycle cycles = 0;
};

/// Energy of a channel's devices in picojoules, without the bus and the controller. An estimate from the currents of a
/// data sheet, which are those of its test patterns and not of the data moved.
struct EnergyFigures {
  double total = 0;
  double activate = 0;
  double read = 0;
  double write = 0;
  double refresh = 0;
  double active_standby = 0;
  double precharge_standby = 0;
  double covered_time = 0;  ///< ns

  template <typename List>
  void list(List& list) const {
    list.figure("total", total, "pJ", "all of them, estimated from the currents of the data sheet");
    list.figure("activate", activate, "pJ", "activates with their precharges");
    list.figure("read", read, "pJ", "read bursts, without the bus");
    list.figure("write", write, "pJ", "write bursts, without the bus");
    list.figure("refresh", refresh, "pJ", "refreshes");
    list.figure("active_standby", active_standby, "pJ", "ranks with an open row");
    list.figure("precharge_standby", precharge_standby, "pJ", "ranks without one; power-down is not modelled");
    list.figure("covered_time", covered_time, "ns",
                "from the start to the end of the last data beat: the energy of this time, of accesses in timed mode");
  }
};

/// Energy of these commands, after DRAMsim3 (src/configuration.cc), whose unit is volts × milliamperes × cycles: times
/// tCK in nanoseconds it is picojoules. Each command is charged above the standby that goes on beneath it:
/// * activate: VDD × (IDD0 × tRC - (IDD3N × tRAS + IDD2N × tRP)), tRC = tRAS + tRP
/// * read, write: VDD × (IDD4R, IDD4W - IDD3N) × BL / 2
/// * refresh: VDD × (IDD5AB - IDD3N) × tRFC
/// * standby, a cycle: VDD × IDD3N with an open row in the rank, else VDD × IDD2N
/// all × the devices of a rank. Nothing if the configuration does not tell the currents: see why_no_energy().
std::optional<EnergyFigures> energy_figures(const ChannelConfig& config, const CommandCounts& counts);

/// The reason as a sentence's end, empty if there is an energy.
std::string why_no_energy(const ChannelConfig& config);

}  // namespace vp::dram
