#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/bus/bus.h"
#include "models/common/tlm_time.h"
#include "models/memory/memory.h"
#include "models/traffic/traffic_generator.h"

namespace vp {

inline constexpr Picoseconds kMicrosecond = 1'000'000;
inline constexpr std::uint64_t kBase = 0x8000'0000;

/// A bus of 10 ns and 8 bytes, a memory of 50 ns, and generators.
struct TrafficSystem {
  TrafficSystem(const std::string& name, const BusConfig& bus_config, const std::vector<TrafficConfig>& configs,
                Fidelity fidelity = Fidelity::timed) {
    MemoryConfig memory_config;
    memory_config.size = 1 << 20;
    memory = std::make_unique<Memory>((name + "_memory").c_str(), memory_config, bus_config.clock);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < configs.size(); ++i) names.push_back("traffic" + std::to_string(i));
    bus = std::make_unique<Bus>((name + "_bus").c_str(), bus_config, horizon, names,
                                std::vector<BusWindow>{{"memory", kBase, memory_config.size, true}});
    for (std::size_t i = 0; i < configs.size(); ++i) {
      generators.push_back(
          std::make_unique<TrafficGenerator>((name + std::to_string(i)).c_str(), configs[i], bus_config.clock));
      bus->connect_initiator(names[i], generators[i]->master);
    }
    bus->connect_target("memory", memory->socket);
    set_fidelity(fidelity);
  }
  void set_fidelity(Fidelity fidelity) {
    bus->set_fidelity(fidelity);
    memory->set_fidelity(fidelity);
    for (const auto& generator : generators) generator->set_fidelity(fidelity);
  }
  TrafficFigures figures(std::size_t generator) const { return generators[generator]->figures(); }

  Horizon horizon;
  std::unique_ptr<Memory> memory;
  std::unique_ptr<Bus> bus;
  std::vector<std::unique_ptr<TrafficGenerator>> generators;
};

/// Without a rate (0) it loads the link as far as the answers allow. The first 100 us.
inline TrafficConfig traffic(std::uint64_t rate, unsigned outstanding) {
  TrafficConfig config;
  config.base = kBase;
  config.size = 1 << 20;
  config.rate = rate;
  config.outstanding = outstanding;
  config.end = 100 * kMicrosecond;
  return config;
}

}  // namespace vp
