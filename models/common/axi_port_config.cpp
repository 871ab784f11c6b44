#include "models/common/axi_port_config.h"

#include <algorithm>

#include "models/common/error.h"

namespace vp {

namespace {

constexpr std::uint64_t kBurstBoundary = 4096;

}  // namespace

std::uint64_t AxiPortConfig::burst_bytes() const {
  return std::min<std::uint64_t>(max_burst * word_bytes(), kBurstBoundary);
}

Picoseconds AxiPortConfig::after(Picoseconds time, std::uint64_t cycles) const {
  const Clock edges(clock);
  return edges.time_of(edges.edge_at_or_after(time) + cycles);
}

std::uint32_t low_bits(unsigned bits) { return static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1); }

void AxiPortConfig::declare_port(const ParameterGroup& group, const std::string& what) {
  group.clock("clock", clock, "clock of " + what + ", period or frequency");
  group.integer("data_width", data_width, 32, 1024, "bits", "width of " + what + ", a power of two");
  group.integer("max_burst", max_burst, 2, 256, "beats",
                "longest burst, a power of two; bursts end at multiples of it");
}

void AxiPortConfig::check(const std::string& part) const {
  require_power_of_two(part, "data_width", data_width);
  require_power_of_two(part, "max_burst", max_burst);
}

void require_power_of_two(const std::string& part, const char* parameter, unsigned value) {
  if (value == 0 || (value & (value - 1)) != 0)
    throw UserError(part + ": " + parameter + " " + std::to_string(value) + " is not a power of two.");
}

}  // namespace vp
